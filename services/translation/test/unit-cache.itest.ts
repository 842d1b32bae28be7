import { UnitCache } from '../src/app/unit-cache';
import type { Unit } from '../src/domain/unit';
import { MongoUnitStore } from '../src/store/unit-store';
import { sampleTranslation, sampleUnit } from './support/samples';
import { useDatabase } from './support/store';

const database = useDatabase();
const unit = (id: number): Unit => sampleUnit(sampleTranslation(1), id);

it('answers what a full read would, whatever was written in between', async () => {
  const store = new MongoUnitStore(database.models.units);
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
