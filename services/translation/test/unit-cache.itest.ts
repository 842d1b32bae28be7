import { engines } from '@parlance/testing';
import { createConnection, type Connection } from 'mongoose';
import { UnitCache } from '../src/app/unit-cache';
import { blankUnit } from '../src/app/file-entry';
import { emptyCounters } from '../src/domain/counters';
import type { Translation } from '../src/domain/translation';
import type { Unit } from '../src/domain/unit';
import { ensureIndexes, makeModels } from '../src/store/models';
import { MongoUnitStore } from '../src/store/unit-store';

let connection: Connection;
let store: MongoUnitStore;

beforeAll(async () => {
  const { mongoUri } = await engines();
  connection = await createConnection(mongoUri('cache')).asPromise();
  const models = makeModels(connection);
  await ensureIndexes(models);
  store = new MongoUnitStore(models.units);
});
afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

const language = { id: 1, code: 'cs', name: 'Czech', direction: 'ltr', pluralNumber: 3, pluralFormula: '0' };
const translation: Translation = {
  id: 1,
  component: 1,
  project: 1,
  language,
  fileLanguageCode: 'cs',
  filename: 'cs.po',
  revision: '',
  isTemplate: false,
  isSource: false,
  counters: emptyCounters(),
  version: 1,
};
const unit = (id: number): Unit => ({
  ...blankUnit(
    translation,
    {
      key: String(id),
      context: '',
      source: [`Text ${id}`],
      target: [''],
      state: 0,
      note: '',
      location: '',
      flags: '',
      previousSource: [],
    },
    id,
    1,
  ),
  position: id,
});

it('answers what a full read would, whatever was written in between', async () => {
  await store.insert(Array.from({ length: 20 }, (_, i) => unit(i + 1)));
  const reads = { full: 0 };
  const cache = new UnitCache({
    ofTranslation: (id) => (reads.full++, store.ofTranslation(id)),
    many: (ids) => store.many(ids),
    versions: (id) => store.versions(id),
  });
  const byId = (units: Unit[]) => [...units].sort((a, b) => a.id - b.id);
  const same = async () => expect(byId(await cache.ofTranslation(1))).toEqual(byId(await store.ofTranslation(1)));
  await same();
  await store.write({ unit: 3, version: 1, patch: { target: ['tři'], state: 20 } });
  await same();
  await store.removeMany([5]);
  await same();
  await store.insert([unit(21)]);
  await same();
  await store.shift(1, 18, 21, 7);
  await same();
  expect(reads.full).toBe(1);
  await store.shift(1, 1, 21, 1);
  await same();
  expect(reads.full).toBe(2);
});
