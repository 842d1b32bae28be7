import { connectMongo, insertUnique, type Mongo } from '@parlance/store-kit';
import { engines } from '@parlance/testing';

interface Item {
  _id: string;
  key: number;
}

const WRITERS = 2;
const KEYS = Array.from({ length: 8 }, (_, key) => key);
let mongo: Mongo;

beforeAll(async () => {
  mongo = await connectMongo((await engines()).mongoUri('deadlocks'), { maxPoolSize: 2 * WRITERS });
});
afterAll(() => mongo.connection.close(true));

/** An empty collection with a unique index on `key`. */
async function collectionOf(name: string) {
  const collection = mongo.connection.collection<Item>(name);
  await collection.createIndex({ key: 1 }, { unique: true });
  return collection;
}

/** Runs the work of several writers at once, half of them with the keys in reverse, which makes them wait for each other. */
const concurrently = (work: (writer: number, keys: readonly number[]) => Promise<unknown>) =>
  Promise.all(Array.from({ length: WRITERS }, (_, i) => work(i, i % 2 === 0 ? KEYS : KEYS.toReversed())));

describe('concurrent writers of a unique index', () => {
  it('concurrent bulk inserts of the same values insert each value once', async () => {
    for (let round = 0; round < 4; round++) {
      const collection = await collectionOf(`inserted-${round}`);
      await concurrently((writer, keys) =>
        insertUnique(
          collection as never,
          keys.map((key) => ({ _id: `${writer}:${key}`, key })),
        ),
      );
      expect(await collection.distinct('key')).toHaveLength(KEYS.length);
      expect(await collection.countDocuments()).toBe(KEYS.length);
    }
  });
});
