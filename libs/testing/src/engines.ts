import { randomBytes } from 'node:crypto';

/** Where the addresses of the engines are handed over. */
export const variables = ['MONGODB_URI', 'NATS_URL', 'REDIS_URL', 'S3_ENDPOINT'] as const;

/** Real engines for a test file, shared with the other files of the run; `namespace` keeps their data apart. */
export interface Engines {
  /** Lower-case letters and digits, another one in every test file: prefix of streams, keys and whatever else is shared. */
  namespace: string;
  /** Address of a database that only this test file has. */
  mongoUri(name?: string): string;
  natsUrl: string;
  redisUrl: string;
  /** An S3 endpoint; `bucket` is a name that only this test file has, of a bucket that is not there yet. */
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

/** The engines of this run. @throws Error where the run was started without them. */
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
