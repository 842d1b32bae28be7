import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from '@parlance/outgoing';
import { GitError } from '../errors';

export type RemoteProtocol = 'https' | 'http' | 'ssh' | 'git' | 'file';

/** A parsed and validated address of a remote. */
export interface RemoteUrl {
  protocol: RemoteProtocol;
  /** Empty for file. IPv6 without brackets. */
  host: string;
  port: number | undefined;
  /** Starts with a slash, for ssh also with `~`. */
  path: string;
  user: string;
  password: string;
}

/** Addresses that the operator allows. */
export interface RemotePolicy {
  /** Allows plain http, local folders (file://) and hosts with private addresses. */
  allowPrivate: boolean;
  /** Resolves host names; default: the system's resolver. */
  resolve?: (host: string) => Promise<string[]>;
}

const MAX_URL_LENGTH = 2000;
const hostShape = /^(?!-)[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?$/;
const userShape = /^(?!-)[A-Za-z0-9._~+%@!$&*,;=-]*$/;

function urlError(message: string): never {
  throw new GitError('refused', message);
}

/**
 * Parses an address: `https://`, `ssh://`, `git://`, `user@host:path`; with allowPrivate also `http://` and `file://`.
 * Other forms that git knows (`ext::`, helpers, plain folders, options) are refused.
 * @throws GitError refused
 */
export function parseRemoteUrl(text: string, policy: Pick<RemotePolicy, 'allowPrivate'>): RemoteUrl {
  if (text.length === 0) urlError('The address is empty.');
  if (text.length > MAX_URL_LENGTH) urlError(`The address is longer than ${MAX_URL_LENGTH} characters.`);
  if (/[\u0000-\u0020\u007f\\]/.test(text)) urlError('The address holds spaces, control characters or backslashes.');
  if (text.startsWith('-')) urlError('The address starts with a dash.');
  if (/^[A-Za-z0-9+.-]+::/.test(text)) urlError('This kind of address is not supported; use https, ssh or git.');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return parseScpStyle(text);
  if (!['https', 'http', 'ssh', 'git', 'file'].includes(scheme))
    urlError(`Addresses with ${scheme}:// are not supported; use https, ssh or git.`);
  const protocol = scheme as RemoteProtocol;
  if ((protocol === 'http' || protocol === 'file') && !policy.allowPrivate)
    urlError(`Addresses with ${protocol}:// are not allowed here; use https, ssh or git.`);
  if (protocol === 'file') {
    const path = text.slice('file://'.length);
    if (!path.startsWith('/')) urlError('A file address needs an absolute path.');
    return { protocol, host: '', port: undefined, path: checkedPath(path), user: '', password: '' };
  }
  // After three slashes, the URL parser would take the path for the host.
  if (/^\/|^$/.test(text.slice(scheme.length + 3))) urlError('The address has no valid host name.');
  let url: URL;
  try {
    // The URL parser validates hosts of special schemes only, so https replaces the scheme.
    url = new URL(`https://${text.slice(scheme.length + 3)}`);
  } catch {
    urlError('The address is not a valid URL.');
  }
  const rawAuthority = text.slice(scheme.length + 3).split('/')[0]!;
  const rawPort = /:(\d+)$/.exec(rawAuthority)?.[1];
  if (url.search || url.hash) urlError('The address holds a query or a fragment.');
  const user = decodePart(url.username);
  const password = decodePart(url.password);
  if (!userShape.test(url.username)) urlError('The user name in the address holds characters that are not allowed.');
  if (protocol === 'git' && (user || password)) urlError('Addresses with git:// carry no user.');
  if (protocol === 'ssh' && password) urlError('Addresses with ssh:// carry no password.');
  const path = checkedPath(text.slice(scheme.length + 3 + rawAuthority.length) || '/');
  return {
    protocol,
    host: checkedHost(url.hostname),
    port: rawPort === undefined ? undefined : checkedPort(rawPort),
    path,
    user,
    password,
  };
}

function parseScpStyle(text: string): RemoteUrl {
  const match = /^(?:([^@/:]+)@)?(\[[0-9A-Fa-f:.]+\]|[^/:@[\]]+):(.*)$/.exec(text);
  if (!match) urlError('The address has no scheme; use https, ssh or git.');
  const [, user = '', host = '', path = ''] = match;
  if (!userShape.test(user) || user.startsWith('-'))
    urlError('The user name in the address holds characters that are not allowed.');
  if (path.startsWith('-') || path === '') urlError('The path of the address is empty or starts with a dash.');
  // `host:x` is relative to the home folder, like ssh://host/~/x.
  const absolute = path.startsWith('/') ? path : path.startsWith('~') ? `/${path}` : `/~/${path}`;
  return { protocol: 'ssh', host: checkedHost(host), port: undefined, path: checkedPath(absolute), user, password: '' };
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    urlError('The address holds a broken percent sign.');
  }
}

function checkedHost(host: string): string {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (bare.length > 253 || !(isIP(bare) === 6 || hostShape.test(bare))) urlError('The address has no valid host name.');
  return bare;
}

function checkedPort(text: string): number {
  const port = Number(text);
  if (port < 1 || port > 65535) urlError('The port of the address is out of range.');
  return port;
}

function checkedPath(path: string): string {
  if (/^\/+-/.test(path)) urlError('The path of the address starts with a dash.');
  return path;
}

/** Formats an address for git, including credentials. */
export function formatRemoteUrl(url: RemoteUrl, host = url.host): string {
  if (url.protocol === 'file') return `file://${url.path}`;
  const user = url.user
    ? encodeURIComponent(url.user) + (url.password ? `:${encodeURIComponent(url.password)}` : '') + '@'
    : '';
  const port = url.port === undefined ? '' : `:${url.port}`;
  return `${url.protocol}://${user}${isIP(host) === 6 ? `[${host}]` : host}${port}${url.path}`;
}

/** Removes user and password from an address. Invalid addresses are accepted. */
export function redactRemoteUrl(text: string): string {
  return text.replace(/^([A-Za-z][A-Za-z0-9+.-]*:\/\/)[^/]*@/, '$1');
}

/**
 * Resolves a host and refuses it if any address is not public. Git is pinned to the result, which defeats DNS rebinding.
 * @returns null when private addresses are allowed, so pinning is not needed
 * @throws GitError refused, unreachable
 */
export async function pinnedAddresses(host: string, policy: RemotePolicy): Promise<string[] | null> {
  if (policy.allowPrivate) return null;
  let addresses: string[];
  if (isIP(host)) addresses = [host];
  else {
    try {
      addresses = policy.resolve
        ? await policy.resolve(host)
        : (await lookup(host, { all: true })).map((found) => found.address);
    } catch (error) {
      throw new GitError('unreachable', `Could not resolve host ${host}.`, { cause: error });
    }
  }
  if (addresses.length === 0) throw new GitError('unreachable', `Could not resolve host ${host}.`);
  if (!addresses.every(isPublicAddress))
    urlError(`The host ${host} has a private address; such hosts are not allowed here.`);
  return addresses;
}
