import { CallerTokenError, signCaller, type Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import { LAST_USE_STEP_MS, looksLikeToken, tokenHash, type Token } from '../../domain/sign-in/token';
import { ANONYMOUS_ID, maySignIn, type User } from '../../domain/user';
import type { Deps } from '../deps';
import { resolveCaller } from './resolve-caller';

/** Time to live of cached callers in gateways, in milliseconds; a new generation ends it earlier. */
export const CACHE_MS = 60_000;
/** How long services accept the signed caller beyond that: the time a request may wait inside the system. */
const SIGNED_FOR_MS = 600_000;

/** An authenticated caller. */
export interface Authentication {
  signedPrincipal: string;
  user: User;
  cacheMs: number;
  tokenId: number;
}

type AuthenticateDeps = Pick<Deps, 'users' | 'groups' | 'roles' | 'componentLists' | 'now' | 'serviceSecret'>;

/** @throws AUTHENTICATION_FAILED with the same message for every problem of the token */
export async function authenticate(deps: AuthenticateDeps, tokenText: string): Promise<Authentication> {
  if (tokenText === '') {
    const anonymous = await deps.users.get(ANONYMOUS_ID);
    if (!anonymous) throw new ServiceError('UNAVAILABLE', { message: 'The anonymous user does not exist yet.' });
    return signAuthentication(deps, anonymous, 0, 0);
  }
  const user = looksLikeToken(tokenText) ? await deps.users.byTokenHash(tokenHash(tokenText)) : undefined;
  const token = user?.tokens.find((t) => t.hash === tokenHash(tokenText));
  const now = deps.now();
  if (!user || !token || !maySignIn(user, now) || (token.expiresMs !== 0 && token.expiresMs <= now)) {
    throw new ServiceError('AUTHENTICATION_FAILED');
  }
  if (now - token.lastUsedMs >= LAST_USE_STEP_MS) await deps.users.noteTokenUse(user.id, token.id, now);
  return signAuthentication(deps, user, token.id, token.expiresMs, token);
}

type SignAuthenticationDeps = Pick<Deps, 'groups' | 'roles' | 'componentLists' | 'now' | 'serviceSecret'>;

/** Creates the response for a user whose credential was accepted. @param limits of the credential */
export async function signAuthentication(
  deps: SignAuthenticationDeps,
  user: User,
  tokenId: number,
  tokenExpiresMs: number,
  { readOnly, projects }: Pick<Token, 'readOnly' | 'projects'> = {},
): Promise<Authentication> {
  const caller: Caller = {
    ...(await resolveCaller(deps, user)),
    ...(readOnly ? { readOnly } : {}),
    ...(projects ? { onlyProjects: projects } : {}),
  };
  const ends = [tokenExpiresMs, user.dateExpiresMs].filter((ms) => ms !== 0).map((ms) => ms - deps.now());
  try {
    const signedPrincipal = signCaller(caller, deps.serviceSecret, CACHE_MS + SIGNED_FOR_MS);
    return { signedPrincipal, user, cacheMs: Math.max(0, Math.min(CACHE_MS, ...ends)), tokenId };
  } catch (error) {
    if (!(error instanceof CallerTokenError)) throw error;
    const message = 'The teams of this user name too many projects and components to be carried with a request.';
    throw new ServiceError('FAILED_PRECONDITION', { message, cause: error });
  }
}
