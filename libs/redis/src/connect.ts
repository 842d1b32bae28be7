import { Redis } from 'ioredis';

export type { Redis };

/**
 * Connects to Redis. Losing Redis only costs caches and rate-limit windows, so commands fail at once while it is away
 * instead of waiting, and the connection comes back by itself.
 */
export function connectRedis(url: string, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    connectTimeout: 3000,
    commandTimeout: 2000,
    lazyConnect: false,
    retryStrategy: (attempt) => Math.min(100 * attempt, 2000),
  });
  redis.on('error', onError);
  return redis;
}
