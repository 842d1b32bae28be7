import { withContext } from '@parlance/telemetry';
import { randomUUID } from 'node:crypto';
import type { Middleware } from './request-state';

const validId = /^[\w.-]{1,128}$/;

/** Takes the request's id from X-Request-Id or generates one; logs and calls to services carry it. */
export function makeRequestId(): Middleware {
  return function requestId(request, response, next) {
    const given = request.headers['x-request-id'];
    const id = typeof given === 'string' && validId.test(given) ? given : randomUUID();
    response.locals.requestId = id;
    response.setHeader('X-Request-Id', id);
    withContext({ requestId: id }, next);
  };
}
