// Waits until the engines that the environment names accept connections. Until then a file has the reason, for the startup probe.
import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { argv, env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const PAUSE_MS = 1000;
const CONNECT_MS = 3000;
/** The log repeats an unchanged reason after this time, in milliseconds. */
const REPEAT_MS = 60_000;

/** Engines without which a process does not start. Redis is no such: processes run without it. */
const engines = [
  { variable: 'MONGODB_URI', title: 'MongoDB', port: 27017 },
  { variable: 'NATS_URL', title: 'NATS', port: 4222 },
  // The chart gives the address to all processes, and the credential to the one that uses it.
  { variable: 'S3_ENDPOINT', title: 'The S3 store', needs: 'S3_SECRET_KEY' },
];
const HTTP_PORTS = { http: 80, https: 443 };

/**
 * The host:port pairs of an address, without credentials; none for `mongodb+srv://`, whose hosts only DNS knows.
 *
 * @param {string} address
 * @param {number} [port] the default; not needed for HTTP
 */
export function hostsOf(address, port) {
  const [, scheme] = /^(mongodb|nats|tls|https?):\/\//.exec(address) ?? [];
  if (!scheme) return [];
  // Further servers of a NATS address may have a scheme and credentials of their own.
  const servers = address.split('?', 1)[0].split(',');
  return servers.map((server) => {
    const [host] = server
      .replace(/^\w+:\/\//, '')
      .replace(/^.*@/, '')
      .split('/');
    const [, name, own] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host) ?? [undefined, host];
    return { host: name.replace(/^\[|\]$/g, ''), port: Number(own ?? HTTP_PORTS[scheme] ?? port) };
  });
}

/** Undefined, or why a server does not accept connections. */
const reasonOf = ({ host, port }) =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const end = (reason) => {
      socket.destroy();
      resolve(reason && `${host}:${port} ${reason}`);
    };
    socket.on('connect', () => end(undefined));
    socket.on('timeout', () => end(`does not answer within ${CONNECT_MS / 1000} s`));
    socket.on('error', (/** @type {NodeJS.ErrnoException} */ error) => end(`fails with ${error.code}`));
  });

/** What is missing, as a sentence; undefined if each engine has a server that accepts connections. */
export async function missing(environment) {
  const reasons = await Promise.all(
    engines.map(async ({ variable, title, port, needs }) => {
      const hosts = needs && !environment[needs] ? [] : hostsOf(environment[variable] ?? '', port);
      const failures = await Promise.all(hosts.map(reasonOf));
      return failures.length > 0 && failures.every(Boolean) ? `${title} is unavailable: ${failures.join(', ')}` : '';
    }),
  );
  return reasons.filter(Boolean).join('; ') || undefined;
}

async function main(file) {
  let last = '';
  for (let logged = 0; ; await sleep(PAUSE_MS)) {
    const reason = await missing(env);
    if (!reason) break;
    if (reason !== last || Date.now() - logged > REPEAT_MS) {
      logged = Date.now();
      const line = { level: 'warn', time: new Date(logged).toISOString(), msg: `waiting to start: ${reason}` };
      process.stdout.write(`${JSON.stringify(line)}\n`);
    }
    if (reason !== last) writeFileSync(file, `Waiting to start: ${reason}\n`);
    last = reason;
  }
  rmSync(file, { force: true });
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) void main(argv[2]);
