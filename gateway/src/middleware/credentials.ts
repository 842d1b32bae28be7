import type { IncomingMessage } from 'node:http';

/**
 * The token of the Authorization header; '' when there is none, undefined when it is none that could be right. Credentials of
 * another scheme are meant for somebody before us (a proxy that asks for a password): they say nothing about who is calling.
 * @param git the token may be the password that a git client sends
 */
export function tokenOf(request: IncomingMessage, git = false): string | undefined {
  const header = (request.headers.authorization ?? '').trim();
  if (/^(?:Token|Bearer)(?!\S)/i.test(header)) return /^\S+\s+(\S{1,200})$/.exec(header)?.[1];
  return git ? passwordOf(header) : '';
}

/**
 * The token in HTTP Basic credentials: the password, whatever the user name is, as git sends what it asked a person for.
 * '' when the credentials are of another kind, undefined when there is none in them that could be right.
 */
function passwordOf(authorization: string): string | undefined {
  const credentials = /^Basic(?!\S)\s*(\S{0,2000})$/i.exec(authorization);
  if (!credentials) return /^Basic(?!\S)/i.test(authorization) ? undefined : '';
  const pair = Buffer.from(credentials[1]!, 'base64').toString('utf8');
  return /^[^:]*:(\S{1,200})$/.exec(pair)?.[1];
}
