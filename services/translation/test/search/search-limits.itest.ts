import { connectMongo, inBulk, withQueryLimits } from '@parlance/store-kit';
import { engines } from '@parlance/testing';
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { runSearch, SearchBudget } from '../../src/app/search/search-budget';
import { allOf, everyUnit, type UnitQuery } from '../../src/domain/unit-query';
import { makeModels } from '../../src/store/models';
import { MongoUnitStore } from '../../src/store/units/unit-store';
import { sampleTranslation, sampleUnit } from '../support/samples';

const LIMIT_MS = 250;
const UNITS = 12_000;
/** Takes polynomial time in the regular expression engine of every store, and matches no unit. */
const HOSTILE: UnitQuery = {
  kind: 'search',
  query: { type: 'text', fields: ['source'], match: { kind: 'regex', value: '[^a]*[^b]*[^c]*[xyz]{3}' } },
  resolved: new Map(),
};
const firstIds = (most: number): UnitQuery => ({ kind: 'ids', ids: Array.from({ length: most }, (_, id) => id) });
const budget = new SearchBudget({ total: 1, perCaller: 1, lingerMs: LIMIT_MS });
let connection: Connection;
let units: MongoUnitStore;

beforeAll(async () => {
  const { mongoUri } = await engines();
  connection = (await connectMongo(mongoUri(`t${randomUUID().slice(0, 8)}`), { queryTimeoutMs: LIMIT_MS })).connection;
  const models = makeModels(connection);
  units = new MongoUnitStore(models.units, models.searchOpen);
  const source = ['word '.repeat(60)];
  await units.insert(Array.from({ length: UNITS }, (_, i) => sampleUnit(sampleTranslation(1), i + 1, { source })));
});
afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

const caller = (signal = new AbortController().signal) => ({ key: 'user:1', signal });
const hostile = () => units.page(HOSTILE, 1, 10, { count: 'before' });

it('The store cancels a search at its time limit, and the error reports it', async () => {
  await expect(runSearch(budget, caller(), true, hostile)).rejects.toMatchObject({ reason: 'DEADLINE_EXCEEDED' });
  await expect(runSearch(budget, caller(), false, hostile)).rejects.toMatchObject({ reason: 'DEADLINE_EXCEEDED' });
  await expect(units.idsOf(HOSTILE)).rejects.toMatchObject({ code: 50 });
  await expect(units.all(HOSTILE)).rejects.toMatchObject({ code: 50 });
});

it('Bulk queries and reads of whole translations may exceed the time limit of searches', async () => {
  for (let [most, took] = [5, 0]; took <= LIMIT_MS; most *= 2) {
    const begun = performance.now();
    expect(await inBulk(() => units.idsOf(allOf(firstIds(most), HOSTILE)))).toEqual([]);
    took = performance.now() - begun;
  }
  expect(await units.ofTranslation(1)).toHaveLength(UNITS);
});

it('A search is cancelled when its caller disconnects, and the next search starts', async () => {
  const control = new AbortController();
  let queries = 0;
  const left = runSearch(budget, caller(control.signal), true, async () => {
    const slow = withQueryLimits({ maxTimeMs: 10_000 }, hostile);
    queries++;
    control.abort();
    await slow.catch(() => undefined);
    await units.page(everyUnit, 1, 10);
    queries++;
  });
  await expect(left).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  expect(queries).toBe(1);
  const next = () => withQueryLimits({ maxTimeMs: 60_000 }, () => units.page(everyUnit, 1, 10, { count: 'before' }));
  expect((await runSearch(budget, caller(), true, next)).total).toBe(UNITS);
});
