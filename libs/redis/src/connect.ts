import { EngineUnavailableError, histogram, secondsSince, startClientSpan, type Dependency } from '@parlance/telemetry';
import { engineTls, type CertificateFiles } from '@parlance/tls';
import { Redis, type Command } from 'ioredis';

export type { Redis };

/** Longest delay between attempts to connect, in milliseconds. */
const LONGEST_RETRY_MS = 1000;

/**
 * Connects to Redis. Redis holds only caches and rate-limit windows, so commands fail without delay during an outage
 * and the client reconnects in the background.
 * @param tlsFiles for addresses with `rediss://`
 */
export function connectRedis(url: string, onError: (error: Error) => void, tlsFiles?: CertificateFiles): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    connectTimeout: 3000,
    commandTimeout: 2000,
    lazyConnect: false,
    retryStrategy: (attempt) => Math.min(100 * attempt, LONGEST_RETRY_MS),
    // The option alone would make the client use TLS.
    ...(tlsFiles && url.startsWith('rediss:') ? { tls: { secureContext: engineTls(tlsFiles).secureContext } } : {}),
  });
  redis.on('error', (error: Error & { command?: unknown }) => {
    // The rejected command of a wrong credential is the one that contains it, and logs show all fields of an error.
    delete error.command;
    onError(error);
  });
  measure(redis);
  return redis;
}

const seconds = histogram('parlance_redis_command_duration_seconds');

/** Measures and traces every command, from its call to its reply. Keys and values are left out: they can hold secrets. */
function measure(redis: Redis): void {
  const sendCommand = redis.sendCommand.bind(redis);
  const { host, port } = redis.options;
  const server = {
    'db.system.name': 'redis',
    ...(host === undefined ? {} : { 'server.address': host }),
    ...(port === undefined ? {} : { 'server.port': port }),
  };
  redis.sendCommand = (...args) => {
    const [{ name: command, promise }]: [Command, ...unknown[]] = args;
    const startedAt = performance.now();
    const endSpan = startClientSpan(command, { ...server, 'db.operation.name': command });
    const end = (outcome: string, error?: unknown) => {
      seconds.observe({ command, outcome }, secondsSince(startedAt));
      endSpan(error);
    };
    (promise as Promise<unknown>).then(
      () => end('ok'),
      (error: unknown) => end('failed', error),
    );
    return sendCommand(...args);
  };
}

const answers = async (redis: Redis): Promise<boolean> => {
  const reply: string = await redis.ping();
  return reply === 'PONG';
};

/** The connection for readiness and the watchdog. Without a connection, `check` rejects at once: there is no offline queue. */
export function redisDependency(redis: Redis): Dependency {
  return {
    check: () =>
      answers(redis).catch((error: unknown) => {
        throw new EngineUnavailableError('Redis is unavailable', error);
      }),
    async probe() {
      const other = redis.duplicate({ lazyConnect: true, retryStrategy: () => null, enableOfflineQueue: true });
      // A failed connection rejects the command as well.
      other.on('error', () => undefined);
      try {
        return await answers(other);
      } finally {
        other.disconnect();
      }
    },
    async reconnect() {
      if (redis.status === 'end') return redis.connect();
      redis.disconnect(true);
    },
  };
}
