import { trimEndOf } from '@parlance/patterns';
/** Scheme of addresses that share the repository of another component. */
export const LINK_SCHEME = 'parlance://';
/** The address of a component without a remote. */
export const LOCAL_REPOSITORY = 'local:';
/** The only branch of a repository without a remote. */
export const LOCAL_BRANCH = 'main';

/** An address, split into its public part and its credentials. */
export interface RepositoryAddress {
  /** Without credentials. */
  shown: string;
  /** `user:password` as in the address; '' for none. */
  credentials: string;
}

/** The component named by an internal address, or null for other addresses. */
export function parseLink(repo: string): { project: string; path: string } | null {
  if (!repo.toLowerCase().startsWith(LINK_SCHEME)) return null;
  const [project = '', ...path] = trimEndOf(repo.slice(LINK_SCHEME.length), '/').split('/');
  return { project, path: path.join('/') };
}

const URL_FORM = /^([a-z][a-z0-9+.-]*):\/\/(?:([^/?#]*)@)?([^/?#@]*)([/?#].*)?$/i;
// user@host:path as ssh and git accept it; the path must not look like a port of a URL.
const SCP_FORM = /^(?:([^\s/@:]+)@)?([A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9a-f:]+\]):(?!\/\/)(\S+)$/i;

/** Problem of an address's syntax, or null. vcs-worker decides which schemes and hosts are allowed. */
export function addressProblem(address: string): string | null {
  if (/[\s\p{Cc}]/u.test(address)) return 'A repository address must not contain spaces or control characters.';
  if (address.startsWith('-')) return 'A repository address must not start with a dash.';
  // git interprets this as the name of a remote helper to run.
  if (/^[^/:]*::/.test(address)) return 'Addresses with a remote helper are not allowed.';
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
  return 'A repository address must have the form scheme://host/path or user@host:path.';
}

/** Removes user and password from web addresses and the password from others (a user name belongs to an ssh address). */
export function splitCredentials(address: string): RepositoryAddress {
  const match = URL_FORM.exec(address);
  const [, scheme, user, host, rest = ''] = match ?? [];
  if (!match || !user) return { shown: address, credentials: '' };
  if (/^https?$/i.test(scheme!)) return { shown: `${scheme}://${host}${rest}`, credentials: user };
  if (!user.includes(':')) return { shown: address, credentials: '' };
  return { shown: `${scheme}://${user.slice(0, user.indexOf(':'))}@${host}${rest}`, credentials: user };
}

/** Restores the credentials of an address. */
export function joinCredentials({ shown, credentials }: RepositoryAddress): string {
  if (!credentials) return shown;
  return shown.replace(/^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@)?/i, (_, scheme: string) => `${scheme}${credentials}@`);
}

/**
 * Host and path of an address, equal for all its forms (https, ssh, git, scp; with and without user, port and .git); '' for none.
 */
export function addressKey(address: string): string {
  const url = URL_FORM.exec(address);
  const scp = url ? null : SCP_FORM.exec(address);
  // A local folder has no host.
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
 * Keys for hooks to find a repository: `u:` and the whole normalized address, `n:` and each suffix of its path
 * (owner/name, group/owner/name ...).
 */
export function matchKeys(address: string): string[] {
  const key = addressKey(address);
  if (!key) return [];
  const segments = key.split('/').slice(1);
  return [`u:${key}`, ...segments.map((_, i) => `n:${segments.slice(i).join('/')}`)];
}

/** Keys to look up the repository of a hook. */
export function lookupKeys(candidates: readonly string[], fullName: string): string[] {
  const keys = new Set<string>();
  for (const candidate of candidates) {
    const key = addressKey(splitCredentials(candidate).shown);
    if (key) keys.add(`u:${key}`);
  }
  const name = normalPath(fullName);
  if (name) keys.add(`n:${name}`);
  return [...keys];
}

/** Problem of a branch name by the rules of git, or null. */
export function branchProblem(branch: string): string | null {
  const bad =
    branch.startsWith('-') ||
    branch.startsWith('/') ||
    /\/\/|\.\.|@\{|[\s~^:?*[\\\p{Cc}]|[/.]$|(^|\/)\.|\.lock(\/|$)/u.test(branch) ||
    branch === '@';
  return bad ? 'This is not a valid branch name.' : null;
}
