import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether the client has an answer already (RFC 9110, 13.2.2): a tag of its If-None-Match is that of the answer, or without that
 * header nothing changed since its If-Modified-Since.
 * @param etag in quotes
 * @param modifiedMs when it changed last, milliseconds since the epoch; 0: not known
 */
export function isKnown(headers: IncomingHttpHeaders, etag: string, modifiedMs = 0): boolean {
  const { 'if-none-match': none, 'if-modified-since': since } = headers;
  // Dates in headers have whole seconds.
  if (none === undefined)
    return since !== undefined && modifiedMs > 0 && Date.parse(since) >= Math.floor(modifiedMs / 1000) * 1000;
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
  return none.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(etag));
}
