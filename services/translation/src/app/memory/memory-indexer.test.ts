import { MapMemoryIndexStore } from '../../../test/support/memory/indexes/memory-index-store';
import { decodeTexts } from '../../domain/memory/memory-segment';
import { segmentKey } from '../../domain/memory/index-ports';
import { sourceHash } from '../../domain/memory/entry';
import type { VisibleEntries } from '../../domain/memory/ports';
import { MemoryIndex } from './memory-index';
import { MemoryIndexer } from './memory-indexer';

function start(graceMs = 0) {
  const clock = { now: 1_000_000 };
  const now = () => clock.now;
  const store = new MapMemoryIndexStore(now);
  const makeIndexer = () => new MemoryIndexer({ store, now }, { everyMs: 1_000, graceMs });
  const sizes = async (pair = 'en>cs') => (await store.segments(pair)).map(({ size }) => size);
  /** Hashes of the texts of all segments. */
  const indexed = async () => {
    const ids = (await store.allSegments()).map(({ id }) => segmentKey(id, 'texts'));
    return (await store.documents(ids)).flatMap((data) => [...decodeTexts(data).sources]).sort();
  };
  const indexer = makeIndexer();
  /** Writes entries and runs a pass a millisecond later. */
  const index = async (...texts: string[]) => {
    for (const text of texts) store.write(text);
    clock.now += 1;
    await indexer.pass();
  };
  return { clock, store, makeIndexer, indexer, index, sizes, indexed };
}

const hashes = (...texts: string[]) => texts.map(sourceHash).sort();

describe('MemoryIndexer', () => {
  it('the first pass moves all entries into a segment for each language pair', async () => {
    const { store, indexer, sizes } = start();
    store.write('Open', { shared: true }, { unmarked: true });
    store.write('Close');
    store.write('Open', { shared: true }, { pair: 'en>de' });
    await indexer.pass();
    expect(store.fresh.size).toBe(0);
    expect([await sizes(), await sizes('en>de')]).toEqual([[2], [1]]);
  });

  it('a pass without new entries adds no segment', async () => {
    const { index, sizes } = start();
    await index('Open');
    await index();
    expect(await sizes()).toEqual([1]);
  });

  it('an entry keeps its mark if it is marked again while its segment is written', async () => {
    const { store, indexer } = start();
    const id = store.write('Open', { project: 1 });
    const { addSegment } = store;
    store.addSegment = async (segment) => {
      store.addSegment = addSegment;
      store.mark(id, { shared: true });
      await addSegment.call(store, segment);
    };
    await indexer.pass();
    expect([...store.fresh]).toEqual([id]);
    await indexer.pass();
    expect(store.fresh.size).toBe(0);
  });

  it('passes that leave no mark record that up to a minute ago there is none, once a minute', async () => {
    const { clock, store, indexer } = start();
    store.write('Open');
    for (let pass = 0; pass < 4; pass++) {
      await indexer.pass();
      clock.now += 30_000;
    }
    expect(store.clearedUntil).toEqual([940_000, 1_000_000]);
  });

  it('marks stay until the segment is stored', async () => {
    const { store, indexer } = start();
    store.write('Open');
    store.addSegment = () => Promise.reject(new Error('the store is unavailable'));
    await expect(indexer.pass()).rejects.toThrow('the store is unavailable');
    expect(store.fresh.size).toBe(1);
  });

  it('four segments of about the same size become one, with the current owners of their texts', async () => {
    const { store, index, sizes, indexed } = start();
    const texts = ['Open', 'Close', 'Print', 'Save'];
    for (const text of texts.slice(0, 3)) await index(text);
    expect(await sizes()).toEqual([1, 1, 1]);
    store.entries.set(1, { ...store.entries.get(1)!, shared: false, project: 5 });
    await index(texts[3]!);
    expect(await sizes()).toEqual([4]);
    expect(await indexed()).toEqual(hashes(...texts));
    const reader = new MemoryIndex(store, 1_000_000);
    const found = (visible: VisibleEntries) =>
      reader.candidates({ source: 'en', target: 'cs' }, ['Open!'], { percent: 50, limit: 5, visible });
    expect(await found({ shared: true })).toEqual([[sourceHash('Open!')]]);
    expect(await found({ project: 5 })).toEqual([[sourceHash('Open!'), sourceHash('Open')]]);
  });

  it('merging segments drops texts whose entries were deleted', async () => {
    const { store, index, indexed } = start();
    for (const text of ['Open', 'Close', 'Print']) await index(text);
    store.entries.delete(2);
    await index('Save');
    expect(await indexed()).toEqual(hashes('Open', 'Print', 'Save'));
  });

  it('documents of merged segments are deleted when they are five minutes old', async () => {
    const { clock, store, index } = start();
    await index('Open');
    clock.now += 299_000;
    for (const text of ['Close', 'Print', 'Save']) await index(text);
    const segments = () => new Set([...store.parts.keys()].map((key) => key.split('.')[0])).size;
    expect(segments()).toBe(5);
    clock.now += 1_000;
    await index();
    expect(segments()).toBe(4);
    clock.now += 300_000;
    await index();
    expect(segments()).toBe(1);
  });

  it('entries that processes of former versions added without a mark are indexed after they have stopped', async () => {
    const { clock, store, index, indexer, indexed } = start(60_000);
    await index('Close');
    store.write('Open', { shared: true }, { unmarked: true });
    clock.now += 59_999;
    await indexer.pass();
    expect(await indexed()).toEqual(hashes('Close'));
    clock.now += 1;
    await indexer.pass();
    expect(await indexed()).toEqual(hashes('Close', 'Open'));
    store.write('Print', { shared: true }, { unmarked: true });
    await indexer.pass();
    expect(await indexed()).toEqual(hashes('Close', 'Open'));
  });

  it('MemoryIndexer does nothing while another process holds the lease', async () => {
    const { store, indexer, makeIndexer } = start();
    await indexer.pass();
    store.write('Open');
    await makeIndexer().pass();
    expect(store.fresh.size).toBe(1);
    await indexer.stop();
    await makeIndexer().pass();
    expect(store.fresh.size).toBe(0);
  });
});
