import { metricsText } from '@parlance/telemetry';
import { lookupsDuring } from '@parlance/testing';
import { searchDeps } from '../../../test/support/memory/indexes/search-lookups';
import { MemorySearchIndexStore } from '../../../test/support/memory/indexes/search-index-store';
import { fieldsOf, reasonOf, StringsWorld } from '../../../test/support/memory/world';
import type { PageOptions, TranslationFilter } from '../../domain/ports';
import { emptyCounters } from '../../domain/counters';
import { everyUnit, type UnitQuery } from '../../domain/unit-query';
import { UnitCache } from '../caches/unit-cache';
import { CachedSearch } from './cached-search';
import { streamUnits, UnitLister, type ListUnitsRequest } from './list-units';
import { SearchBudget } from './search-budget';
import { SearchIndex } from './search-index';
import { SearchIndexer } from './search-indexer';
import { UnitSearch } from './unit-search';

const caller = (key = 'user:3') => ({ key, signal: new AbortController().signal });

/** Components 1 of project 1 and 2 of project 2, with a Czech translation (11, 21) each, and an empty search index. */
async function start() {
  const world = new StringsWorld();
  world.component(1);
  const { source, czech } = world.component(2, { project: 2 });
  world.translations.put({ ...source, project: 2 }, { ...czech, project: 2 });
  world.string(1, 7, 'Open the file');
  world.string(1, 8, 'Close the window');
  world.string(2, 9, 'Open the window', { project: 2 }, { project: 2 });
  const index = new MemorySearchIndexStore();
  /** Options of the pages that the store scanned for. */
  const scans: (PageOptions | undefined)[] = [];
  const deps = {
    ...world.deps,
    units: {
      get: (id: number) => world.units.get(id),
      many: (ids: readonly number[]) => world.units.many(ids),
      pageVersions: (query: UnitQuery, page: number, size: number) => world.units.pageVersions(query, page, size),
      page: (query: UnitQuery, page: number, size: number, options?: PageOptions) => {
        scans.push(options);
        return world.units.page(query, page, size);
      },
      pageAfter: (query: UnitQuery, after: number, size: number) => world.units.pageAfter(query, after, size),
    },
    translations: {
      get: (id: number) => world.translations.get(id),
      ids: (filters: readonly TranslationFilter[]) => world.translations.ids(filters),
      sumGroups: (filters: readonly TranslationFilter[]) => world.translations.sumGroups(filters),
    },
    search: new UnitSearch(searchDeps(world).deps),
    searchBudget: new SearchBudget({ total: 1, perCaller: 1, lingerMs: 0 }),
    searchIndex: new SearchIndex(index, world.units, world.translations),
    cachedSearch: new CachedSearch(new UnitCache(world.units)),
  };
  const lister = new UnitLister(deps);
  const list = (more: Partial<ListUnitsRequest> = {}) =>
    lister.list({
      page: 1,
      size: 10,
      translation: 0,
      q: '',
      excludedComponents: [],
      excludedProjects: [],
      projects: [],
      generation: '',
      sourceUnit: 0,
      knownVersion: 0,
      knownUnits: [],
      caller: caller(),
      ...more,
    });
  const idsOf = async (more: Partial<ListUnitsRequest>) => (await list(more)).items.map(({ id }) => id);
  /** Indexes all strings as they are, of translations with more strings than the store would scan. */
  const buildIndex = async () => {
    for (const translation of await world.translations.many([11, 21])) {
      const counters = { ...emptyCounters(), all: { s: 4_001, w: 0, c: 0 } };
      world.translations.put({ ...translation, counters });
    }
    for (const { id, translation, source } of await world.units.all(everyUnit))
      index.write(id, translation, source[0]!);
    const options = { everyMs: 1_000, graceMs: 0 };
    await new SearchIndexer({ store: index, translations: world.translations, now: () => 1 }, options).pass();
  };
  /** Writes a unit and the new version of its translation, as an edit does. */
  const edit = async (id: number, text: string) => {
    const unit = (await world.units.get(id))!;
    world.units.put({ ...unit, target: [text], version: unit.version + 1 });
    const translation = (await world.translations.get(unit.translation))!;
    world.translations.put({ ...translation, version: translation.version + 1 });
  };
  return { world, index, deps, scans, list, idsOf, buildIndex, edit };
}

describe('the units of a translation', () => {
  it('the units of a translation are listed in pages, with the number of strings of the translation as the total', async () => {
    const { world, scans, list } = await start();
    const counters = await world.units.recount(11);
    world.translations.put({ ...(await world.translations.get(11))!, counters, version: 4 });
    expect(await list({ translation: 11, page: 2, size: 1 })).toMatchObject({
      items: [{ id: 8 }],
      total: 2,
      version: 4,
    });
    expect(scans).toEqual([{ known: 2, count: 'meanwhile' }]);
  });

  it('a page is remembered until the translation has a new version', async () => {
    const { scans, list, edit } = await start();
    const request = { translation: 11, q: 'open' };
    expect((await list(request)).items).toMatchObject([{ id: 7, target: [''] }]);
    const listAgain = async () => expect((await list(request)).items).toMatchObject([{ id: 7, target: [''] }]);
    expect(await lookupsDuring(metricsText, 'unit-pages', listAgain)).toEqual({ hits: 1, misses: 0 });
    expect(scans).toHaveLength(1);
    await edit(7, 'Otevři');
    const listEdited = async () =>
      expect(await list(request)).toMatchObject({ items: [{ id: 7, target: ['Otevři'] }], version: 2 });
    expect(await lookupsDuring(metricsText, 'unit-pages', listEdited)).toEqual({ hits: 0, misses: 1 });
    expect(scans).toHaveLength(2);
  });

  it('a page is not remembered when its translation gets a new version during the search', async () => {
    const { world, index, deps, idsOf, buildIndex, edit } = await start();
    await buildIndex();
    expect(await idsOf({ translation: 11, q: 'window' })).toEqual([8]);
    const { get } = deps.translations;
    // The translation is read after the marks of the index.
    deps.translations.get = async (id) => {
      deps.translations.get = get;
      await edit(7, 'Otevři');
      index.write(7, 11, 'Otevři');
      return world.translations.get(id);
    };
    expect(await idsOf({ translation: 11, q: 'otevři' })).toEqual([]);
    for (let i = 0; i < 3; i++) expect(await idsOf({ translation: 11, q: 'otevři' })).toEqual([7]);
  });

  it.each([{ q: 'window' }, { page: 2 }, { size: 1 }, { sourceUnit: 507 }, { translation: 21 }])(
    'a remembered page does not answer the different request %j',
    async (more) => {
      const { idsOf } = await start();
      const request = { translation: 11, q: 'open OR window' };
      expect(await idsOf(request)).toEqual([7, 8]);
      const { idsOf: unremembered } = await start();
      const expected = await unremembered({ ...request, ...more });
      expect(expected).not.toEqual([7, 8]);
      expect(await idsOf({ ...request, ...more })).toEqual(expected);
    },
  );

  it('a caller that has the current version gets no units again', async () => {
    const { list, scans, edit } = await start();
    expect(await list({ translation: 11, knownVersion: 1 })).toMatchObject({ items: [], unchanged: true, version: 1 });
    expect(scans).toEqual([]);
    await edit(7, 'Otevři');
    expect(await list({ translation: 11, knownVersion: 1 })).toMatchObject({ unchanged: false, version: 2 });
  });

  it('a caller that has an older page gets its units that changed, and the ids of all', async () => {
    const { world, scans, list, edit } = await start();
    const known = await list({ translation: 11 });
    await edit(8, 'Zavři okno');
    const request = { translation: 11, knownVersion: 1, knownUnits: known.items };
    expect(await list(request)).toMatchObject({ ids: [7, 8], items: [{ id: 8, target: ['Zavři okno'] }], version: 2 });
    expect(scans).toHaveLength(1);
    // The incomplete page is not remembered for other callers.
    expect(await list({ translation: 11 })).toMatchObject({ ids: [7, 8], items: [{ id: 7 }, { id: 8 }], version: 2 });
    expect(await list(request)).toMatchObject({ ids: [7, 8], items: [{ id: 8 }] });
    world.units.put({ ...(await world.units.get(7))!, translation: 12 });
    await edit(8, 'Zavřít okno');
    expect(await list(request)).toMatchObject({ ids: [8], items: [{ id: 8, target: ['Zavřít okno'] }], version: 3 });
  });

  it('a caller that has an older page of a search gets its units that changed', async () => {
    const { buildIndex, list, edit } = await start();
    await buildIndex();
    const request = { translation: 11, q: 'open OR window' };
    const known = await list(request);
    await edit(8, 'Zavři okno');
    const again = { ...request, knownVersion: 1, knownUnits: known.items };
    expect(await list(again)).toMatchObject({ ids: [7, 8], items: [{ id: 8, target: ['Zavři okno'] }], version: 2 });
  });

  it('a search by other data than the units is neither remembered nor cacheable', async () => {
    const { list, scans } = await start();
    const request = { translation: 11, q: 'labels_count:0', knownVersion: 1 };
    expect(await list(request)).toMatchObject({ items: [{ id: 7 }, { id: 8 }], version: 0, unchanged: false });
    await list(request);
    expect(scans).toHaveLength(2);
  });

  it('the units of a translation are recorded as read recently, so that an edit need not read them', async () => {
    const { list, deps } = await start();
    expect(deps.recentUnits.get(7)).toBeUndefined();
    await list({ translation: 11 });
    expect(deps.recentUnits.get(7)).toMatchObject({ id: 7, source: ['Open the file'] });
  });

  it('a translation that does not exist has no units', async () => {
    const { list } = await start();
    expect(await list({ translation: 99, knownVersion: 1 })).toEqual({
      ids: [],
      items: [],
      total: 0,
      version: 0,
      unchanged: false,
      stable: true,
    });
  });
});

describe('the units of all translations', () => {
  it('the units of all translations are counted by the counters of the selected translations', async () => {
    const { world, list, scans } = await start();
    for (const translation of await world.translations.many([10, 11, 20, 21]))
      world.translations.put({ ...translation, counters: await world.units.recount(translation.id) });
    await list();
    await list({ excludedProjects: [2] });
    await list({ q: 'labels_count:0' });
    expect(scans.map((options) => options!.known)).toEqual([6, 4, undefined]);
  });

  it('a search by language and state is counted by the counters', async () => {
    const { world, list, scans } = await start();
    for (const translation of await world.translations.many([10, 11, 20, 21]))
      world.translations.put({ ...translation, counters: await world.units.recount(translation.id) });
    expect(await list({ q: 'language:cs state:<translated' })).toMatchObject({ ids: [7, 8, 9], total: 3 });
    expect(await list({ q: 'language:cs state:<translated', projects: [2] })).toMatchObject({ ids: [9], total: 1 });
    expect(scans.map((options) => options!.known)).toEqual([3, 1]);
  });

  it('the units of all translations are those of the given projects, without excluded projects and components', async () => {
    const { idsOf } = await start();
    expect(await idsOf({})).toEqual([7, 8, 9, 507, 508, 509]);
    expect(await idsOf({ projects: [2] })).toEqual([9, 509]);
    expect(await idsOf({ excludedProjects: [2] })).toEqual([7, 8, 507, 508]);
    expect(await idsOf({ excludedComponents: [1] })).toEqual([9, 509]);
  });

  it('a source string is listed with its translations', async () => {
    const { idsOf } = await start();
    expect(await idsOf({ sourceUnit: 507 })).toEqual([7, 507]);
    expect(await idsOf({ sourceUnit: 507, translation: 11 })).toEqual([7]);
    expect(await idsOf({ sourceUnit: 999 })).toEqual([]);
  });

  it('an invalid query is refused on the field "q"', async () => {
    expect(await fieldsOf((await start()).list({ q: '(' }))).toEqual(['q:invalid']);
  });
});

describe('the search index', () => {
  it('the search index answers text searches as a scan of the units does', async () => {
    const { idsOf, scans } = await start();
    const requests = [
      { q: 'open' },
      { q: 'open', projects: [2] },
      { q: 'window', excludedComponents: [2] },
      { q: 'open AND window' },
      { q: '"the window"', translation: 21 },
      { q: 'open', page: 2, size: 2 },
    ];
    const scanned = [];
    for (const request of requests) scanned.push(await idsOf(request));
    expect(scanned).toEqual([[7, 9, 507, 509], [9, 509], [8, 508], [9, 509], [9], [507, 509]]);
    expect(scans).toHaveLength(requests.length);
    const indexed = await start();
    await indexed.buildIndex();
    for (const [i, request] of requests.entries()) expect(await indexed.idsOf(request)).toEqual(scanned[i]);
    expect(indexed.scans).toEqual([]);
  });

  it('the store scans a small translation, and counts only the strings that are not on the page', async () => {
    const { world, scans, idsOf, buildIndex } = await start();
    await buildIndex();
    const czech = (await world.translations.get(11))!;
    world.translations.put({ ...czech, counters: await world.units.recount(11) });
    expect(await idsOf({ translation: 11, q: 'open' })).toEqual([7]);
    expect(scans).toEqual([{ known: undefined, count: 'after' }]);
  });

  it('the search index answers for pages from the 2 000th unit, which the store would have to read', async () => {
    const { idsOf, scans, buildIndex } = await start();
    await buildIndex();
    expect(await idsOf({ page: 2, size: 2_000 })).toEqual([]);
    expect(scans).toHaveLength(0);
    await idsOf({ page: 2, size: 1_999 });
    expect(scans).toHaveLength(1);
  });

  it('the search index is not asked for searches without a text and for the units of a source string', async () => {
    const { idsOf, scans, buildIndex } = await start();
    await buildIndex();
    await idsOf({ q: 'state:<20' });
    await idsOf({ q: 'open', sourceUnit: 507 });
    expect(scans).toHaveLength(2);
  });
});

describe('heavy searches', () => {
  it('heavy searches wait for each other, while lists and searches in a translation are answered', async () => {
    const { deps, list, idsOf } = await start();
    let end: () => void = () => undefined;
    const other = deps.searchBudget.run('user:4', caller().signal, () => new Promise<void>((done) => (end = done)));
    let answered = false;
    const heavy = list({ q: 'open' }).finally(() => (answered = true));
    expect(await idsOf({})).toHaveLength(6);
    expect(await idsOf({ q: 'open', translation: 11 })).toEqual([7]);
    expect(answered).toBe(false);
    end();
    await other;
    expect((await heavy).total).toBe(4);
  });

  it('heavy searches do not start when the caller has disconnected', async () => {
    const { list, scans } = await start();
    const disconnected = { key: 'user:3', signal: AbortSignal.abort() };
    expect(await reasonOf(list({ q: 'labels_count:0', caller: disconnected }))).toBe('UNAVAILABLE');
    expect(scans).toEqual([]);
    expect(await reasonOf(list({ caller: disconnected }))).toBe('OK');
  });

  it('heavy searches count before they read the page', async () => {
    const { list, scans } = await start();
    await list({ q: 'state:<20' });
    await list({ q: 'state:<20', translation: 11 });
    expect(scans.map((options) => options!.count)).toEqual(['before', 'meanwhile']);
  });
});

describe('streamUnits', () => {
  async function stream(strings: number, q = '') {
    const { world, deps } = await start();
    for (let id = 10_001; id <= 10_000 + strings; id++) world.string(1, id, `Number ${id}`, { translation: 12 });
    world.translations.put({ ...(await world.translations.get(11))!, id: 12 });
    return { world, deps, batches: streamUnits(deps, 12, q, '', caller()) };
  }

  it.each([
    [0, []],
    [500, [500]],
    [1_001, [500, 500, 1]],
  ])('a translation of %i strings arrives in batches of %j', async (strings, sizes) => {
    const found: number[] = [];
    for await (const units of (await stream(strings)).batches) found.push(units.length);
    expect(found).toEqual(sizes);
  });

  it('only units that match the query arrive', async () => {
    const found: number[] = [];
    for await (const units of (await stream(20, '"Number 10007"')).batches) found.push(...units.map(({ id }) => id));
    expect(found).toEqual([10_007]);
  });

  it('strings that are added and removed meanwhile neither repeat nor skip others', async () => {
    const { world, batches } = await stream(700);
    const found: number[] = [];
    for await (const units of batches) {
      found.push(...units.map(({ id }) => id));
      if (found.length > 500) continue;
      world.string(1, 9_999, 'New', { translation: 12 });
      await world.units.removeMany([10_001, 10_002]);
    }
    expect(found).toEqual(Array.from({ length: 700 }, (_, i) => 10_001 + i));
  });

  it('a slow reader of a heavy search does not delay other searches', async () => {
    const { deps, batches } = await stream(600, 'source:r"Number"');
    await batches.next();
    await deps.searchBudget.run('user:4', caller().signal, async () => undefined);
    expect((await batches.next()).value).toHaveLength(100);
  });

  it('an invalid query is refused on the field "q"', async () => {
    const { batches } = await stream(1, '(');
    expect(await fieldsOf(batches.next())).toEqual(['q:invalid']);
  });
});
