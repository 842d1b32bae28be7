import { metricsText } from '@parlance/telemetry';
import { lookupsDuring } from '@parlance/testing';
import type { IndexBlock } from '../../domain/search/ports';
import { SearchIndexCache } from './search-index-cache';

const block = (id: number, version = 'v1', generation = 'g1'): IndexBlock => ({
  id,
  version,
  generation,
  parts: 1,
  runs: [],
  amendments: [],
});

/** An index of the blocks 1 and 2, and what was read of it. */
function start() {
  const stored = new Map([block(1), block(2)].map((one) => [one.id, one]));
  const reads: string[] = [];
  const cache = new SearchIndexCache({
    blocks: async (ids) => {
      if (ids.length > 0) reads.push(`blocks ${ids.join(' ')}`);
      return ids.flatMap((id) => stored.get(id) ?? []);
    },
    part: async ({ id, generation }, part) => {
      reads.push(`part ${id}.${generation}.${part}`);
      return { words: Buffer.from('\nopen\nwindow\n'), starts: [0] };
    },
    chunks: async ({ id, generation }, keys) => {
      reads.push(`chunks ${id}.${generation} ${keys.join(' ')}`);
      return keys.map((key) => Buffer.from(`${id} ${generation} ${key}`));
    },
  });
  const versions = () => new Map([...stored.values()].map(({ id, version }) => [id, version]));
  const texts = (chunks: ReadonlyMap<string, Uint8Array>) => [...chunks].map(([key, chunk]) => [key, String(chunk)]);
  return { stored, reads, cache, versions, texts };
}

describe('SearchIndexCache', () => {
  it('SearchIndexCache knows the last blocks only after it has read all of them', async () => {
    const { cache } = start();
    expect(cache.lastBlocks([1])).toBeNull();
    await cache.currentBlocks(new Map([[1, 'v1']]));
    expect([...cache.lastBlocks([1])!.keys()]).toEqual([1]);
    expect(cache.lastBlocks([1, 2])).toBeNull();
    expect(cache.lastBlocks([])!.size).toBe(0);
  });

  it('SearchIndexCache reads blocks again that have another version, and returns them by id', async () => {
    const { stored, reads, cache, versions } = start();
    await cache.currentBlocks(versions());
    stored.set(1, block(1, 'v2'));
    const blocks = await cache.currentBlocks(new Map([...versions()].reverse()));
    expect([...blocks.values()].map(({ id, version }) => [id, version])).toEqual([
      [1, 'v2'],
      [2, 'v1'],
    ]);
    expect(reads).toEqual(['blocks 1 2', 'blocks 1']);
    expect(cache.lastBlocks([1])!.get(1)!.version).toBe('v2');
  });

  it('a block that was deleted is not returned, although it was read before', async () => {
    const { stored, cache, versions } = start();
    await cache.currentBlocks(versions());
    stored.delete(2);
    expect([...(await cache.currentBlocks(versions())).keys()]).toEqual([1]);
    expect([...(await cache.currentBlocks(new Map([[2, 'v2']]))).keys()]).toEqual([]);
  });

  it('SearchIndexCache reads a dictionary once for each generation of its block', async () => {
    const { reads, cache } = start();
    const part = await cache.part(block(1), 0);
    const ranks = ['open', 'window'].map((text) => [...part.select({ at: 'whole', text }).regular]);
    expect(ranks).toEqual([[0], [1]]);
    expect(await cache.part(block(1, 'v2'), 0)).toBe(part);
    await cache.part(block(1, 'v3', 'g2'), 0);
    await cache.part(block(2), 0);
    expect(reads).toEqual(['part 1.g1.0', 'part 1.g2.0', 'part 2.g1.0']);
  });

  it('SearchIndexCache reads only postings that are not cached, in one request', async () => {
    const { reads, cache, texts } = start();
    await cache.chunks(block(1), ['0.0', '0.1']);
    const chunks = await cache.chunks(block(1), ['0.1', '0.2', '0.3']);
    expect(texts(chunks).sort()).toEqual([
      ['0.1', '1 g1 0.1'],
      ['0.2', '1 g1 0.2'],
      ['0.3', '1 g1 0.3'],
    ]);
    await cache.chunks(block(1), ['0.3']);
    expect(reads).toEqual(['chunks 1.g1 0.0 0.1', 'chunks 1.g1 0.2 0.3']);
  });

  it('SearchIndexCache counts hits and misses of blocks, dictionaries and postings', async () => {
    const { stored, cache, versions } = start();
    const during = (name: string, work: () => Promise<unknown>) => lookupsDuring(metricsText, `search-${name}`, work);
    await cache.currentBlocks(versions());
    stored.set(1, block(1, 'v2'));
    expect(await during('blocks', () => cache.currentBlocks(versions()))).toEqual({ hits: 1, misses: 1 });
    await cache.part(block(1), 0);
    expect(await during('dictionaries', () => cache.part(block(1), 0))).toEqual({ hits: 1, misses: 0 });
    expect(await during('dictionaries', () => cache.part(block(2), 0))).toEqual({ hits: 0, misses: 1 });
    await cache.chunks(block(1), ['0.0']);
    const readThree = () => cache.chunks(block(1), ['0.0', '0.1', '0.2']);
    expect(await during('postings', readThree)).toEqual({ hits: 1, misses: 2 });
  });

  it('postings of another generation or block are not mistaken', async () => {
    const { cache, texts } = start();
    await cache.chunks(block(1), ['0.0']);
    expect(texts(await cache.chunks(block(1, 'v2', 'g2'), ['0.0']))).toEqual([['0.0', '1 g2 0.0']]);
    expect(texts(await cache.chunks(block(2), ['0.0']))).toEqual([['0.0', '2 g1 0.0']]);
  });
});
