import { logger } from '@parlance/telemetry';
import type { NextFunction, Request } from 'express';
import { notFound, presentError, type HttpError } from '../responses/errors';
import { contentTypes, prefersPage, type Negotiated } from '../responses/negotiation';
import { areaOf } from '../limits/throttle';
import { renderPage } from '../pages/rendering/render-page';
import { PRIVATE } from '../responses/private';
import { isGitPath, PASSWORD_WANTED } from '../routing/git-client';
import { send, sendText } from '../responses/send-reply';
import { csrfToken } from '../sessions/browser';
import { STATUS_CODES } from 'node:http';
import { nameOnPages, type ApiResponse } from './request-state';

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
  const wantsPage = locals.negotiated.renderer === 'api' || prefersPage(request.headers.accept, locals.query);
  if (wantsPage && (areaOf(locals.path) !== 'api' || !locals.route)) return sendProblem(response, presented, unread);
  const negotiated: Negotiated | undefined = wantsPage ? { renderer: 'api', indent: 0 } : undefined;
  await send(response, presented.status, presented.body, { negotiated, unread });
}

/** An error outside of the API as a page, which is the same for missing and hidden objects. */
function sendProblem(response: ApiResponse, { status, body }: HttpError, unread: Request | undefined): void {
  const { site } = response.locals;
  const username = nameOnPages(response.locals);
  response.setHeader('Cache-Control', PRIVATE);
  const title = `${status} ${STATUS_CODES[status] ?? ''}`;
  const frame = { title, site, username, hidden: true, csrfToken: csrfToken(response.req) };
  const page = renderPage('problem', { ...frame, detail: body.detail });
  sendText(response, status, contentTypes.api, page, unread);
}
