import type { CertificateFiles } from '@parlance/tls';
import { connectMongo, type Mongo } from './connect';
import { ensureIndexes } from './indexes';
import type { Migration } from './migrations/migration';

/** A service's database with its models. */
export interface Store<M> extends Pick<Mongo, 'connection' | 'ping' | 'dependency'> {
  models: M;
  close: () => Promise<void>;
}

/**
 * Connects to a service's database and creates missing collections and indexes.
 * @param options.poolSize connections at most; default 10
 * @param options.queryTimeoutMs time limit of reading queries; see `limitQueries`
 * @param options.migrations all migrations of the service in their order
 * @param options.engineTls certificates for servers with TLS
 */
export async function openStore<M extends Parameters<typeof ensureIndexes>[0]>(
  uri: string,
  makeModels: (connection: Mongo['connection']) => M,
  options: {
    poolSize?: number;
    queryTimeoutMs?: number | undefined;
    migrations?: readonly Migration[];
    engineTls?: CertificateFiles | undefined;
  } = {},
): Promise<Store<M>> {
  const { connection, ping, dependency } = await connectMongo(uri, {
    maxPoolSize: options.poolSize ?? 10,
    autoIndex: false,
    autoCreate: false,
    engineTls: options.engineTls,
    ...(options.migrations === undefined ? {} : { migrations: options.migrations }),
    ...(options.queryTimeoutMs === undefined ? {} : { queryTimeoutMs: options.queryTimeoutMs }),
  });
  const models = makeModels(connection);
  await ensureIndexes(models);
  return { models, connection, ping, dependency, close: () => connection.close() };
}
