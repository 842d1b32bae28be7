import { SecretBox } from '@parlance/secrets';
import { engines } from '@parlance/testing';
import { mongo, Schema } from 'mongoose';
import { connectMongo, splitDocuments, StoreBackup, type BackupRules, type Mongo } from '@parlance/store-kit';

const rules: BackupRules = {
  things: { copied: true, inProgress: () => [{ busy: true }] },
  seeds: { copied: true, initial: 2, inProgress: () => [{ busy: true }], backlog: true },
  beats: { copied: false, because: 'Heartbeats.' },
  index: { copied: false, because: 'Built from the things.', derived: true },
};

let source: Mongo;
let target: Mongo;

beforeAll(async () => {
  const all = await engines();
  source = await connectMongo(all.mongoUri('backup_source'));
  target = await connectMongo(all.mongoUri('backup_target'));
});
afterEach(async () => {
  for (const { connection } of [source, target])
    for (const name of [...Object.keys(rules), 'backup_state', 'other'])
      await connection.db!.dropCollection(name).catch(() => undefined);
});
afterAll(async () => {
  for (const { connection } of [source, target]) await connection.close(true);
});

const things = ({ connection }: Mongo) => connection.db!.collection<{ _id: number | string }>('things');

async function dumped(backup: StoreBackup, name = 'things'): Promise<string[]> {
  const found: Buffer[] = [];
  for await (const batch of backup.dump(name)) found.push(...splitDocuments(batch));
  return found.map((document) => document.toString('base64')).sort();
}

describe('a dump of a store', () => {
  it('a dump loads into another store with the BSON types of all values, in batches', async () => {
    await things(source).insertMany(
      Array.from({ length: 2_500 }, (_, i) => ({ _id: i, text: 'x'.repeat(500), nested: [{ n: i }] })),
    );
    await things(source).insertOne({
      _id: 'types',
      double: new mongo.Double(5),
      long: mongo.Long.fromString('9007199254740993'),
      int: new mongo.Int32(5),
      bytes: new mongo.Binary(Buffer.from([1, 2])),
      time: new Date(5),
      nothing: null,
      empty: {},
    } as never);
    const from = new StoreBackup(source.connection, rules);
    const to = new StoreBackup(target.connection, rules);
    let batches = 0;
    async function* counted() {
      for await (const batch of from.dump('things')) {
        batches++;
        yield batch;
      }
    }
    await to.beginLoad('b1');
    expect(await to.load('things', counted())).toBe(2_501);
    expect(batches).toBeGreaterThan(1);
    expect(await dumped(to)).toEqual(await dumped(from));
  });

  it('a load replaces documents that the running service has made itself since its beginning', async () => {
    const from = new StoreBackup(source.connection, rules);
    const to = new StoreBackup(target.connection, rules);
    await things(source).insertMany([6, 7, 8].map((id) => ({ _id: id, count: mongo.Long.fromNumber(id) }) as never));
    await to.beginLoad('b1');
    await things(target).insertOne({ _id: 7, text: 'made by periodic work' } as never);
    expect(await to.load('things', from.dump('things'))).toBe(3);
    expect(await dumped(to)).toEqual(await dumped(from));
  });

  it('a load that broke off is remembered, and the next one begins with an empty store', async () => {
    const to = new StoreBackup(target.connection, rules);
    await to.beginLoad('b1');
    await things(target).insertOne({ _id: 1 });
    expect(await to.loading()).toBe('b1');
    await to.beginLoad('b2');
    expect(await things(target).countDocuments()).toBe(0);
    await to.finishLoad();
    expect(await to.loading()).toBe('');
  });

  it('a load empties derived collections, and keeps those of the running installation', async () => {
    const to = new StoreBackup(target.connection, rules);
    await to.beginLoad('b1');
    for (const name of ['index', 'beats']) await target.connection.db!.collection(name).insertOne({ of: 'before' });
    await to.finishLoad();
    expect(await target.connection.db!.collection('index').countDocuments()).toBe(0);
    expect(await target.connection.db!.collection('beats').countDocuments()).toBe(1);
  });

  it('damaged documents are refused', async () => {
    const to = new StoreBackup(target.connection, rules);
    async function* damaged() {
      yield await Promise.resolve(Buffer.from([9, 0, 0, 0, 1]));
    }
    await expect(to.load('things', damaged())).rejects.toThrow('damaged');
  });

  it('collections that are not copied can be neither read nor written', async () => {
    const backup = new StoreBackup(source.connection, rules);
    await expect(dumped(backup, 'beats')).rejects.toThrow('not copied');
    await expect(dumped(backup, 'constructor')).rejects.toThrow('not copied');
  });
});

describe('the state of a store', () => {
  it('the state of a store names filled collections and writes in progress', async () => {
    const backup = new StoreBackup(source.connection, rules);
    const filled = async () => (await backup.collections()).filter((each) => each.filled).map(({ name }) => name);
    await source.connection.db!.collection('seeds').insertMany([{}, {}]);
    expect(await filled()).toEqual([]);
    expect(await backup.activity()).toEqual({ activity: [], backlog: [] });
    await source.connection.db!.collection('seeds').insertOne({});
    await things(source).insertOne({ _id: 1, busy: true } as never);
    expect(await filled()).toEqual(['things', 'seeds']);
    await source.connection.db!.collection('seeds').updateOne({}, { $set: { busy: true } });
    const { _id } = (await source.connection.db!.collection('seeds').findOne({ busy: true }))!;
    expect(await backup.activity()).toEqual({ activity: ['things', 'seeds'], backlog: [`seeds ${_id.toHexString()}`] });
  });

  it('a collection without a rule stops the service and the backup', async () => {
    await source.connection.db!.collection('other').insertOne({});
    await expect(new StoreBackup(source.connection, rules).collections()).rejects.toThrow('other');
    const model = source.connection.model('Forgotten', new Schema({}, { collection: 'forgotten' }));
    expect(() => new StoreBackup(source.connection, rules)).toThrow('forgotten');
    source.connection.deleteModel(model.modelName);
  });

  it('one holder has the lease until it releases it or it expires', async () => {
    const backup = new StoreBackup(source.connection, rules);
    expect(await backup.holdLease('a', 60_000)).toBe(true);
    expect(await backup.holdLease('b', 60_000)).toBe(false);
    expect(await backup.holdLease('a', -1)).toBe(true);
    expect(await backup.holdLease('b', 60_000)).toBe(true);
    await backup.releaseLease('a');
    expect(await backup.holdLease('a', 60_000)).toBe(false);
    await backup.releaseLease('b');
    expect(await backup.holdLease('a', 60_000)).toBe(true);
  });

  it('equal keys have equal fingerprints, which do not contain the key', () => {
    const key = Buffer.alloc(32, 1).toString('base64');
    const of = (given?: string) =>
      new StoreBackup(source.connection, rules, given === undefined ? undefined : new SecretBox(given)).keyFingerprint;
    expect(of(key)).toBe(of(key));
    expect(of(key)).not.toBe(of(Buffer.alloc(32, 2).toString('base64')));
    expect(of(key)).toMatch(/^[0-9a-f]{16}$/);
    expect(of()).toBe('');
  });
});
