import { parseQuery, requiredTexts, type TextField } from '@parlance/search';
import { MemorySearchIndexStore } from '../../../test/support/memory/indexes/search-index-store';
import { BLOCK_SIZE } from '../../domain/search/postings';
import type { TranslationFilter } from '../../domain/ports';
import { allOf, type UnitQuery } from '../../domain/unit-query';
import { SearchIndex } from './search-index';
import { SearchIndexer } from './search-indexer';

const FIELDS: ReadonlySet<TextField> = new Set<TextField>(['source', 'target', 'context']);

const WHOLE = { skip: 0, limit: 1_000_000 };

/** An index of two translations whose units are in two blocks. */
async function start() {
  const store = new MemorySearchIndexStore();
  store.write(1, 10, 'Open the file');
  store.write(2, 10, 'Close the window');
  store.write(BLOCK_SIZE + 1, 20, 'Open the window');
  const translations = { get: async () => ({}) as never };
  const indexer = new SearchIndexer({ store, translations, now: () => 1_000 }, { everyMs: 1_000, graceMs: 0 });
  await indexer.pass();
  // There are other strings, so that those of marked translations are few.
  const counts = {
    sumGroups: async (filters: readonly TranslationFilter[]) => {
      const sums = await store.sumGroups(filters);
      return filters.length > 0 ? sums : { ...sums, all: sums.all + 1_000 };
    },
  };
  const index = new SearchIndex(store, store, counts);
  /** Ids of the matches; null: the store has to scan. */
  const search = async (text: string, ids: number[] | null = null) => {
    const query = parseQuery(text);
    const scope: UnitQuery[] = ids ? [{ kind: 'translations', ids }] : [];
    const page = await index.page({
      required: requiredTexts(query, FIELDS),
      translations: ids && new Set(ids),
      query: allOf({ kind: 'search', query, resolved: new Map() }, ...scope),
      ...WHOLE,
    });
    return page && page.items.map(({ id }) => id);
  };
  return { store, index, indexer, search };
}

describe('SearchIndex', () => {
  it('SearchIndex finds words and phrases in all blocks, and only in the selected translations', async () => {
    const { search } = await start();
    expect(await search('open')).toEqual([1, BLOCK_SIZE + 1]);
    expect(await search('open', [20])).toEqual([BLOCK_SIZE + 1]);
    expect(await search('"the window"')).toEqual([2, BLOCK_SIZE + 1]);
    expect(await search('nowhere')).toEqual([]);
  });

  it('SearchIndex looks at written units directly until they are indexed', async () => {
    const { store, search, indexer } = await start();
    store.write(2, 10, 'Open the door');
    expect(await search('open')).toEqual([1, 2, BLOCK_SIZE + 1]);
    expect(await search('close')).toEqual([]);
    await indexer.pass();
    expect(store.fresh.size).toBe(0);
    expect(await search('open')).toEqual([1, 2, BLOCK_SIZE + 1]);
    expect(await search('close')).toEqual([]);
  });

  it('SearchIndex looks at the units of translations that are being imported directly', async () => {
    const { store, search } = await start();
    store.openTranslation(30);
    store.write(7, 30, 'Open the box');
    store.fresh.delete(7);
    expect(await search('open')).toEqual([1, 7, BLOCK_SIZE + 1]);
    expect(await search('open', [30])).toBeNull();
  });

  it('SearchIndex looks at any number of imported translations while they have few of the units, and lets the store scan if they have many', async () => {
    const { store, search, indexer } = await start();
    for (let id = 100; id < 5_000; id++) store.write(id, 10, 'Close the door');
    await indexer.pass();
    const imported = Array.from({ length: 1_200 }, (_, i) => 6_000 + i);
    for (const id of imported) {
      store.openTranslation(id);
      store.write(id, id, 'Open the box');
      store.fresh.delete(id);
    }
    expect(await search('box')).toEqual(imported);
    expect(await search('window')).toEqual([2, BLOCK_SIZE + 1]);
    for (let id = 8_000; id < 10_000; id++) store.write(id, 6_000, 'Close the box');
    expect(await search('box')).toBeNull();
  });

  it('SearchIndex omits units of a translation that is being removed, although the index still has them', async () => {
    const { store, search } = await start();
    store.openTranslation(10, true);
    store.units.delete(1);
    expect(await search('open')).toEqual([BLOCK_SIZE + 1]);
    expect(await search('window')).toEqual([2, BLOCK_SIZE + 1]);
  });

  it('SearchIndex returns a page of all units by position', async () => {
    const { index } = await start();
    const all = { required: null, translations: null, query: allOf() };
    const idsAt = async (skip: number, limit: number) => {
      const { items, total } = (await index.page({ ...all, skip, limit }))!;
      return [total, items.map(({ id }) => id)];
    };
    expect(await idsAt(1, 1)).toEqual([3, [2]]);
    expect(await idsAt(2, 5)).toEqual([3, [BLOCK_SIZE + 1]]);
  });

  it('SearchIndex returns a page of all units during an import if many units precede it, and else lets the store scan', async () => {
    const { store, index, indexer } = await start();
    for (let id = 100; id < 200; id++) store.write(id, 10, 'Close the door');
    await indexer.pass();
    store.openTranslation(30);
    for (const id of [50, 250]) {
      store.write(id, 30, 'Open the box');
      store.fresh.delete(id);
    }
    const all = { required: null, translations: null, query: allOf(), limit: 3 };
    const page = await index.page({ ...all, skip: 52 });
    expect(page?.items.map(({ id }) => id)).toEqual([149, 150, 151]);
    expect(await index.page({ ...all, skip: 5 })).toBeNull();
  });

  it('SearchIndex answers by the blocks that are current after the marks, although another replica changes them meanwhile', async () => {
    const { store, search, indexer } = await start();
    expect(await search('close')).toEqual([2]);
    // The unit is written and indexed between the read of the marks and the read of the versions of the blocks.
    store.afterMarks = async () => {
      store.afterMarks = undefined;
      store.write(2, 10, 'Open the door');
      await indexer.pass();
    };
    expect(await search('open')).toEqual([1, 2, BLOCK_SIZE + 1]);
    expect(store.fresh.size).toBe(0);
  });

  it('SearchIndex lets the store scan when a block is missing that was added after this process read the index last', async () => {
    const { store, search, indexer } = await start();
    expect(await search('open')).toEqual([1, BLOCK_SIZE + 1]);
    store.write(2 * BLOCK_SIZE, 20, 'Open the door');
    await indexer.pass();
    store.loseBlock(2);
    expect(await search('open')).toBeNull();
    await indexer.pass();
    expect(await search('open')).toEqual([1, BLOCK_SIZE + 1, 2 * BLOCK_SIZE]);
  });

  it('SearchIndex finds all units when another replica begins to build the index again between two reads', async () => {
    const { store, search, indexer } = await start();
    expect(await search('open')).toEqual([1, BLOCK_SIZE + 1]);
    for (const build of [() => store.beginBuild(), () => indexer.pass()]) {
      store.afterMarks = async () => {
        store.afterMarks = undefined;
        await build();
      };
      expect(await search('open')).toEqual([1, BLOCK_SIZE + 1]);
    }
  });

  it('SearchIndex counts all matches of a phrase, and returns those of the page', async () => {
    const { store, index, indexer } = await start();
    // Every third unit has the words, but not the phrase.
    for (let id = 3; id < 48; id++) store.write(id, 10, id % 3 === 2 ? `Box the ${id}` : `Open the box ${id}`);
    await indexer.pass();
    for (const id of [5, 6]) store.write(id, 10, 'Open the box, new');
    const matching = Array.from({ length: 45 }, (_, i) => i + 3).filter((id) => id % 3 !== 2 || id === 5);
    const query = parseQuery('"the box"');
    const required = requiredTexts(query, FIELDS);
    const request = { required, translations: null, query: allOf({ kind: 'search', query, resolved: new Map() }) };
    for (const [skip, limit] of [
      [0, 5],
      [0, 31],
      [0, 32],
      [7, 10],
      [30, 300],
      [40, 5],
    ] as const) {
      const page = (await index.page({ ...request, skip, limit }))!;
      expect(page.total).toBe(matching.length);
      expect(page.items.map(({ id }) => id)).toEqual(matching.slice(skip, skip + limit));
    }
  });

  it('SearchIndex forgets blocks whose documents were deleted, after another replica has written new ones', async () => {
    const { store, search, indexer } = await start();
    const write = async (text: string): Promise<void> => {
      for (let id = 100; id < 1_200; id++) store.write(id, 10, `${text} ${id}`);
      await indexer.pass();
    };
    await write('Number');
    expect(await search('1150')).toEqual([1_150]);
    const former = [...store.documents.keys()];
    await write('Figure');
    for (const id of former) store.documents.delete(id);
    expect(await search('figure')).toHaveLength(1_100);
    expect(await store.state()).toMatchObject({ ready: true });
  });

  it('SearchIndex lets the store scan, and requests a new index, when a document is missing', async () => {
    const { store, search, indexer } = await start();
    // More units than a block keeps as amendments, so that its words are in documents.
    for (let id = 100; id < 1_200; id++) store.write(id, 10, `Number ${id}`);
    await indexer.pass();
    expect(await search('1150')).toEqual([1_150]);
    const other = new SearchIndex(store, store, store);
    store.documents.clear();
    const query = parseQuery('1150');
    const request = { required: requiredTexts(query, FIELDS), translations: null, query: allOf(), ...WHOLE };
    expect(await other.page(request)).toBeNull();
    expect(await store.state()).toMatchObject({ ready: false });
  });

  it('SearchIndex lets the store scan while there is no index', async () => {
    const store = new MemorySearchIndexStore();
    const request = { required: null, translations: null, query: allOf(), ...WHOLE };
    expect(await new SearchIndex(store, store, store).page(request)).toBeNull();
  });
});
