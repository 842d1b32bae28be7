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

/** TRANSLATION_ADDRESS and the like. */
const addressVariable = (name) => `${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`;

/**
 * The environment of every process.
 *
 * grpc, operations: host:port by process; engines: addresses as provideEngines gives them; secrets: {service, encryption};
 * listen: host:port of the public API; url: where people find it; workDir: of the clones. Other variables of the caller (limits, log level, telemetry) are passed on unchanged.
 */
export function environments({ grpc, operations, engines, secrets, listen, url, workDir }) {
  const addresses = Object.fromEntries(Object.entries(grpc).map(([name, address]) => [addressVariable(name), address]));
  const all = Object.entries(processes).map(([name, { database, memory, young }]) => [
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
      GATEWAY_LISTEN: listen,
      S3_BUCKET: process.env.S3_BUCKET || 'parlance',
      S3_REGION: process.env.S3_REGION || 'us-east-1',
      PARLANCE_SERVICE_SECRET: secrets.service,
      PARLANCE_ENCRYPTION_KEY: secrets.encryption,
      PARLANCE_ALLOWED_HOSTS: process.env.PARLANCE_ALLOWED_HOSTS || hostsOf(listen).join(','),
      PARLANCE_ALLOW_PRIVATE_REMOTES: process.env.PARLANCE_ALLOW_PRIVATE_REMOTES || 'true',
      PARLANCE_WORK_DIR: workDir,
      // There is one process of each kind, so a draining process needs no delay for others to take over.
      PARLANCE_DRAIN_SECONDS: process.env.PARLANCE_DRAIN_SECONDS || String(DRAIN_SECONDS),
      // The gateway names the host that each request names; mails and commit messages have no request to derive it from.
      ...(name === 'gateway' || process.env.PARLANCE_PUBLIC_URL ? {} : { PARLANCE_PUBLIC_URL: url.replace(/\/$/, '') }),
    },
  ]);
  return Object.fromEntries(all);
}
