import { engineTlsFiles } from '@parlance/config';
import { ownCaller, readMaintenance } from '@parlance/grpc-kit';
import { connectRedis, redisDependency } from '@parlance/redis';
import { logger, Readiness, splitListen, type RunningProcess } from '@parlance/telemetry';
import { createServer } from 'node:http';
import { makeApp } from './app';
import { makeClients } from './clients';
import type { Config } from './config';
import { Directory } from './directory/directory';
import { endpoints } from './endpoints';
import { describeResponses } from './openapi/responses';
import { BodyBudgets } from './bodies/body-reader';
import { limitConnectionAge } from './connection-age';
import { ConnectionDrainer } from './connection-drainer';
import { AllowedHosts } from './middleware/hosts';
import { Throttle } from './limits/throttle';

/** Durations since SIGTERM, and the shares of PARLANCE_DRAIN_SECONDS that they may take; running requests have the rest. */
const ACCEPT = { ms: 5_000, share: 0.25 };
const IDLE = { ms: 12_000, share: 0.6 };

/** Age of a connection, in milliseconds: a new gateway has its share of connections after this time. */
const CONNECTION_AGE_MS = 9_000;

/** A running gateway and the port it listens on. */
export interface Gateway extends RunningProcess {
  port: number;
  /** Bytes of request bodies in memory. */
  bodyBytes: () => number;
}

export async function compose(config: Config): Promise<Gateway> {
  const clients = makeClients(config);
  const onRedisError = (error: Error) => logger.warn({ err: error }, 'Redis connection failed');
  const redis = connectRedis(config.REDIS_URL, onRedisError, engineTlsFiles(config));
  const redisConnection = redisDependency(redis);
  const own = ownCaller('gateway', config.PARLANCE_SERVICE_SECRET);
  const directory = new Directory(clients, own, config.PARLANCE_SERVICE_SECRET);
  const maintenance = readMaintenance(clients.catalog, own);
  const ready = {
    identity: () => clients.identity.connected(),
    catalog: () => clients.catalog.connected(),
    translation: () => clients.translation.connected(),
  };
  // Without Redis, limits and cache generations are unavailable, but requests are served.
  const optional = { redis: redisConnection.check };
  const readiness = new Readiness(ready, { optional });
  const bodies = new BodyBudgets(config.PARLANCE_BODY_MEMORY_BYTES, config.PARLANCE_BODY_DISK_BYTES, {
    maxBody: config.PARLANCE_MAX_BODY_BYTES,
    maxUpload: config.PARLANCE_MAX_UPLOAD_BYTES,
    patienceMs: config.PARLANCE_BODY_TIMEOUT_SECONDS * 1000,
  });
  const hosts = new AllowedHosts(config.PARLANCE_ALLOWED_HOSTS, config.PARLANCE_PUBLIC_URL);
  const throttle = new Throttle(redis, config);
  // Computed before the first request, because it blocks the event loop.
  describeResponses(endpoints);
  const app = makeApp({ config, clients, directory, throttle, maintenance, bodies, hosts, readiness, endpoints });
  const server = createServer(
    { requestTimeout: 600_000, headersTimeout: 30_000, maxHeaderSize: 65_536, keepAliveTimeout: 65_000 },
    app,
  );
  limitConnectionAge(server, CONNECTION_AGE_MS);
  const drainer = new ConnectionDrainer(server);
  // Without this listener, Node sends 100 Continue to every client before any check of the request.
  server.on('checkContinue', app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(splitListen(config.GATEWAY_LISTEN), resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  logger.info({ port }, 'gateway listens');
  return {
    port,
    bodyBytes: () => bodies.used,
    ready,
    optional,
    dependencies: { redis: redisConnection },
    async drain() {
      readiness.drain();
      const within = ({ ms, share }: typeof ACCEPT): number =>
        Math.min(ms, config.PARLANCE_DRAIN_SECONDS * 1000 * share);
      await drainer.drain({ acceptMs: within(ACCEPT), idleMs: within(IDLE) });
    },
    async close() {
      for (const client of Object.values(clients)) client.close();
      redis.disconnect();
    },
  };
}
