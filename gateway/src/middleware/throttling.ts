import type { Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { Admission } from '@parlance/redis';
import { counter } from '@parlance/telemetry';
import type { Request } from 'express';
import type { AuthenticatedCaller, Directory, RejectedToken } from '../directory/directory';
import { isReadMethod } from '../limits/maintenance';
import { areaOf, countedAs, type Throttle } from '../limits/throttle';
import { requireAuthenticated, resolveCredential } from './authentication';
import { PRIVATE } from '../responses/private';
import { setBrowser } from '../sessions/browser';
import type { CsrfTokens } from '../sessions/csrf';
import type { Admitted, ApiResponse, Middleware } from './request-state';

const rateLimited = counter('parlance_http_rate_limited_total');

/** A caller with at least this many requests left may start reads before the request is counted. */
const AMPLE = 100;

/**
 * Counts the request in its caller's window and confirms the caller. The token's owner may have been cached before a
 * revocation: only an owner that was resolved under the counters which this request saw is accepted.
 */
export function makeThrottling(directory: Directory, throttle: Throttle, csrf: CsrfTokens): Middleware {
  /** Requests that callers had left when they were last counted. */
  const left = new WeakMap<AuthenticatedCaller, number>();

  const mayStartEarly = (identity: AuthenticatedCaller | RejectedToken | null): boolean => {
    if (!identity || 'refused' in identity || identity.caller.anonymous) return false;
    return directory.isCurrent(identity) && (left.get(identity) ?? 0) >= AMPLE;
  };

  const admit = async (request: Request, response: ApiResponse): Promise<Admitted> => {
    const { locals } = response;
    const { token } = locals;
    const area = areaOf(locals.path);
    let { identity } = locals;
    const strings = directory.stringsGeneration;
    const counting = { area, contents: locals.contents.scope };
    // Requests with a refused token fill a window of their address and are rejected with 401, not 429.
    let admission = await throttle.admit(request, response, identity, counting);
    directory.observe(admission.generations);
    const unchanged = identity !== null && directory.isCurrent(identity);
    if (token !== undefined && !unchanged) {
      const counted = countedAs(request, identity);
      identity = await resolveCredential(directory, locals);
      // The request was counted in another caller's window: the window of its own caller decides.
      if (countedAs(request, identity) !== counted)
        admission = await throttle.admit(request, response, identity, counting);
    }
    const caller = requireAuthenticated(identity, token);
    throwIfThrottled(admission, response, countedAs(request, identity));
    if (area === 'api') left.set(caller, admission.remaining);
    locals.identity = caller;
    locals.username = caller.caller.username;
    if (caller.sessionId !== undefined) noteSession(request, response, caller.sessionId, caller.caller);
    const contents = directory.contents.observe(locals.contents.scope, admission.contents);
    return { caller, unchanged: unchanged && directory.stringsGeneration === strings, contents };
  };

  const noteSession = (request: Request, response: ApiResponse, id: number, { userId, username }: Caller): void => {
    setBrowser(request, { csrf, session: { id, secret: response.locals.session, userId, username } });
    // Shared caches know that requests with an Authorization header have private responses, but not those with a cookie.
    response.setHeader('Cache-Control', PRIVATE);
  };

  return async function throttling(request, response, next) {
    const { locals } = response;
    locals.mayStartEarly = mayStartEarly(locals.identity);
    locals.contents = isReadMethod(request.method) ? directory.contents.expect(locals.path) : {};
    locals.admission = admit(request, response);
    // Routes and the error handler await an admission that is still pending.
    if (locals.mayStartEarly) locals.admission.catch(() => undefined);
    else await locals.admission;
    next();
  };
}

/**
 * @param counted how the request was counted; its part before the colon is the kind of limit
 * @throws THROTTLED
 */
export function throwIfThrottled(admission: Admission, response: ApiResponse, counted: string): void {
  if (admission.allowed) return;
  rateLimited.inc({ area: areaOf(response.locals.path) ?? '', limit: counted.split(':')[0]! });
  response.setHeader('Retry-After', Math.max(1, admission.resetSeconds));
  throw new ServiceError('THROTTLED', {
    message: `Too many requests. Retry in ${admission.resetSeconds} seconds.`,
  });
}
