import { ensureIndexes, limitQueries } from '@parlance/store-kit';
import mongoose from 'mongoose';
import { makeModels, type Models } from './models';

/** A connected store. */
export interface Store {
  models: Models;
  /** Whether the database answers. */
  ping: () => Promise<boolean>;
  close: () => Promise<void>;
}

/** Connects and makes collections and indexes that are not there yet. */
export async function connectStore(uri: string, queryTimeoutMs?: number): Promise<Store> {
  const connection = await mongoose
    .createConnection(uri, { maxPoolSize: 10, autoIndex: false, autoCreate: false, serverSelectionTimeoutMS: 10_000 })
    .asPromise();
  limitQueries(connection, queryTimeoutMs);
  const models = makeModels(connection);
  await ensureIndexes(models);
  return {
    models,
    ping: async () => (await connection.db?.admin().ping())?.['ok'] === 1,
    close: () => connection.close(),
  };
}
