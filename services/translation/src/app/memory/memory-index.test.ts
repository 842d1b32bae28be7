import { metricsText } from '@parlance/telemetry';
import { lookupsDuring } from '@parlance/testing';
import { MapMemoryIndexStore } from '../../../test/support/memory/indexes/memory-index-store';
import { sourceHash } from '../../domain/memory/entry';
import type { VisibleEntries } from '../../domain/memory/ports';
import { MemoryIndex } from './memory-index';
import { MemoryIndexer } from './memory-indexer';

const languages = { source: 'en', target: 'cs' };

function start({ cacheBytes = 1_000_000 } = {}) {
  const now = () => 1_000;
  const store = new MapMemoryIndexStore(now);
  const index = new MemoryIndex(store, cacheBytes);
  const indexer = new MemoryIndexer({ store, now }, { everyMs: 1_000, graceMs: 0 });
  const find = async (text: string, visible: VisibleEntries = { shared: true }, limit = 10) =>
    (await index.candidates(languages, [text], { percent: 60, limit, visible }))[0]!;
  return { store, index, indexer, find };
}

const hashes = (...texts: string[]) => texts.map(sourceHash);
const OPEN = 'Open the file in the editor';
const OPENED = 'Opened the file in the editor';
const CLOSE = 'Close the file in the editor';
const OTHER = 'Quarterly budgets';

describe('MemoryIndex', () => {
  it('similar texts of segments follow the equal text, the most similar one first', async () => {
    const { store, indexer, find } = start();
    for (const text of [OTHER, CLOSE, OPENED]) store.write(text);
    await indexer.pass();
    expect(store.fresh.size).toBe(0);
    expect(await find(OPEN)).toEqual(hashes(OPEN, OPENED, CLOSE));
    expect(await find(OPEN, { shared: true }, 1)).toEqual(hashes(OPEN, OPENED));
  });

  it('several texts are searched at once, each with candidates of its own', async () => {
    const { store, index, indexer } = start();
    store.write(OPENED);
    store.write(OTHER);
    await indexer.pass();
    const options = { percent: 60, limit: 10, visible: 'everything' as const };
    const texts = [OPEN, 'Quarterly budget', 'Nothing alike'];
    expect(await index.candidates(languages, texts, options)).toEqual([
      hashes(OPEN, OPENED),
      hashes('Quarterly budget', OTHER),
      hashes('Nothing alike'),
    ]);
  });

  it('entries that no segment contains yet are found by their marks', async () => {
    const { store, indexer, find } = start();
    await indexer.pass();
    store.write(OPENED);
    expect(await find(OPEN)).toEqual(hashes(OPEN, OPENED));
  });

  it('only texts with an entry that the reader may use are candidates', async () => {
    const { store, indexer, find } = start();
    store.write(OPENED, { project: 1 });
    store.write(CLOSE, { user: 7 });
    await indexer.pass();
    store.write(`${OPEN}!`, { project: 2 });
    expect(await find(OPEN, { shared: true })).toEqual(hashes(OPEN));
    expect(await find(OPEN, { project: 1 })).toEqual(hashes(OPEN, OPENED));
    expect(await find(OPEN, { user: 7 })).toEqual(hashes(OPEN, CLOSE));
    expect(await find(OPEN, { project: 2 })).toEqual(hashes(OPEN, `${OPEN}!`));
    expect((await find(OPEN, 'everything')).sort()).toEqual(hashes(OPEN, OPENED, CLOSE, `${OPEN}!`).sort());
  });

  it('texts of other language pairs are no candidates', async () => {
    const { store, indexer, find } = start();
    store.write(OPENED, { shared: true }, { pair: 'en>de' });
    await indexer.pass();
    expect(await find(OPEN)).toEqual(hashes(OPEN));
  });

  it('without an index the entries themselves are compared', async () => {
    const { store, find } = start();
    store.write(OPENED, { shared: true }, { unmarked: true });
    store.write(CLOSE, { user: 7 }, { unmarked: true });
    expect(await find(OPEN)).toEqual(hashes(OPEN, OPENED));
  });

  it('entries that another process indexed since the last search are found', async () => {
    const { store, indexer, find } = start();
    store.write(CLOSE);
    await indexer.pass();
    expect(await find(OPEN)).toEqual(hashes(OPEN, CLOSE));
    store.write(OPENED);
    await indexer.pass();
    expect(store.fresh.size).toBe(0);
    expect(await find(OPEN)).toEqual(hashes(OPEN, OPENED, CLOSE));
  });

  it('a search that meets a replaced segment reads the list of segments again', async () => {
    const { store, indexer, find } = start();
    store.write(OPENED);
    await indexer.pass();
    const { segments } = store;
    store.segments = async () => {
      store.segments = segments;
      return [{ id: 'replaced', pair: 'en>cs', size: 1 }];
    };
    expect(await find(OPEN)).toEqual(hashes(OPEN, OPENED));
    expect(store.rebuilds).toBe(0);
  });

  it('an invalid index is built again, and the search compares the entries meanwhile', async () => {
    const { store, indexer, find } = start();
    store.write(OPENED);
    await indexer.pass();
    store.parts.clear();
    expect(await find(OPEN)).toEqual(hashes(OPEN, OPENED));
    expect(store.rebuilds).toBe(1);
    await indexer.pass();
    expect(await find(OPEN)).toEqual(hashes(OPEN, OPENED));
    expect(store.rebuilds).toBe(1);
  });

  it('errors of the store are not taken for an invalid index', async () => {
    const { store, find } = start();
    store.isReady = () => Promise.reject(new Error('the store is unavailable'));
    await expect(find(OPEN)).rejects.toThrow('the store is unavailable');
    expect(store.rebuilds).toBe(0);
  });

  it('parts of segments are read once while they fit into the cache', async () => {
    const { store, indexer, find } = start();
    store.write(OPENED);
    await indexer.pass();
    await find(OPEN);
    const { reads } = store;
    expect(reads).toBeGreaterThan(0);
    await find(OPEN);
    expect(store.reads).toBe(reads);
  });

  it.each(['memory-texts', 'memory-postings'])('a search counts the hits and misses of %s', async (cache) => {
    const { store, indexer, find } = start();
    store.write(OPENED);
    await indexer.pass();
    const first = await lookupsDuring(metricsText, cache, () => find(OPEN));
    expect(first).toEqual({ hits: 0, misses: 1 });
    expect(await lookupsDuring(metricsText, cache, () => find(OPEN))).toEqual({ hits: 1, misses: 0 });
  });
});
