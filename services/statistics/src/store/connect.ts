import { connectMongo, ensureIndexes, type Mongo } from '@parlance/store-kit';
import { makeModels, type Models } from './models';

/** A connected store. */
export interface Store extends Pick<Mongo, 'ping' | 'dependency'> {
  models: Models;
  close: () => Promise<void>;
}

/** Connects and makes collections and indexes that are not there yet. */
export async function connectStore(uri: string, queryTimeoutMs?: number): Promise<Store> {
  const { connection, ping, dependency } = await connectMongo(uri, {
    maxPoolSize: 10,
    autoIndex: false,
    autoCreate: false,
    ...(queryTimeoutMs === undefined ? {} : { queryTimeoutMs }),
  });
  const models = makeModels(connection);
  await ensureIndexes(models);
  return { models, ping, dependency, close: () => connection.close() };
}
