import type { IncomingMessage } from 'node:http';

/** Name of the hidden field of every form with the CSRF token. */
export const CSRF_FIELD = 'csrf_token';

/** The CSRF token of the session that the request belongs to; undefined without a session. */
export function csrfToken(_request: IncomingMessage): string | undefined {
  return undefined;
}
