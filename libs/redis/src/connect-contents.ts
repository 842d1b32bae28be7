import { logger } from '@parlance/telemetry';
import type { CertificateFiles } from '@parlance/tls';
import { connectRedis, redisDependency } from './connect';
import { ContentGenerations } from './content-generations';

/** Connects a process that uses Redis only for the generations of the contents that gateways keep replies about. */
export function connectContents(url: string, tlsFiles?: CertificateFiles) {
  const onError = (error: Error) => logger.warn({ err: error }, 'redis: connection failed, gateways keep no replies');
  const redis = connectRedis(url, onError, tlsFiles);
  return {
    contents: new ContentGenerations(redis),
    dependency: redisDependency(redis),
    close: () => redis.disconnect(),
  };
}
