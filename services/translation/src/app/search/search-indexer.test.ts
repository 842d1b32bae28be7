import { MemorySearchIndexStore } from '../../../test/support/memory/indexes/search-index-store';
import { SearchIndexer } from './search-indexer';

function start(graceMs = 0) {
  const store = new MemorySearchIndexStore();
  const clock = { now: 1_000 };
  const listed = new Set<number>();
  const translations = { get: async (id: number) => (listed.has(id) ? ({} as never) : null) };
  const makeIndexer = () =>
    new SearchIndexer({ store, translations, now: () => clock.now }, { everyMs: 1_000, graceMs });
  /** Words of a unit in the index, by its block of amendments. */
  const indexed = async (id: number) => {
    const [block] = await store.blocks([0]);
    return block?.amendments.find(({ offset }) => offset === id)?.tokens ?? [];
  };
  return { store, clock, listed, makeIndexer, indexer: makeIndexer(), indexed };
}

describe('SearchIndexer', () => {
  it('SearchIndexer waits for processes of older versions before it builds the index of existing units', async () => {
    const { store, clock, indexer } = start(60_000);
    store.write(1, 10, 'Open');
    await indexer.pass();
    clock.now += 59_000;
    await indexer.pass();
    expect(await store.state()).toMatchObject({ ready: false });
    clock.now += 1_000;
    await indexer.pass();
    expect(await store.state()).toMatchObject({ ready: true, blocks: [0] });
  });

  it('SearchIndexer builds the index of an empty store at once', async () => {
    const { store, indexer } = start(60_000);
    await indexer.pass();
    expect(await store.state()).toMatchObject({ ready: true });
  });

  it('indexes written units, and clears the marks only of those that were not written again', async () => {
    const { store, indexer, indexed } = start();
    await indexer.pass();
    store.write(1, 10, 'Open');
    store.write(2, 10, 'Close');
    const { replaceBlock } = store;
    store.replaceBlock = async (...block) => {
      store.write(2, 10, 'Closed');
      store.replaceBlock = replaceBlock;
      return replaceBlock.apply(store, block);
    };
    await indexer.pass();
    expect([...store.fresh]).toEqual([2]);
    expect(await indexed(1)).toEqual(['OPEN']);
    await indexer.pass();
    expect(await indexed(2)).toEqual(['CLOSED']);
  });

  it('indexes an imported translation when it is listed', async () => {
    const { store, listed, indexer, indexed } = start();
    await indexer.pass();
    store.openTranslation(10, false, 1_000);
    store.write(1, 10, 'Open');
    store.fresh.clear();
    await indexer.pass();
    expect(store.open.size).toBe(1);
    expect(await indexed(1)).toEqual([]);
    listed.add(10);
    await indexer.pass();
    expect(store.open.size).toBe(0);
    expect(await indexed(1)).toEqual(['OPEN']);
  });

  it('indexes a translation whose import ended early after an hour', async () => {
    const { store, clock, indexer } = start();
    await indexer.pass();
    store.openTranslation(10, false, clock.now);
    clock.now += 3_600_001;
    await indexer.pass();
    expect(store.open.size).toBe(0);
  });

  it('SearchIndexer removes the units of a removed translation', async () => {
    const { store, listed, indexer } = start();
    listed.add(10);
    store.write(1, 10, 'Open');
    await indexer.pass();
    store.units.delete(1);
    store.openTranslation(10, true, 1_000);
    await indexer.pass();
    expect(store.open.size).toBe(0);
    expect((await store.blocks([0]))[0]!.runs).toEqual([]);
  });

  it('SearchIndexer writes postings when a block has more amendments than it keeps, and deletes those of former generations', async () => {
    const { store, clock, indexer } = start();
    for (let id = 1; id <= 1_001; id++) store.write(id, 10, `Number ${id}`);
    await indexer.pass();
    const first = [...store.documents.keys()];
    expect(first.length).toBeGreaterThan(1);
    expect((await store.blocks([0]))[0]).toMatchObject({ amendments: [], parts: 1 });
    for (let id = 2_001; id <= 3_001; id++) store.write(id, 10, `Number ${id}`);
    await indexer.pass();
    expect([...store.documents.keys()]).toEqual(expect.arrayContaining(first));
    clock.now += 700_000;
    await indexer.pass();
    expect([...store.documents.keys()].filter((id) => first.includes(id))).toEqual([]);
  });

  it('SearchIndexer does nothing while another process holds the lease', async () => {
    const { store, indexer, makeIndexer } = start();
    await indexer.pass();
    store.write(1, 10, 'Open');
    await makeIndexer().pass();
    expect(store.fresh.size).toBe(1);
    await indexer.stop();
    await makeIndexer().pass();
    expect(store.fresh.size).toBe(0);
  });

  it('a block that another process wrote meanwhile is left alone', async () => {
    const { store, indexer } = start();
    await indexer.pass();
    store.write(1, 10, 'Open');
    store.replaceBlock = async () => false;
    await expect(indexer.pass()).rejects.toThrow('block 0 was written by another process');
    expect(store.fresh.size).toBe(1);
  });
});
