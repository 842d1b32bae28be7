import { hash } from 'node:crypto';
import { isKnown } from '../../downloads/conditional-requests';
import { PRIVATE } from '../../responses/private';
import type { Call, Reply } from '../../routing/call';
import { csrfToken } from '../../sessions/browser';
import type { SetCookie } from '../../sessions/cookies';
import { renderPage, type Frame } from './render-page';
import { scriptPolicy } from './script-policy';

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

type View = Parameters<typeof renderPage>[0];
type PageModel = Omit<Frame, 'site' | 'username' | 'csrfToken'>;
const HTML = 'text/html; charset=utf-8';

function rendered<Model extends PageModel>(call: Call, view: View, model: Model): string {
  const username = call.caller.anonymous ? '' : call.caller.username;
  return renderPage(view, { ...model, site: call.site, username, csrfToken: csrfToken(call.request) });
}

/** Renders a page for the caller. */
export function pageReply<Model extends PageModel>(call: Call, view: View, model: Model): Reply {
  return cacheable(call, HTML, rendered(call, view, model), 0);
}

/** Renders a page with a form or private data, which no cache may keep. @param more.hasScript the page runs a script of this site */
export function privatePage<Model extends PageModel>(
  call: Call,
  view: View,
  model: Model,
  more: {
    status?: number;
    headers?: Record<string, string>;
    cookies?: readonly SetCookie[];
    hasScript?: boolean;
  } = {},
): Reply {
  const { hasScript = false, ...reply } = more;
  const policy: Record<string, string> = hasScript ? { 'Content-Security-Policy': scriptPolicy } : {};
  const headers = { 'Cache-Control': PRIVATE, Vary: VARY, ...policy, ...more.headers };
  return { ...reply, headers, text: { type: HTML, content: rendered(call, view, { ...model, hidden: true }) } };
}

/** Redirects a browser to a page after a form. */
export function seeOther(location: string, cookies: readonly SetCookie[] = []): Reply {
  return { status: 303, headers: { Location: location, 'Cache-Control': PRIVATE, Vary: VARY }, cookies };
}
