import { ServiceError } from '@parlance/errors';
import { logger } from '@parlance/telemetry';
import type { Configuration, IDToken } from 'openid-client';
import type { ExternalClaims, ExternalProof } from '../domain/sign-in/external-identity';
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

// Loaded on demand to save memory in installations without a provider.
const library = () => import('openid-client');

async function discover({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<Configuration> {
  const { allowInsecureRequests, ClientSecretBasic, discovery } = await library();
  // The settings admit http on this machine only.
  const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
  const authentication = ClientSecretBasic(clientSecret);
  return discovery(new URL(issuer), clientId, undefined, authentication, { execute, timeout: TIMEOUT_SECONDS });
}

/** Claims of the ID token and, because many providers state addresses and groups only there, of the user info endpoint. */
async function statedClaims(
  configuration: Configuration,
  callback: string,
  { state, nonce, codeVerifier }: ExternalProof,
): Promise<IDToken> {
  const { authorizationCodeGrant, fetchUserInfo } = await library();
  const tokens = await authorizationCodeGrant(configuration, new URL(callback), {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const identity = tokens.claims()!;
  if (!configuration.serverMetadata().userinfo_endpoint) return identity;
  return { ...(await fetchUserInfo(configuration, tokens.access_token, identity.sub)), ...identity };
}

function toClaims(stated: IDToken, teamsClaim: string): ExternalClaims {
  const teams = teamsClaim === '' ? [] : stated[teamsClaim];
  return {
    issuer: stated.iss,
    subject: stated.sub,
    email: text(stated['email']),
    emailVerified: stated['email_verified'] === true,
    fullName: text(stated['name']).trim(),
    username: text(stated['preferred_username']),
    teams: (Array.isArray(teams) ? teams : [teams]).filter((team) => typeof team === 'string'),
  };
}

/** An OpenID Connect provider: authorization code flow with PKCE, state and nonce. Its description is read at the first sign-in. */
export function openIdProvider(settings: OpenIdSettings): ExternalProvider {
  const { issuer, scope, teamsClaim } = settings;
  let configuration: Promise<Configuration> | undefined;

  const configured = async (): Promise<Configuration> => {
    configuration ??= discover(settings);
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

    async claims(callback, proof) {
      const configuration = await configured();
      try {
        return toClaims(await statedClaims(configuration, callback, proof), teamsClaim);
      } catch (error) {
        logger.warn({ err: error, issuer }, 'sign-in by OpenID Connect failed');
        const message = 'The sign-in provider did not confirm who you are. Start again.';
        throw new ServiceError('AUTHENTICATION_FAILED', { message, cause: error });
      }
    },
  };
}
