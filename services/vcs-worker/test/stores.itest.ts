import { connectMongo, ensureIndexes } from '@parlance/store-kit';
import { engines } from '@parlance/testing';
import type { Connection } from 'mongoose';
import { MongoComponentIndex, MongoWorkerStore } from '../src/store/component-index';
import { makeModels } from '../src/store/models';
import { MongoRepositoryStore } from '../src/store/repository-store';
import { MongoTaskStore } from '../src/store/task-store';
import { storeContract } from './support/store-contract';
import { uncached } from './support/uncached';

describe('the stores on MongoDB', () => {
  let connection: Connection;

  storeContract(async () => {
    connection = (await connectMongo((await engines()).mongoUri('stores'), { autoIndex: false })).connection;
    const models = makeModels(connection);
    await ensureIndexes(models);
    return {
      repositories: new MongoRepositoryStore(models, uncached),
      workers: new MongoWorkerStore(models),
      index: new MongoComponentIndex(models, uncached),
      tasks: new MongoTaskStore(models),
    };
  });

  afterAll(async () => {
    await connection.dropDatabase();
    await connection.close();
  });
});
