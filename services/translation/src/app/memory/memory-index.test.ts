import { sourceHash } from '../../domain/memory/entry';
import { MemoryIndexes } from './memory-index';

const MIB = 1024 * 1024;
const search = { percent: 70, limit: 10, visible: { user: 1 } };
/** A text of about 300 characters that shares few trigrams with others. */
const textOf = (n: number): string =>
  Array.from({ length: 40 }, (_, i) => ((n * 7919 + i * 104_729) % 1e7).toString(36)).join(' ');

/** A store with the same texts for every language pair, the newest last; counts the texts that it returns. */
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

  it('Indexes stay within their memory limit and find the oldest and newest texts of a pair that exceeds it', async () => {
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

  it('The least recently used index is evicted', async () => {
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
