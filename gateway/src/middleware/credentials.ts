import type { IncomingMessage } from 'node:http';

/**
 * The token of the Authorization header; '' if absent, undefined if malformed. Credentials of other schemes are ignored,
 * because they are meant for a reverse proxy.
 * @param git accepts the password of a git client as token
 */
export function tokenOf(request: IncomingMessage, git = false): string | undefined {
  const header = (request.headers.authorization ?? '').trim();
  if (/^(?:Token|Bearer)(?!\S)/i.test(header)) return /^\S+\s+(\S{1,200})$/.exec(header)?.[1];
  return git ? passwordOf(header) : '';
}

/**
 * The password of HTTP Basic credentials, whatever the user name, as git sends it.
 * '' for other schemes, undefined if the credentials are malformed.
 */
function passwordOf(authorization: string): string | undefined {
  const credentials = /^Basic(?!\S)\s*(\S{0,2000})$/i.exec(authorization);
  if (!credentials) return /^Basic(?!\S)/i.test(authorization) ? undefined : '';
  const pair = Buffer.from(credentials[1]!, 'base64').toString('utf8');
  return /^[^:]*:(\S{1,200})$/.exec(pair)?.[1];
}
