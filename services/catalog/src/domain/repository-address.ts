import { trimEndOf } from '@parlance/patterns';
/** Scheme of addresses that share the repository of another component. */
export const LINK_SCHEME = 'parlance://';
/** The address of a component without a remote. */
export const LOCAL_REPOSITORY = 'local:';
/** The only branch of a repository without a remote. */
export const LOCAL_BRANCH = 'main';

/** An address in its parts: what may be shown, and what must not. */
export interface RepositoryAddress {
  /** Without credentials. */
  shown: string;
  /** `user:password` as it stands in the address; '' when there are none. */
  credentials: string;
}

/** The component that an internal address speaks of, or null when it is no internal address. */
export function parseLink(repo: string): { project: string; path: string } | null {
  if (!repo.toLowerCase().startsWith(LINK_SCHEME)) return null;
  const [project = '', ...path] = trimEndOf(repo.slice(LINK_SCHEME.length), '/').split('/');
  return { project, path: path.join('/') };
}

const URL_FORM = /^([a-z][a-z0-9+.-]*):\/\/(?:([^/?#]*)@)?([^/?#@]*)([/?#].*)?$/i;
// user@host:path as ssh and git take it; the path must not look like a port of a URL.
const SCP_FORM = /^(?:([^\s/@:]+)@)?([A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9a-f:]+\]):(?!\/\/)(\S+)$/i;

/**
 * What is wrong with the form of an address, or null. Which schemes and hosts are allowed is decided where it is fetched from.
 */
export function addressProblem(address: string): string | null {
  if (/[\s\p{Cc}]/u.test(address)) return 'A repository address has no spaces or control characters.';
  if (address.startsWith('-')) return 'A repository address does not begin with a dash.';
  // git reads this as the name of a helper program to run.
  if (/^[^/:]*::/.test(address)) return 'Addresses that name a helper program are not allowed.';
  const url = URL_FORM.exec(address);
  if (url) {
    const [, scheme, , host, rest = ''] = url;
    if (
      scheme!.toLowerCase() !== 'file' &&
      !/^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*)|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?$/.test(host!)
    )
      return 'The host of the repository address is not valid.';
    if (rest.split(/[/?#]/, 1)[0] === '' && rest.replace(/\//g, '') === '')
      return 'The repository address has no path.';
    return null;
  }
  if (SCP_FORM.test(address)) return null;
  return 'This is not a repository address: scheme://host/path or user@host:path is needed.';
}

/** Takes user and password out of web addresses and the password out of others (a login name belongs to an ssh address). */
export function splitCredentials(address: string): RepositoryAddress {
  const match = URL_FORM.exec(address);
  const [, scheme, user, host, rest = ''] = match ?? [];
  if (!match || !user) return { shown: address, credentials: '' };
  if (/^https?$/i.test(scheme!)) return { shown: `${scheme}://${host}${rest}`, credentials: user };
  if (!user.includes(':')) return { shown: address, credentials: '' };
  return { shown: `${scheme}://${user.slice(0, user.indexOf(':'))}@${host}${rest}`, credentials: user };
}

/** The address with its credentials again. */
export function joinCredentials({ shown, credentials }: RepositoryAddress): string {
  if (!credentials) return shown;
  return shown.replace(/^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@)?/i, (_, scheme: string) => `${scheme}${credentials}@`);
}

/** Host and path of an address, the same for all its forms (https, ssh, git, scp; with and without user, port and .git); '' when it has none. */
export function addressKey(address: string): string {
  const url = URL_FORM.exec(address);
  const scp = url ? null : SCP_FORM.exec(address);
  // A folder of this machine has no host, and needs none to be told apart.
  const local = url?.[1]?.toLowerCase() === 'file' ? 'localhost' : '';
  const host = (url?.[3] || scp?.[2] || local).toLowerCase().replace(/:\d+$/, '');
  const path = normalPath(url?.[4] ?? scp?.[3] ?? '');
  return host && path ? `${host}/${path}` : '';
}

function normalPath(path: string): string {
  const clean = path.split(/[?#]/, 1)[0]!.replace(/\/{2,}/g, '/');
  return trimEndOf(clean.replace(/^\/(?:~\/)?/, ''), '/')
    .replace(/\.git$/i, '')
    .toLowerCase();
}

/**
 * What hooks find a repository by: `u:` and the whole address in its normal form, `n:` and each ending of its path
 * (owner/name, group/owner/name ...).
 */
export function matchKeys(address: string): string[] {
  const key = addressKey(address);
  if (!key) return [];
  const segments = key.split('/').slice(1);
  return [`u:${key}`, ...segments.map((_, i) => `n:${segments.slice(i).join('/')}`)];
}

/** The keys that a hook's statements are looked up with. */
export function lookUpKeys(candidates: readonly string[], fullName: string): string[] {
  const keys = new Set<string>();
  for (const candidate of candidates) {
    const key = addressKey(splitCredentials(candidate).shown);
    if (key) keys.add(`u:${key}`);
  }
  const name = normalPath(fullName);
  if (name) keys.add(`n:${name}`);
  return [...keys];
}

/** What is wrong with the name of a branch, or null; the rules of git. */
export function branchProblem(branch: string): string | null {
  const bad =
    branch.startsWith('-') ||
    branch.startsWith('/') ||
    /\/\/|\.\.|@\{|[\s~^:?*[\\\p{Cc}]|[/.]$|(^|\/)\.|\.lock(\/|$)/u.test(branch) ||
    branch === '@';
  return bad ? 'This is not the name of a branch.' : null;
}
