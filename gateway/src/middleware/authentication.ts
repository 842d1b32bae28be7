import { ServiceError } from '@parlance/errors';
import type { AuthenticatedCaller, Directory, RejectedToken } from '../directory/directory';
import { tokenOf } from './credentials';
import type { Endpoint } from '../routing/endpoint';
import { isGitPath } from '../routing/git-client';
import { areaOf, type Area } from '../limits/throttle';
import { setBrowser } from '../sessions/browser';
import { cookieOf } from '../sessions/cookies';
import type { CsrfTokens } from '../sessions/csrf';
import type { Middleware, RequestState } from './request-state';

/**
 * Resolves the token to its owner, from the cache where possible. Throttling counts the request under that owner and then confirms the
 * owner, because the change counters arrive with the count. An invalid token is therefore rejected there (401).
 */
export function makeAuthentication(directory: Directory, endpoints: readonly Endpoint[], csrf: CsrfTokens): Middleware {
  const ownCredentials = endpoints.filter((endpoint) => endpoint.ownCredentials);
  return async function authentication(request, response, next) {
    const { locals } = response;
    let token = tokenOf(request, isGitPath(locals.path));
    // A token takes precedence over the cookie. Git clients and git hosts have credentials of their own.
    const mayHaveSession = token === '' && request.headers.cookie !== undefined && !ownAreas.has(areaOf(locals.path));
    locals.session = mayHaveSession ? cookieOf(request, locals.site, 'session') : '';
    setBrowser(request, { csrf });
    let identity = await resolveCredential(directory, { token, session: locals.session });
    // These endpoints verify credentials of another kind in the same header: an unknown token counts as anonymous.
    if (isRefused(identity) && ownCredentials.some(({ path }) => isAt(locals.path, path))) {
      token = '';
      identity = await directory.caller(token);
    }
    locals.token = token;
    locals.identity = identity;
    next();
  };
}

/** Areas in which cookies have no meaning. */
const ownAreas: ReadonlySet<Area | undefined> = new Set<Area | undefined>(['git', 'hooks', undefined]);

/**
 * The owner of a request's credential; null if the token is malformed. A session that has ended counts as no credential, so that pages
 * show the public view and offer to sign in.
 */
export async function resolveCredential(
  directory: Directory,
  { token, session }: Pick<RequestState, 'token' | 'session'>,
): Promise<AuthenticatedCaller | RejectedToken | null> {
  if (token === undefined) return null;
  if (session !== '') {
    const caller = await directory.sessionCaller(session);
    if (!isRefused(caller)) return caller;
  }
  return directory.caller(token);
}

const segmentsOf = (path: string): string[] => path.split('/').filter(Boolean);

/** Whether a path has the shape of a pattern such as `/hooks/:provider/`. */
function isAt(path: string, pattern: string): boolean {
  const [given, wanted] = [segmentsOf(path), segmentsOf(pattern)];
  return (
    given.length === wanted.length && wanted.every((segment, i) => segment.startsWith(':') || segment === given[i])
  );
}

const isRefused = (identity: AuthenticatedCaller | RejectedToken | null): boolean => !identity || 'refused' in identity;

/** @throws AUTHENTICATION_FAILED when the token is malformed or unknown */
export function requireAuthenticated(
  identity: AuthenticatedCaller | RejectedToken | null,
  token: string | undefined,
): AuthenticatedCaller {
  if (identity && !('refused' in identity)) return identity;
  throw new ServiceError('AUTHENTICATION_FAILED', {
    message: token === undefined ? 'The Authorization header must be "Token" or "Bearer" and a token.' : undefined,
  });
}
