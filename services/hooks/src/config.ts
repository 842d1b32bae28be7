import {
  address,
  commonSettings,
  encryptionSettings,
  engineTlsFiles,
  flag,
  integer,
  loadConfig,
  mongoSettings,
  tlsFiles,
  z,
} from '@parlance/config';
import type { ComposeOptions } from './compose';

const settings = z.object({
  ...commonSettings,
  ...mongoSettings,
  ...encryptionSettings,
  /** gRPC address of the catalog, which maps repositories to components. */
  CATALOG_ADDRESS: address(),
  /** gRPC address of the translation service, whose history outbound webhooks send. */
  TRANSLATION_ADDRESS: address(),
  /** Replicas of each event stream in a NATS cluster. */
  NATS_REPLICAS: integer({ min: 1, max: 5, default: 1 }),
  /** Whether git hosts may announce pushes. */
  PARLANCE_HOOKS_ENABLED: flag(true),
  /** Seconds within which triggers of a component share one entry in its history; vcs-worker merges their pulls. */
  PARLANCE_HOOK_MERGE_SECONDS: integer({ min: 0, max: 3600, default: 2 }),
  /** Maximum webhooks of a project, and of the site. */
  PARLANCE_MAX_WEBHOOKS: integer({ min: 1, max: 10_000, default: 100 }),
  /** Whether outbound webhooks may reach private addresses. */
  PARLANCE_ALLOW_PRIVATE_REMOTES: flag(false),
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
  encryptionKey: config.PARLANCE_ENCRYPTION_KEY,
  catalogAddress: config.CATALOG_ADDRESS,
  translationAddress: config.TRANSLATION_ADDRESS,
  hooksEnabled: config.PARLANCE_HOOKS_ENABLED,
  mergeMs: config.PARLANCE_HOOK_MERGE_SECONDS * 1000,
  maxWebhooks: config.PARLANCE_MAX_WEBHOOKS,
  allowPrivate: config.PARLANCE_ALLOW_PRIVATE_REMOTES,
});
