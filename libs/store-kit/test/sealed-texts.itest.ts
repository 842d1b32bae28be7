import { SecretBox } from '@parlance/secrets';
import { engines } from '@parlance/testing';
import { connectMongo, StoreBackup, type BackupRules, type Mongo } from '@parlance/store-kit';
import { randomBytes } from 'node:crypto';

const rules: BackupRules = {
  sealed_things: { copied: true, sealed: ['secret', 'factors.*.secret', 'services.*'] },
};
const key = () => randomBytes(32).toString('base64');
const [older, newer, lost] = [key(), key(), key()];
const old = new SecretBox(older);
const both = new SecretBox(`${newer},${older}`);
const fresh = new SecretBox(newer);

let mongo: Mongo;

beforeAll(async () => {
  mongo = await connectMongo((await engines()).mongoUri('sealed_texts'));
});
afterEach(() => things().deleteMany({}));
afterAll(() => mongo.connection.close(true));

interface Thing {
  _id: number;
  secret: string | null;
  factors?: { name: string; secret: string }[];
  services?: Record<string, string | number>;
}
const things = () => mongo.connection.db!.collection<Thing>('sealed_things');
const sealed = () => new StoreBackup(mongo.connection, rules, both).sealed!;

describe('sealed texts of a store', () => {
  it('sealed texts are counted by key, resealed with the current key, and keep their content and that of other fields', async () => {
    await things().insertMany([
      {
        _id: 1,
        secret: old.seal('one'),
        factors: [
          { name: 'v1.a', secret: old.seal('two') },
          { name: 'b', secret: '' },
        ],
      },
      {
        _id: 2,
        secret: fresh.seal('three'),
        services: { deepl: old.seal('four'), url: 'https://example.org', limit: 3 },
      },
      { _id: 3, secret: '' },
      { _id: 4, secret: null },
    ]);
    const [current, previous] = both.fingerprints;
    expect(await sealed().count()).toEqual({
      keys: [
        { key: current, count: 1 },
        { key: previous, count: 3 },
      ],
      unreadable: 0,
    });
    expect(await sealed().reseal()).toEqual({ resealed: 3, more: false });
    expect(await sealed().reseal()).toEqual({ resealed: 0, more: false });
    const [one, two, three, four] = await things().find().sort({ _id: 1 }).toArray();
    expect(fresh.open(one!.secret!)).toBe('one');
    expect(one!.factors).toEqual([
      { name: 'v1.a', secret: expect.any(String) },
      { name: 'b', secret: '' },
    ]);
    expect(fresh.open(one!.factors![0]!.secret)).toBe('two');
    expect(fresh.open(two!.secret!)).toBe('three');
    expect(two!.services).toEqual({ deepl: expect.any(String), url: 'https://example.org', limit: 3 });
    expect(fresh.open(String(two!.services!['deepl']))).toBe('four');
    expect([three, four]).toEqual([
      { _id: 3, secret: '' },
      { _id: 4, secret: null },
    ]);
  });

  it('texts of a lost key are reported and stay as they are', async () => {
    const secret = new SecretBox(lost).seal('lost');
    await things().insertOne({ _id: 1, secret });
    expect(await sealed().count()).toMatchObject({ unreadable: 1 });
    expect(await sealed().reseal()).toEqual({ resealed: 0, more: false });
    expect((await things().findOne({ _id: 1 }))!.secret).toBe(secret);
  });

  it('more than one batch is replaced by several calls', async () => {
    await things().insertMany(Array.from({ length: 700 }, (_, i) => ({ _id: i, secret: old.seal(String(i)) })));
    expect(await sealed().reseal()).toEqual({ resealed: 500, more: true });
    expect(await sealed().reseal()).toEqual({ resealed: 200, more: false });
    for await (const { _id, secret } of things().find()) expect(fresh.open(secret!)).toBe(String(_id));
  });

  it('a text that is changed during the replacement keeps the change', async () => {
    await things().insertMany(Array.from({ length: 300 }, (_, i) => ({ _id: i, secret: old.seal('before') })));
    const changing = (async () => {
      for (let i = 299; i >= 0; i--) await things().updateOne({ _id: i }, { $set: { secret: old.seal('after') } });
    })();
    await Promise.all([changing, sealed().reseal()]);
    for await (const { secret } of things().find()) expect(both.open(secret!)).toBe('after');
  });
});
