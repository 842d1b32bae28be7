import { runProcess } from '@parlance/telemetry';
import { connectRedis, redisDependency } from '../../src';

/** A process whose Redis client connects through RELAY_URL, while the watchdog's probe goes straight to REDIS_URL. */
void runProcess({
  name: 'watched',
  readConfig: () => ({
    OPERATIONS_LISTEN: '127.0.0.1:0',
    PARLANCE_DRAIN_SECONDS: 60,
    PARLANCE_WATCHDOG_SECONDS: 1,
  }),
  compose: async () => {
    const client = redisDependency(connectRedis(process.env['RELAY_URL']!, () => undefined));
    const { probe } = redisDependency(connectRedis(process.env['REDIS_URL']!, () => undefined));
    return {
      ready: { redis: client.check },
      dependencies: { redis: { ...client, probe } },
      // A stuck client would also keep an orderly stop from ending.
      drain: () => new Promise<void>(() => undefined),
      close: async () => undefined,
    };
  },
});
