import { sourceHash } from '../../domain/memory/entry';
import { MemoryIndexes } from './memory-index';

const MIB = 1024 * 1024;
const search = { percent: 70, limit: 10, sight: { user: 1 } };
/** A text of some 300 characters that shares few runs of characters with others. */
const textOf = (n: number): string =>
  Array.from({ length: 40 }, (_, i) => ((n * 7919 + i * 104_729) % 1e7).toString(36)).join(' ');

/** A store with so many texts of every pair, the newest last. */
function storeOf(texts: readonly string[]) {
  const read = { since: 0, newest: 0 };
  return {
    read,
    async sourcesSince(_pair: string, _since: number, visit: (source: number, text: string) => boolean) {
      for (const text of texts) {
        read.since++;
        if (!visit(sourceHash(text), text)) return;
      }
    },
    async newestSources(
      _pair: string,
      _sight: object,
      limit: number,
      visit: (source: number, text: string) => boolean,
    ) {
      for (const text of texts.slice(-limit).reverse()) {
        read.newest++;
        if (!visit(sourceHash(text), text)) return;
      }
    },
  };
}

describe('MemoryIndexes', () => {
  const texts = Array.from({ length: 20_000 }, (_, n) => textOf(n));

  it('stay within their memory and find the oldest and the newest texts of a pair that does not fit', async () => {
    const store = storeOf(texts);
    const indexes = new MemoryIndexes(store, () => 1, 4 * MIB);
    const languages = { source: 'en', target: 'cs' };
    const wanted = [texts[0]!, texts.at(-1)!, texts[10_000]!].map((text) => `${text} x`);
    const found = await indexes.candidates(languages, wanted, search);
    expect(indexes.bytes).toBeLessThanOrEqual(4 * MIB);
    expect(store.read.since).toBeLessThan(texts.length);
    expect(found[0]).toContain(sourceHash(texts[0]!));
    expect(found[1]).toContain(sourceHash(texts.at(-1)!));
    const before = store.read.since;
    await indexes.candidates(languages, wanted, search);
    expect(store.read.since).toBe(before);
  });

  it('drop the index that was not used for longest', async () => {
    let now = 0;
    const store = storeOf(texts.slice(0, 50));
    const indexes = new MemoryIndexes(store, () => now, 4 * MIB);
    for (let n = 0; n < 20; n++) {
      now++;
      await indexes.candidates({ source: 'en', target: `l${n}` }, ['x'], search);
      expect(indexes.bytes).toBeLessThanOrEqual(4 * MIB);
    }
    const before = store.read.since;
    await indexes.candidates({ source: 'en', target: 'l0' }, ['x'], search);
    expect(store.read.since - before).toBe(50);
  });
});
