import type { Request } from 'express';
import type { Reply } from '../routing/call';
import { contentTypes, type Negotiated } from './negotiation';
import { renderApiPage } from '../pages/browsable-api/api-page';
import { PRIVATE } from './private';
import { render } from './render';
import { waitForDrain } from './wait-for-drain';
import { csrfToken } from '../sessions/browser';
import { cookieName, isSecure, type SetCookie } from '../sessions/cookies';
import { nameOnPages, type ApiResponse } from '../middleware/request-state';
import type { ResourceRoute } from '../routing/endpoint';

interface SendOptions {
  /** Default: compact JSON. */
  negotiated?: Negotiated | undefined;
  /** See `sendText`. */
  unread?: Request | undefined;
}

/** Renders data as the client asked for it. */
export async function send(
  response: ApiResponse,
  status: number,
  data: unknown,
  { negotiated = { renderer: 'json', indent: 0 }, unread }: SendOptions = {},
): Promise<void> {
  const { route } = response.locals;
  const isPage = negotiated.renderer === 'api' && route !== undefined;
  const text = isPage ? await apiPage(response, status, data, route) : await render(data, negotiated);
  // Browsers stay on the page with the form when a response has no content.
  sendText(response, isPage && status === 204 ? 200 : status, contentTypes[negotiated.renderer], text, unread);
}

/** A response as a page, which must not be cached: it may contain private data and shows the caller's rate limit. */
function apiPage(response: ApiResponse, status: number, data: unknown, route: ResourceRoute): Promise<string> {
  const { path, query, site } = response.locals;
  const username = nameOnPages(response.locals);
  const { method } = response.req;
  const { form } = response.locals;
  const shared = { site, username, form, csrfToken: csrfToken(response.req) };
  const exchange = { route, method, path, query, status, headers: response.getHeaders(), ...shared };
  response.setHeader('Cache-Control', PRIVATE);
  return renderApiPage(data, exchange);
}

/** Longest time for which the rest of a rejected body is discarded, in milliseconds. */
const DISCARD_MS = 30_000;

/** @param unread a request whose body is still arriving: the response is written now and ends when the body is complete */
export function sendText(response: ApiResponse, status: number, type: string, body: string, unread?: Request): void {
  response.statusCode = status;
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  if (!unread) {
    response.end(body);
    return;
  }
  // Closing while the client writes resets the connection, and clients that read only after writing would miss the response.
  response.write(body);
  const timer = setTimeout(() => unread.socket.destroy(), DISCARD_MS);
  const finish = () => {
    clearTimeout(timer);
    response.end();
  };
  unread.once('end', finish);
  unread.once('close', finish);
  unread.resume();
}

/** Sends the reply of an endpoint. */
export async function sendReply(request: Request, response: ApiResponse, reply: Reply): Promise<void> {
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  for (const cookie of reply.cookies ?? []) setCookie(response, cookie);
  const status = reply.status ?? 200;
  const { locals } = response;
  const { negotiated } = locals;
  const compact = negotiated.renderer === 'json' && negotiated.indent === 0;
  if (reply.stream) await sendStream(request, response, status, reply.stream);
  else if (reply.text) sendText(response, status, reply.text.type, reply.text.content);
  else if (reply.prepared && compact) sendText(response, status, contentTypes.json, reply.prepared.json);
  else if (reply.prepared) await send(response, status, reply.prepared.data(), { negotiated });
  else if (reply.data !== undefined || (locals.form && negotiated.renderer === 'api'))
    await send(response, status, reply.data, { negotiated });
  else {
    response.statusCode = status;
    response.end();
  }
}

function setCookie(response: ApiResponse, { name, value, maxAge }: SetCookie): void {
  const { site } = response.locals;
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(site), maxAge } as const;
  response.cookie(cookieName(site, name), value, options);
}

async function sendStream(
  request: Request,
  response: ApiResponse,
  status: number,
  { type, size, chunks }: NonNullable<Reply['stream']>,
): Promise<void> {
  response.statusCode = status;
  response.setHeader('Content-Type', type);
  if (size !== undefined) response.setHeader('Content-Length', size);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  for await (const chunk of chunks) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await waitForDrain(response);
  }
  response.end();
}
