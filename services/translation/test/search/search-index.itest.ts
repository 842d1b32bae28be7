import { evaluate, parseQuery, requiredTexts, type TextField } from '@parlance/search';
import { removeUnit, writeUnit } from '../../src/app/edit/write-units';
import { Action } from '../../src/domain/change';
import { emptyCounters } from '../../src/domain/counters';
import { SearchIndex } from '../../src/app/search/search-index';
import { SearchIndexer } from '../../src/app/search/search-indexer';
import type { UnitPatch } from '../../src/domain/ports';
import { BLOCK_SIZE } from '../../src/domain/search/postings';
import { allOf, inTranslation, type UnitQuery } from '../../src/domain/unit-query';
import { MongoSearchIndexStore } from '../../src/store/indexes/search-index-store';
import { silent } from '../support/process';
import { sampleTranslation, sampleUnit } from '../support/samples';
import { useDatabase } from '../support/store';

const database = useDatabase();
const FIELDS: ReadonlySet<TextField> = new Set<TextField>(['source', 'target', 'context']);

const WHOLE = { skip: 0, limit: 1_000_000 };
/** A translation besides those of a test. */
const OTHER = 99;

/** A replica: its stores, its index and its indexer. @param now clock of the indexer */
function replica(graceMs = 0, now = () => Date.now()) {
  const stores = database.stores(silent);
  const store = new MongoSearchIndexStore(database.models);
  const index = new SearchIndex(store, stores.units, stores.translations);
  const deps = { store, translations: stores.translations, now };
  // A new holder of the lease.
  const makeIndexer = () => new SearchIndexer(deps, { everyMs: 1_000, graceMs });
  return { ...stores, store, index, deps, makeIndexer };
}
type Replica = ReturnType<typeof replica>;

/** Takes the lease over from the last indexer. */
async function pass({ makeIndexer }: Pick<Replica, 'makeIndexer'>): Promise<void> {
  await database.models.searchState.collection.deleteOne({ _id: 'lease' as never });
  await makeIndexer().pass();
}

async function addTranslation(
  by: Replica,
  id: number,
  first: number,
  count: number,
  text = (n: number) => `Text ${n}`,
) {
  const translation = sampleTranslation(id, { project: id });
  const units = Array.from({ length: count }, (_, i) =>
    sampleUnit(translation, first + i, { source: [text(first + i)] }),
  );
  await by.units.insert(units);
  await by.translations.insert(translation);
  return translation;
}

/** Results by the index, which equal those of a scan; null: the index was not used. */
async function search(by: Replica, q: string, scope: number[] | null = null): Promise<number[] | null> {
  const query = parseQuery(q);
  const parts: UnitQuery[] = [{ kind: 'search', query, resolved: new Map() }];
  if (scope) parts.push({ kind: 'translations', ids: scope });
  const filter = allOf(...parts);
  const page = await by.index.page({
    required: requiredTexts(query, FIELDS),
    translations: scope && new Set(scope),
    query: filter,
    ...WHOLE,
  });
  const scanned = (await by.units.all(filter)).map(({ id }) => id).sort((a, b) => a - b);
  if (!page) return null;
  const found = page.items.map(({ id }) => id);
  expect([q, page.total]).toEqual([q, scanned.length]);
  expect([q, found]).toEqual([q, scanned]);
  return found;
}

async function edit(by: Replica, id: number, patch: UnitPatch): Promise<void> {
  const planned = { unit: (await by.units.get(id))!, patch, changes: [] };
  expect(await writeUnit(by, planned, { author: null, time: Date.now() })).toBe(true);
}

async function remove(by: Replica, id: number): Promise<void> {
  const unit = (await by.units.get(id))!;
  const change = {
    ...{ action: Action.stringRemoved, time: Date.now(), user: 0, author: '', target: '', old: '', details: {} },
    ...{ unit: id, translation: unit.translation, component: unit.component, project: unit.project, language: 'cs' },
  };
  expect(await removeUnit(by, { unit, change: change as never }, { author: null, time: Date.now() })).toBe(true);
}

beforeEach(async () => {
  for (const model of Object.values(database.models)) await model.collection.deleteMany({});
  // By its counters it has most strings, so that searches use the index beside marked translations.
  const { all, ...counters } = emptyCounters();
  const other = {
    ...sampleTranslation(OTHER, { project: OTHER }),
    counters: { ...counters, all: { ...all, s: 100_000 } },
  };
  await database.stores(silent).translations.insert(other);
});

it('Searches scan all strings until the index is built', async () => {
  const one = replica(3_600_000);
  await addTranslation(one, 1, 1_000, 20);
  await pass(one);
  expect(await search(one, 'text')).toBeNull();
  await pass(replica(0));
  expect(await search(one, '1017')).toEqual([1_017]);
  expect(await search(one, 'nowhere')).toEqual([]);
});

it('An indexer that is stopped lets another process go on at once', async () => {
  const [one, two] = [replica(), replica()];
  const [first, second] = [one.makeIndexer(), two.makeIndexer()];
  await first.pass();
  await addTranslation(one, 1, 1_000, 20);
  await second.pass();
  expect(await one.store.openTranslations()).toHaveLength(1);
  await first.stop();
  await second.pass();
  expect(await one.store.openTranslations()).toEqual([]);
});

it('A search finds every kind of write on the next request, in each replica, before and after it is indexed', async () => {
  const [one, two] = [replica(), replica()];
  await pass(one);
  await addTranslation(one, 1, 1_000, 30);
  await addTranslation(two, 2, BLOCK_SIZE + 5, 30);
  const both = async (q: string) => {
    const found = await search(one, q);
    expect(await search(two, q)).toEqual(found);
    return found;
  };
  for (const indexed of [false, true]) {
    if (indexed) await pass(two);
    expect(await both('text')).toHaveLength(60);
    expect(await both('1017')).toEqual([1_017]);
  }
  await edit(one, 1_003, { target: ['Žluťoučký kůň'] });
  await edit(two, BLOCK_SIZE + 6, { target: ['Kůň a straße'], source: ['Changed'] });
  await remove(two, 1_004);
  expect(await one.units.removeMany([1_005])).toBe(1);
  const added = sampleUnit(sampleTranslation(2, { project: 2 }), BLOCK_SIZE + 900, { source: ['New kůň'] });
  expect(await two.units.insertNew([added])).toEqual([]);
  for (const indexed of [false, true]) {
    if (indexed) await pass(one);
    expect(await both('kůň')).toEqual([1_003, BLOCK_SIZE + 6, BLOCK_SIZE + 900]);
    expect(await both('STRASSE')).toEqual([]);
    expect(await both('straße')).toEqual([BLOCK_SIZE + 6]);
    expect(await both('text')).toHaveLength(57);
    expect(await both('1004 OR 1005 OR 1006')).toEqual([1_006]);
    expect(await both('text AND NOT 1006 AND "ext 100"')).toHaveLength(7);
    expect(await both('target:kůň AND source:r"^Chan.ed$"')).toEqual([BLOCK_SIZE + 6]);
  }
  expect(await search(two, 'kůň', [2])).toEqual([BLOCK_SIZE + 6, BLOCK_SIZE + 900]);
  await two.units.removeOfTranslation({ id: 1, component: 1 });
  for (const indexed of [false, true]) {
    if (indexed) await pass(one);
    expect(await both('kůň')).toEqual([BLOCK_SIZE + 6, BLOCK_SIZE + 900]);
  }
  expect(await one.store.openTranslations()).toEqual([]);
  expect(await one.store.freshUnits(10)).toEqual([]);
});

it.each([
  ['is running', 0],
  ['was given up', 3_600_001],
])('Strings that an import left behind are removed with their component while the import %s', async (_, afterMs) => {
  const one = replica(0, () => Date.now() + afterMs);
  await pass(one);
  const left = sampleTranslation(1, { component: 1 });
  await one.units.insert([1_000, 1_001].map((id) => sampleUnit(left, id)));
  const other = sampleTranslation(2, { component: 2 });
  await one.units.insert([sampleUnit(other, 2_000)]);
  await pass(one);
  await pass(one);
  expect(await one.store.openTranslations()).toHaveLength(afterMs > 0 ? 0 : 2);
  // A new index needs them again.
  await one.store.beginBuild();
  expect(new Set((await one.store.openTranslations()).map((open) => open.translation))).toEqual(new Set([1, 2, OTHER]));
  await pass(one);
  await one.units.removeUnlisted(1);
  expect((await one.units.many([1_000, 1_001, 2_000])).map(({ id }) => id)).toEqual([2_000]);
});

it('A removal that was interrupted is completed with the removal of its component', async () => {
  const one = replica();
  await pass(one);
  const translation = await addTranslation(one, 1, 1_000, 3);
  await pass(one);
  await one.units.beginRemoval(translation);
  await one.translations.remove(translation.id);
  await pass(one);
  await one.units.removeUnlisted(translation.component);
  expect(await one.units.many([1_000, 1_001, 1_002])).toEqual([]);
  await pass(one);
  expect(await one.store.openTranslations()).toEqual([]);
});

it('Searches stay exact while replicas write and index at the same time', async () => {
  const [one, two] = [replica(), replica()];
  await pass(one);
  const words = ['save', 'file', 'open', 'straße', '日本語', 'kůň', 'Menu item'];
  const text = (n: number) => words.filter((_, i) => (n >> i) % 2 === 0).join(' ') || 'nothing';
  for (let id = 1; id <= 3; id++) await addTranslation(one, id, id * 10_000, 900, text);
  let over = false;
  const indexing = Promise.all(
    [one, two].map(async ({ makeIndexer }) => {
      const indexer = makeIndexer();
      // Without the lease, both write at the same time.
      while (!over) {
        await database.models.searchState.collection.deleteOne({ _id: 'lease' as never });
        await indexer.pass().catch((error: Error) => expect(error.message).toContain('written by another process'));
      }
    }),
  );
  const writer = async (by: Replica, from: number) => {
    let edited = 0;
    for (let n = 0; n < 40; n++) {
      const id = from + 10_000 * (1 + (n % 3)) + n;
      if (n % 5 !== 4) {
        await edit(by, id, { target: [text(n * 7)], ...(n % 2 ? { source: [text(n * 3)] } : {}) });
        edited = id;
        continue;
      }
      await remove(by, id);
      const unit = (await by.units.get(edited))!;
      for (const q of words.map((word) => `"${word}"`)) {
        const query = parseQuery(q);
        const filter: UnitQuery = { kind: 'search', query, resolved: new Map() };
        const required = requiredTexts(query, FIELDS);
        const page = (await by.index.page({ required, translations: null, query: filter, ...WHOLE }))!;
        const ids = page.items.map((found) => found.id);
        expect(ids).not.toContain(id);
        expect([q, ids.includes(edited)]).toEqual([
          q,
          evaluate(query, { source: unit.source, target: unit.target, state: 0 }),
        ]);
      }
    }
  };
  await Promise.all([writer(one, 0), writer(two, 400)]);
  over = true;
  await indexing;
  for (const q of [...words.map((word) => `"${word}"`), 'sav', 'file open', '本語', 'NOT save AND file', 'source:save'])
    for (const by of [one, two]) {
      await search(by, q);
      await search(by, q, [2]);
    }
  await pass(one);
  for (const q of words) expect(await search(one, `"${q}"`)).not.toBeNull();
});

it('A crash between postings and marks loses no write', async () => {
  const one = replica();
  await pass(one);
  await addTranslation(one, 1, 1_000, 20);
  const failing = {
    ...one.deps,
    store: Object.assign(Object.create(one.store) as MongoSearchIndexStore, {
      clearFresh: () => Promise.reject(new Error('crash')),
      clearOpen: () => Promise.reject(new Error('crash')),
    }),
  };
  const crashing = { makeIndexer: () => new SearchIndexer(failing, { everyMs: 1_000, graceMs: 0 }) };
  await expect(pass(crashing)).rejects.toThrow('crash');
  expect(await search(one, 'text')).toHaveLength(20);
  await pass(one);
  await edit(one, 1_001, { target: ['Kůň'] });
  await expect(pass(crashing)).rejects.toThrow('crash');
  expect(await search(one, 'kůň')).toEqual([1_001]);
  await edit(one, 1_001, { target: ['Pes'] });
  expect(await search(one, 'kůň')).toEqual([]);
  await pass(one);
  expect(await search(one, 'kůň')).toEqual([]);
  expect(await search(one, 'pes')).toEqual([1_001]);
});

it('A write during indexing stays marked', async () => {
  const one = replica();
  await pass(one);
  await addTranslation(one, 1, 1_000, 20);
  await pass(one);
  await edit(one, 1_001, { target: ['Kůň'] });
  const interrupted = {
    ...one.deps,
    store: Object.assign(Object.create(one.store) as MongoSearchIndexStore, {
      async freshTexts(limit: number) {
        const found = await one.store.freshTexts(limit);
        if (found.length > 0) await edit(one, 1_001, { target: ['Pes'] });
        return found;
      },
    }),
  };
  await pass({ makeIndexer: () => new SearchIndexer(interrupted, { everyMs: 1_000, graceMs: 0 }) });
  expect(await one.store.freshUnits(10)).toHaveLength(1);
  expect(await search(one, 'kůň')).toEqual([]);
  expect(await search(one, 'pes')).toEqual([1_001]);
});

it.each(['searchdocuments', 'searchblocks', 'searchstate'])(
  'Searches are exact after the loss of %s, and the index is built again',
  async (name) => {
    const one = replica();
    await pass(one);
    await addTranslation(one, 1, 1_000, 1_500);
    await pass(one);
    expect(await search(one, 'text')).toHaveLength(1_500);
    await database.models.units.db.collection(name).deleteMany({});
    expect(await search(replica(), 'text')).toBeNull();
    await pass(one);
    expect(await search(replica(), 'text')).toHaveLength(1_500);
    expect(await search(one, '1017')).toEqual([1_017]);
  },
);

it('A changed document of the index is detected', async () => {
  const one = replica();
  await pass(one);
  await addTranslation(one, 1, 1_000, 1_500);
  await pass(one);
  await database.models.searchDocuments.collection.updateMany({}, { $set: { sum: 0 } });
  expect(await search(one, 'text')).toBeNull();
  await pass(one);
  expect(await search(one, 'text')).toHaveLength(1_500);
});

it('Postings are rewritten without removed and former texts, and former documents are deleted', async () => {
  const one = replica();
  await pass(one);
  await addTranslation(one, 1, 1_000, 1_500);
  await pass(one);
  for (const id of [1_000, 1_400]) await edit(one, id, { source: ['Other'] });
  expect(await one.units.removeMany(Array.from({ length: 1_100 }, (_, i) => 1_001 + i))).toBe(1_100);
  await pass(one);
  const [block] = await one.store.blocks([0]);
  expect(block!.amendments).toEqual([]);
  expect(await search(one, 'text')).toHaveLength(399);
  expect(await search(one, 'other')).toEqual([1_000]);
  const before = await database.models.searchDocuments.countDocuments();
  await one.store.deleteGarbage(Date.now() + 1);
  expect(await database.models.searchDocuments.countDocuments()).toBeLessThan(before);
  expect(await search(replica(), 'text')).toHaveLength(399);
});

it('Pages of all strings are found by the index', async () => {
  const one = replica();
  await pass(one);
  await addTranslation(one, 1, 1_000, 50);
  await addTranslation(one, 2, 5_000, 50);
  await pass(one);
  await remove(one, 1_001);
  const all = { required: null, translations: null, query: allOf() };
  const page = (await one.index.page({ ...all, skip: 48, limit: 3 }))!;
  expect(page.total).toBe(99);
  expect(page.items.map(({ id }) => id)).toEqual([1_049, 5_000, 5_001]);
  const second = { required: null, translations: new Set([2]), query: inTranslation(2) };
  const inOne = await one.index.page({ ...second, skip: 49, limit: 10 });
  expect(inOne!.items.map(({ id }) => id)).toEqual([5_049]);
});
