import { commonSettings, engineTlsFiles, integer, loadConfig, mongoSettings, tlsFiles, z } from '@parlance/config';
import type { ComposeOptions } from './compose';

const settings = z.object({
  ...commonSettings,
  ...mongoSettings,
  /** Replicas of each event stream in a NATS cluster. */
  NATS_REPLICAS: integer({ min: 1, max: 5, default: 1 }),
});

export type Config = z.infer<typeof settings>;

/** @throws ConfigError naming every wrong variable */
export const readConfig = (): Config => loadConfig(settings);

export const composeOptions = (config: Config): ComposeOptions => ({
  mongodbUri: config.MONGODB_URI,
  queryTimeoutMs: config.PARLANCE_QUERY_TIMEOUT_MS,
  natsUrl: config.NATS_URL,
  natsReplicas: config.NATS_REPLICAS,
  natsNamespace: config.NATS_NAMESPACE,
  grpcListen: config.GRPC_LISTEN,
  serviceSecret: config.PARLANCE_SERVICE_SECRET,
  tls: tlsFiles(config),
  engineTls: engineTlsFiles(config),
});
