import { isIP } from 'node:net';
import { request as httpsRequest } from 'node:https';
import type { EnvironmentAddition } from './environment';
import { GitError } from './errors';
import { formatRemoteUrl, parseRemoteUrl, pinnedAddresses, type RemotePolicy, type RemoteUrl } from './remote-url';

/** How ssh proves who it is and knows hosts. */
export interface SshOptions {
  /** Private key file; absent: the keys of the user that the process runs as. */
  keyFile?: string;
  /** File in which host keys are remembered. A host's key is trusted the first time and must stay the same from then on. */
  knownHostsFile: string;
}

/** A checked address with everything that git needs to reach exactly the host that was checked. */
export interface Connection {
  url: RemoteUrl;
  environment: EnvironmentAddition;
  secrets: string[];
}

const SSH_CONNECT_SECONDS = 20;
const MAX_REDIRECTS = 5;
const REDIRECT_TIMEOUT_MS = 20_000;

/** The name of the remote in settings that come with each command; nothing about remotes is stored on disk. */
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
    // The checked number is dialled; the host's key is still the one known under its name.
    ...(address === undefined ? [] : [`HostName=${address}`, `HostKeyAlias=${url.host}`]),
    ...(ssh.keyFile === undefined ? [] : [`IdentityFile=${ssh.keyFile}`, 'IdentitiesOnly=yes']),
  ];
  return ['ssh', '-F', '/dev/null', ...options.flatMap((option) => ['-o', quoted(option)])].join(' ');
}

/**
 * Checks an address against the policy and prepares git's way to it: name resolved once, all its addresses checked, and git
 * pinned to them, so that neither another answer of the name service nor a redirect leads elsewhere.
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
 * Where an https address leads when its host answers with a redirect (a renamed repository). Git itself follows none.
 * Every step is checked like an address that a user gives, and never leaves https.
 * @param ask finds out where one address leads; null when it leads nowhere else
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
    // Credentials stay with the host they were given for.
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
