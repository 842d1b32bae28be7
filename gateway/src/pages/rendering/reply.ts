import { hash } from 'node:crypto';
import { isKnown } from '../../downloads/conditional-requests';
import type { Call, Reply } from '../../routing/call';
import { renderPage, type Frame } from './render-page';

/** Value of Cache-Control for responses that only their caller may keep, and no cache. */
export const PRIVATE = 'private, no-store';

/** Responses differ by caller: caches must not mix them. */
const VARY = 'Accept, Authorization, Cookie, Origin';

/**
 * Sends text that depends on the caller. Only responses to anonymous callers may be cached, because they contain public data.
 * @param maxAge seconds without revalidation
 */
export function cacheable(call: Call, type: string, content: string, maxAge: number): Reply {
  if (!call.caller.anonymous) return { headers: { 'Cache-Control': PRIVATE, Vary: VARY }, text: { type, content } };
  const etag = `"${hash('sha256', content, 'base64url').slice(0, 27)}"`;
  const headers = { 'Cache-Control': maxAge > 0 ? `public, max-age=${maxAge}` : 'no-cache', Vary: VARY, ETag: etag };
  return isKnown(call.request.headers, etag) ? { status: 304, headers } : { headers, text: { type, content } };
}

/** Renders a page for the caller. */
export function pageReply<Model extends Omit<Frame, 'site' | 'username'>>(
  call: Call,
  view: Parameters<typeof renderPage>[0],
  model: Model,
): Reply {
  const frame = { site: call.site, username: call.caller.anonymous ? '' : call.caller.username };
  return cacheable(call, 'text/html; charset=utf-8', renderPage(view, { ...model, ...frame }), 0);
}
