import type { IncomingMessage } from 'node:http';
import type { CsrfTokens } from './csrf';

/** The session of a request that was counted and confirmed. */
export interface Session {
  id: number;
  /** Value of the cookie. */
  secret: string;
  userId: number;
  username: string;
}

/** Properties of the browser that sent a request. */
interface Browser {
  csrf: CsrfTokens;
  session?: Session;
}

const browsers = new WeakMap<IncomingMessage, Browser>();

/** Called for every request. @param session absent: the request has none, or a token takes precedence over it */
export function setBrowser(request: IncomingMessage, browser: Browser): void {
  browsers.set(request, browser);
}

export function csrfTokensOf(request: IncomingMessage): CsrfTokens {
  const browser = browsers.get(request);
  if (!browser) throw new Error('the request has not passed authentication');
  return browser.csrf;
}

export function sessionOf(request: IncomingMessage): Session | undefined {
  return browsers.get(request)?.session;
}

/** Value of the field `csrf_token` in forms of this response; undefined without a session. Each call returns another one. */
export function csrfToken(request: IncomingMessage): string | undefined {
  const browser = browsers.get(request);
  return browser?.session && browser.csrf.issue(browser.session.secret);
}

/** Name of the user who is signed in by a session; undefined without one. */
export function signedInUser(request: IncomingMessage): string | undefined {
  return sessionOf(request)?.username;
}
