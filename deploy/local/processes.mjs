// The processes of the product and their environment.
import { fileURLToPath } from 'node:url';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { databaseUri } from '../engines/engines.mjs';

/**
 * entry: its program below the root; database: its own; memory: of its heap, in MB, at most (the idle use is far below);
 * young: of the heap's part for new objects, which a process that only waits for others can do with little of.
 */
export const processes = {
  identity: { entry: 'services/identity/dist/main.js', database: 'parlance_identity', memory: 512, young: 4 },
  catalog: { entry: 'services/catalog/dist/main.js', database: 'parlance_catalog', memory: 512, young: 4 },
  translation: {
    entry: 'services/translation/dist/main.js',
    database: 'parlance_translation',
    memory: 2048,
    young: 16,
  },
  'vcs-worker': { entry: 'services/vcs-worker/dist/main.js', database: 'parlance_vcs_worker', memory: 1024, young: 8 },
  media: { entry: 'services/media/dist/main.js', database: 'parlance_media', memory: 512, young: 4 },
  statistics: { entry: 'services/statistics/dist/main.js', database: 'parlance_statistics', memory: 512, young: 4 },
  hooks: { entry: 'services/hooks/dist/main.js', database: 'parlance_hooks', memory: 512, young: 4 },
  gateway: { entry: 'gateway/dist/main.js', memory: 1024, young: 16 },
};

/** Default time limit for running requests after SIGTERM, in seconds. */
export const DRAIN_SECONDS = 5;

const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));

/** Hosts under which a listen address of the public API is reachable. The gateway always accepts loopback addresses. */
export function hostsOf(listen) {
  const host = listen.slice(0, listen.lastIndexOf(':'));
  if (host !== '0.0.0.0' && host !== '[::]') return [host];
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return [
    ...[hostname()].filter((name) => /^\w[\w.-]*\w$/.test(name)),
    ...addresses
      .filter(({ internal, scopeid }) => !internal && !scopeid)
      .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
  ];
}

/** Replicas of one kind of process, at most, on one machine. */
const MAX_REPLICAS = 8;

/**
 * How many replicas of each process to run.
 * @param {string} text `2` for all of them, or `translation=2,gateway=3`; empty: one of each
 * @returns {Record<string, number>}
 * @throws {Error} that names what is wrong
 */
export function readReplicas(text) {
  const counts = Object.fromEntries(Object.keys(processes).map((name) => [name, 1]));
  const wrong = (why) =>
    new Error(
      `--replicas ${JSON.stringify(text)}: ${why}. Give a number for all, or PROCESS=NUMBER separated by commas.`,
    );
  const count = (digits) => {
    const number = Number(digits);
    if (!/^\d+$/.test(digits) || number < 1 || number > MAX_REPLICAS)
      throw wrong(`${JSON.stringify(digits)} is not a whole number from 1 to ${MAX_REPLICAS}`);
    return number;
  };
  if (/^\d+$/.test(text)) return Object.fromEntries(Object.keys(counts).map((name) => [name, count(text)]));
  for (const item of text.split(',').filter(Boolean)) {
    const [name, digits = ''] = item.split('=');
    if (!Object.hasOwn(counts, name)) throw wrong(`there is no process ${JSON.stringify(name)}`);
    counts[name] = count(digits);
  }
  return counts;
}

/**
 * The processes to run, by member name: `translation`, `translation-2`, ...
 * @param {Record<string, number>} replicas
 * @returns {Record<string, {kind: string, replica: number, entry: string}>}
 */
export function membersOf(replicas) {
  return Object.fromEntries(
    Object.entries(processes).flatMap(([kind, { entry }]) =>
      Array.from({ length: replicas[kind] }, (_, i) => [
        i === 0 ? kind : `${kind}-${i + 1}`,
        { kind, replica: i + 1, entry },
      ]),
    ),
  );
}

/** TRANSLATION_ADDRESS and the like. */
const addressVariable = (name) => `${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`;

/** Adds the front proxy to the proxies that the gateways trust. */
function trusted(proxies) {
  if (!proxies) return '127.0.0.1';
  return /^\d+$/.test(proxies) ? String(Number(proxies) + 1) : `${proxies},127.0.0.1`;
}

/**
 * The environment of every process.
 *
 * Other variables of the caller (limits, log level, telemetry) are passed on unchanged.
 *
 * @param {object} options
 * @param {Record<string, { kind: string }>} options.members as membersOf returns them
 * @param {Record<string, string>} options.grpc host:port by member
 * @param {Record<string, string>} options.operations host:port by member
 * @param {Record<string, string>} options.engines addresses as provideEngines returns them
 * @param {{ service: string, encryption: string }} options.secrets
 * @param {string} options.listen host:port of the public API
 * @param {Record<string, string>} [options.gateways] host:port by member, if a front proxy listens on `listen`
 * @param {string} options.url public URL
 * @param {Record<string, string>} options.workDirs folders of the clones by member
 */
export function environments({ members, grpc, operations, engines, secrets, listen, gateways, url, workDirs }) {
  const addresses = Object.fromEntries(
    Object.keys(processes).map((kind) => [
      addressVariable(kind),
      Object.keys(grpc)
        .filter((name) => members[name].kind === kind)
        .map((name) => grpc[name])
        .join(','),
    ]),
  );
  const all = Object.entries(members).map(([name, { kind }]) => {
    const { database, memory, young } = processes[kind];
    return [
      name,
      {
        ...process.env,
        NODE_ENV: 'production',
        // By default, glibc reserves a mostly unused arena per thread.
        MALLOC_ARENA_MAX: '2',
        NODE_OPTIONS:
          `${process.env.NODE_OPTIONS ?? ''} --max-old-space-size=${memory} --max-semi-space-size=${young}`.trim(),
        // Caches compiled code between starts (Node.js 22 and newer).
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(cache, 'compiled'),
        ...engines,
        ...addresses,
        ...(database ? { MONGODB_URI: databaseUri(engines.MONGODB_URI, database) } : {}),
        ...(grpc[name] ? { GRPC_LISTEN: grpc[name] } : {}),
        OPERATIONS_LISTEN: operations[name],
        GATEWAY_LISTEN: gateways?.[name] ?? listen,
        ...(gateways ? { PARLANCE_TRUSTED_PROXIES: trusted(process.env.PARLANCE_TRUSTED_PROXIES) } : {}),
        S3_BUCKET: process.env.S3_BUCKET || 'parlance',
        S3_REGION: process.env.S3_REGION || 'us-east-1',
        PARLANCE_SERVICE_SECRET: secrets.service,
        PARLANCE_ENCRYPTION_KEY: secrets.encryption,
        PARLANCE_ALLOWED_HOSTS: process.env.PARLANCE_ALLOWED_HOSTS || hostsOf(listen).join(','),
        PARLANCE_ALLOW_PRIVATE_REMOTES: process.env.PARLANCE_ALLOW_PRIVATE_REMOTES || 'true',
        ...(workDirs[name] ? { PARLANCE_WORK_DIR: workDirs[name] } : {}),
        // Callers stop sending to a process when its connections end: it needs no longer to drain.
        PARLANCE_DRAIN_SECONDS: process.env.PARLANCE_DRAIN_SECONDS || String(DRAIN_SECONDS),
        // The gateway uses the host of each request; mails and commit messages have no request to derive it from.
        ...(kind === 'gateway' || process.env.PARLANCE_PUBLIC_URL
          ? {}
          : { PARLANCE_PUBLIC_URL: url.replace(/\/$/, '') }),
      },
    ];
  });
  return Object.fromEntries(all);
}
