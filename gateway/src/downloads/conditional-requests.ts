import fresh from 'fresh';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether the client has the response already (RFC 9110, 13.2.2). Reloading (`Cache-Control: no-cache`) does not matter:
 * responses are validated against the origin's own ETag.
 * @param etag in quotes
 * @param modifiedMs time of the last change, milliseconds since the epoch; 0: unknown
 */
export function isKnown(headers: IncomingHttpHeaders, etag: string, modifiedMs = 0): boolean {
  const { 'if-none-match': none, 'if-modified-since': since } = headers;
  if (none === undefined && since === undefined) return false;
  return fresh(
    { 'if-none-match': none, 'if-modified-since': since },
    { etag, ...(modifiedMs > 0 ? { 'last-modified': new Date(modifiedMs).toUTCString() } : {}) },
  );
}
