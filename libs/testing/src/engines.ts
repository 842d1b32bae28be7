import { randomBytes } from 'node:crypto';

/** Environment variables with the addresses of the engines. */
export const variables = ['MONGODB_URI', 'NATS_URL', 'REDIS_URL', 'S3_ENDPOINT'] as const;

/** Real engines for a test file, shared with the other files of the run; `namespace` keeps their data apart. */
export interface Engines {
  /** Prefix of shared streams and keys: lower-case letters and digits, unique per test file. */
  namespace: string;
  /** Address of a database of this test file. */
  mongoUri(name?: string): string;
  natsUrl: string;
  redisUrl: string;
  /** An S3 endpoint. `bucket` is a unique name of a bucket that does not exist yet. */
  s3: { endpoint: string; accessKey: string; secretKey: string; region: string; bucket: string };
}

const namespace = `t${randomBytes(5).toString('hex')}`;

function required(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(
      `${name} is not set: integration tests run as "jest --selectProjects integration", which starts the engines`,
    );
  return value;
}

/** The engines of this run. @throws Error if the run was started without them. */
export async function engines(): Promise<Engines> {
  const server = required('MONGODB_URI');
  return {
    namespace,
    mongoUri: (name = '') => {
      const [, address, query = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]*)[^?]*(\?.*)?$/.exec(server) ?? [];
      return `${address}/${namespace}${name && `_${name}`}${query}`;
    },
    natsUrl: required('NATS_URL'),
    redisUrl: required('REDIS_URL'),
    s3: {
      endpoint: required('S3_ENDPOINT'),
      accessKey: required('S3_ACCESS_KEY'),
      secretKey: required('S3_SECRET_KEY'),
      region: process.env['S3_REGION'] ?? 'us-east-1',
      bucket: `${namespace}-bucket`,
    },
  };
}
