import { isIP } from 'node:net';
import { request as httpsRequest } from 'node:https';
import type { EnvironmentAddition } from '../process/environment';
import { GitError } from '../errors';
import { formatRemoteUrl, parseRemoteUrl, pinnedAddresses, type RemotePolicy, type RemoteUrl } from './remote-url';

/** Credentials and known hosts of ssh. */
export interface SshOptions {
  /** Private key file; absent: the keys of the process's user. */
  keyFile?: string;
  /** File with known host keys. A host's key is trusted on first use and must not change afterwards. */
  knownHostsFile: string;
}

/** A checked address and the settings that pin git to the checked host. */
export interface Connection {
  url: RemoteUrl;
  environment: EnvironmentAddition;
  secrets: string[];
}

const SSH_CONNECT_SECONDS = 20;
const MAX_REDIRECTS = 5;
const REDIRECT_TIMEOUT_MS = 20_000;

/** Name of the remote in the settings of each command. Settings of remotes are never stored on disk. */
export const REMOTE = 'origin';

const quoted = (text: string) => `'${text.replace(/'/g, `'\\''`)}'`;

function sshCommand(url: RemoteUrl, address: string | undefined, ssh: SshOptions): string {
  const options = [
    'BatchMode=yes',
    'StrictHostKeyChecking=accept-new',
    `UserKnownHostsFile=${ssh.knownHostsFile}`,
    `ConnectTimeout=${SSH_CONNECT_SECONDS}`,
    'ServerAliveInterval=15',
    'ProxyCommand=none',
    'PermitLocalCommand=no',
    'ForwardAgent=no',
    // ssh connects to the checked address and looks up the host key by name.
    ...(address === undefined ? [] : [`HostName=${address}`, `HostKeyAlias=${url.host}`]),
    ...(ssh.keyFile === undefined ? [] : [`IdentityFile=${ssh.keyFile}`, 'IdentitiesOnly=yes']),
  ];
  return ['ssh', '-F', '/dev/null', ...options.flatMap((option) => ['-o', quoted(option)])].join(' ');
}

/**
 * Checks an address against the policy and pins git to it. The name is resolved once and all its addresses are checked, so
 * neither DNS rebinding nor a redirect can lead elsewhere.
 * @throws GitError refused, unreachable
 */
export async function connect(text: string, policy: RemotePolicy, ssh: SshOptions): Promise<Connection> {
  const url = parseRemoteUrl(text, policy);
  const addresses = url.protocol === 'file' ? null : await pinnedAddresses(url.host, policy);
  const secrets = [url.password, encodeURIComponent(url.password)].filter((secret) => secret !== '');
  const proxied =
    addresses !== null &&
    url.protocol === 'https' &&
    (process.env['https_proxy'] ?? process.env['HTTPS_PROXY'] ?? process.env['ALL_PROXY'] ?? '') !== '';
  const settings: [string, string][] = [];
  const environment: EnvironmentAddition = { protocol: url.protocol, settings };
  let host = url.host;
  if (url.protocol === 'ssh') environment.sshCommand = sshCommand(url, addresses?.[0], ssh);
  else if (addresses && url.protocol === 'git') {
    host = addresses[0]!;
    environment.virtualHost = url.port === undefined ? url.host : `${url.host}:${url.port}`;
  } else if (addresses && !proxied) {
    const list = addresses.map((address) => (isIP(address) === 6 ? `[${address}]` : address)).join(',');
    settings.push(['http.curloptResolve', `${url.host}:${url.port ?? 443}:${list}`]);
  }
  settings.push([`remote.${REMOTE}.url`, formatRemoteUrl(url, host)]);
  return { url, environment, secrets };
}

/**
 * Follows the redirects of an https address (a renamed repository), because git is configured not to.
 * Every step is checked like an address of a user and must stay on https.
 * @param ask requests the redirect target of one address; null: no redirect
 * @returns the final address, or null when the host does not redirect
 */
export async function redirectTarget(
  text: string,
  policy: RemotePolicy,
  signal?: AbortSignal,
  ask = locationOf,
): Promise<string | null> {
  let current = parseRemoteUrl(text, policy);
  let moved = false;
  for (let step = 0; step < MAX_REDIRECTS; step++) {
    if (current.protocol !== 'https') return null;
    const location = await ask(current, policy, signal);
    if (location === null) return moved ? formatRemoteUrl(current) : null;
    const suffix = '/info/refs';
    const target = new URL(location, formatRemoteUrl({ ...current, user: '', password: '' }));
    if (!target.pathname.endsWith(suffix)) return null;
    const next = parseRemoteUrl(
      `${target.protocol}//${target.host}${target.pathname.slice(0, -suffix.length)}`,
      policy,
    );
    if (next.protocol !== 'https') throw new GitError('refused', 'The host redirects to an address that is not https.');
    // Credentials must not reach another host.
    const same = next.host === current.host && (next.port ?? 443) === (current.port ?? 443);
    current = same ? { ...next, user: current.user, password: current.password } : next;
    moved = true;
  }
  throw new GitError('unreachable', 'The host redirects too often.');
}

async function locationOf(
  url: RemoteUrl,
  policy: RemotePolicy,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const addresses = await pinnedAddresses(url.host, policy);
  return new Promise((resolve, reject) => {
    const call = httpsRequest(
      {
        host: url.host,
        port: url.port ?? 443,
        path: `${url.path.replace(/\/$/, '')}/info/refs?service=git-upload-pack`,
        method: 'GET',
        headers: { 'user-agent': 'git/parlance' },
        timeout: REDIRECT_TIMEOUT_MS,
        ...(signal ? { signal } : {}),
        ...(addresses
          ? {
              lookup: (_host, options, callback) => {
                const list = addresses.map((address) => ({ address, family: isIP(address) }));
                if (options.all) callback(null, list);
                else callback(null, list[0]!.address, list[0]!.family);
              },
            }
          : {}),
      },
      (response) => {
        response.destroy();
        const status = response.statusCode ?? 0;
        resolve(status >= 300 && status < 400 ? (response.headers.location ?? null) : null);
      },
    );
    call.on('timeout', () => call.destroy(new Error('timeout')));
    call.on('error', (error) =>
      reject(new GitError('unreachable', `The host ${url.host} cannot be reached.`, { cause: error })),
    );
    call.end();
  });
}
