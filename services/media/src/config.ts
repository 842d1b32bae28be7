import {
  address,
  commonSettings,
  engineTlsFiles,
  flag,
  integer,
  loadConfig,
  mongoSettings,
  redisSettings,
  tlsFiles,
  z,
} from '@parlance/config';
import type { ComposeOptions } from './compose';

const settings = z.object({
  ...commonSettings,
  ...mongoSettings,
  ...redisSettings,
  /** gRPC address of the catalog, which owns components and their access. */
  CATALOG_ADDRESS: address(),
  /** gRPC address of the translation service, which owns translations and strings. */
  TRANSLATION_ADDRESS: address(),
  /** Replicas of each event stream in a NATS cluster. */
  NATS_REPLICAS: integer({ min: 1, max: 5, default: 1 }),
  /** Object store with the S3 protocol. */
  S3_ENDPOINT: z.string('must be set').regex(/^https?:\/\/[^/]+\/?$/, 'must be http(s)://host[:port]'),
  S3_ACCESS_KEY: z.string('must be set'),
  S3_SECRET_KEY: z.string('must be set'),
  S3_REGION: z.string().default('us-east-1'),
  /** Bucket for images; created if it does not exist. */
  S3_BUCKET: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'must be a bucket name: 3 to 63 small letters, digits, dots and dashes',
    )
    .default('parlance-media'),
  /** The bucket is part of the host name instead of the path, as Amazon requires. */
  S3_VIRTUAL_HOSTS: flag(false),
});

export type Config = z.infer<typeof settings>;

/** @throws ConfigError naming every wrong variable */
export const readConfig = (): Config => loadConfig(settings);

export const composeOptions = (config: Config): ComposeOptions => ({
  mongodbUri: config.MONGODB_URI,
  queryTimeoutMs: config.PARLANCE_QUERY_TIMEOUT_MS,
  redisUrl: config.REDIS_URL,
  natsUrl: config.NATS_URL,
  natsReplicas: config.NATS_REPLICAS,
  natsNamespace: config.NATS_NAMESPACE,
  grpcListen: config.GRPC_LISTEN,
  serviceSecret: config.PARLANCE_SERVICE_SECRET,
  tls: tlsFiles(config),
  engineTls: engineTlsFiles(config),
  catalogAddress: config.CATALOG_ADDRESS,
  translationAddress: config.TRANSLATION_ADDRESS,
  s3: {
    endpoint: config.S3_ENDPOINT,
    accessKey: config.S3_ACCESS_KEY,
    secretKey: config.S3_SECRET_KEY,
    region: config.S3_REGION,
    bucket: config.S3_BUCKET,
    virtualHosts: config.S3_VIRTUAL_HOSTS,
    engineTls: engineTlsFiles(config),
  },
});
