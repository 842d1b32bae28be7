import { logger } from '@parlance/telemetry';
import type { NextFunction, Request } from 'express';
import { notFound, presentError } from '../responses/errors';
import { isGitPath, PASSWORD_WANTED } from '../routing/git-client';
import { pageInfo, send, sendText } from '../responses/send-reply';
import type { ApiResponse } from './request-state';

/** Turns every error into the API's error body; git clients get plain text. */
export function makeErrors() {
  // Express recognizes error handlers by their four parameters.
  return async function errors(thrown: unknown, request: Request, response: ApiResponse, _next: NextFunction) {
    const error = await precedingError(thrown, response);
    // The client has disconnected; cancelled calls are expected.
    if (response.locals.disconnected.aborted) return;
    await sendError(error, request, response);
  };
}

/** A rejected admission (401, 429) takes precedence over the error of a read that started before it settled. */
async function precedingError(error: unknown, { locals }: ApiResponse): Promise<unknown> {
  // Express throws a URIError for path parameters with malformed percent-encoding: no resource has such a path.
  const found = error instanceof URIError ? notFound() : error;
  const { admission } = locals as Partial<typeof locals>;
  return admission
    ? admission.then(
        () => found,
        (refusal: unknown) => refusal,
      )
    : found;
}

async function sendError(error: unknown, request: Request, response: ApiResponse): Promise<void> {
  const { locals } = response;
  const presented = presentError(error);
  // 503 reports an unavailable service or exhausted capacity, which needs no action for each request.
  if (presented.status >= 500)
    logger[presented.status === 503 ? 'warn' : 'error'](
      { err: error, method: request.method, path: locals.path },
      'request failed',
    );
  if (response.headersSent) {
    response.destroy();
    return;
  }
  for (const [name, value] of Object.entries(presented.headers))
    // Throttling has set the exact time already.
    if (name !== 'Retry-After' || !response.hasHeader(name)) response.setHeader(name, value);
  // After an error, a client that waits for 100 Continue or stopped sending does not send its body: close the connection.
  const isStalled = !request.complete && (request.headers.expect !== undefined || presented.status === 408);
  if (isStalled) response.setHeader('Connection', 'close');
  const unread = !request.complete && !isStalled ? request : undefined;
  if (isGitPath(locals.path)) {
    if (presented.status === 401) response.setHeader('WWW-Authenticate', PASSWORD_WANTED);
    return sendText(response, presented.status, 'text/plain; charset=utf-8', `${presented.body.detail}\n`, unread);
  }
  const page = pageInfo(request, response);
  const negotiated = locals.negotiated.renderer === 'api' && page ? locals.negotiated : undefined;
  await send(response, presented.status, presented.body, { negotiated, page, unread });
}
