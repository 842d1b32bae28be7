import { ServiceError } from '@parlance/errors';
import { logger } from '@parlance/telemetry';
import type { Configuration } from 'openid-client';
import type { ExternalProvider } from '../domain/ports';

/** How this site is registered at a provider. */
export interface OpenIdSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  /** Claim with the names of teams; '' for none. */
  teamsClaim: string;
}

/** Limit of a request to the provider, in seconds. */
const TIMEOUT_SECONDS = 10;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** An OpenID Connect provider: authorization code flow with PKCE, state and nonce. Its description is read at the first sign-in. */
export function openIdProvider(settings: OpenIdSettings): ExternalProvider {
  const { issuer, clientId, clientSecret, scope, teamsClaim } = settings;
  let configuration: Promise<Configuration> | undefined;
  // Loaded on demand to save memory in installations without a provider.
  const library = () => import('openid-client');

  const discover = async (): Promise<Configuration> => {
    const { allowInsecureRequests, ClientSecretBasic, discovery } = await library();
    // The settings admit http on this machine only.
    const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
    const authentication = ClientSecretBasic(clientSecret);
    return discovery(new URL(issuer), clientId, undefined, authentication, { execute, timeout: TIMEOUT_SECONDS });
  };

  const configured = async (): Promise<Configuration> => {
    configuration ??= discover();
    try {
      return await configuration;
    } catch (error) {
      // The next sign-in tries again.
      configuration = undefined;
      logger.warn({ err: error, issuer }, 'reading the description of the OpenID Connect provider failed');
      throw new ServiceError('UNAVAILABLE', { message: 'The sign-in provider is unavailable.', cause: error });
    }
  };

  return {
    async authorizationAddress({ state, nonce, codeVerifier }, redirectUri) {
      const configuration = await configured();
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
      return buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      }).href;
    },

    async claims(callback, { state, nonce, codeVerifier }) {
      const configuration = await configured();
      const { authorizationCodeGrant, fetchUserInfo } = await library();
      try {
        const tokens = await authorizationCodeGrant(configuration, new URL(callback), {
          pkceCodeVerifier: codeVerifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const identity = tokens.claims()!;
        // Many providers state addresses and groups only there.
        const more = configuration.serverMetadata().userinfo_endpoint
          ? await fetchUserInfo(configuration, tokens.access_token, identity.sub)
          : {};
        const stated: Record<string, unknown> = { ...more, ...identity };
        const teams = teamsClaim === '' ? [] : stated[teamsClaim];
        return {
          issuer: identity.iss,
          subject: identity.sub,
          email: text(stated['email']),
          emailVerified: stated['email_verified'] === true,
          fullName: text(stated['name']).trim(),
          username: text(stated['preferred_username']),
          teams: (Array.isArray(teams) ? teams : [teams]).filter((team) => typeof team === 'string'),
        };
      } catch (error) {
        logger.warn({ err: error, issuer }, 'sign-in by OpenID Connect failed');
        const message = 'The sign-in provider did not confirm who you are. Start again.';
        throw new ServiceError('AUTHENTICATION_FAILED', { message, cause: error });
      }
    },
  };
}
