import { countLookup, countLookups } from '@parlance/telemetry';
import { AmendedUnits } from '../../domain/search/amended-units';
import { DictionaryPart } from '../../domain/search/dictionary';
import type { IndexBlock, SearchIndexReader } from '../../domain/search/ports';
import { SizedCache } from './sized-cache';

/** Memory for blocks, for dictionaries and for postings, in bytes. */
const BLOCK_BYTES = 64 * 1024 * 1024;
const DICTIONARY_BYTES = 64 * 1024 * 1024;
const POSTINGS_BYTES = 32 * 1024 * 1024;

export type CachedBlock = Omit<IndexBlock, 'amendments'> & { amended: AmendedUnits };

/** Blocks of the search index by ascending id. */
export type IndexBlocks = ReadonlyMap<number, CachedBlock>;

type BlockName = Pick<IndexBlock, 'id' | 'generation'>;

/** Documents of the search index. A block's dictionary and postings never change; its own document has a version. */
export class SearchIndexCache {
  private readonly blocks = new SizedCache<CachedBlock>(BLOCK_BYTES);
  private readonly parts = new SizedCache<DictionaryPart>(DICTIONARY_BYTES);
  private readonly postings = new SizedCache<Uint8Array>(POSTINGS_BYTES);

  constructor(private readonly store: Pick<SearchIndexReader, 'blocks' | 'part' | 'chunks'>) {}

  /** Blocks as they were when this process read them last; null unless it has read all of them. */
  lastBlocks(ids: readonly number[]): IndexBlocks | null {
    const found: CachedBlock[] = [];
    for (const id of ids) {
      const block = this.blocks.get(String(id));
      if (!block) return null;
      found.push(block);
    }
    return byId(found);
  }

  /** Blocks in their current versions. */
  async currentBlocks(versions: ReadonlyMap<number, string>): Promise<IndexBlocks> {
    const current: CachedBlock[] = [];
    const changed: number[] = [];
    for (const [id, version] of versions) {
      const cached = this.blocks.get(String(id));
      if (cached?.version === version) current.push(cached);
      else changed.push(id);
    }
    countLookups('search-blocks', current.length, changed.length);
    for (const { amendments, ...fields } of await this.store.blocks(changed)) {
      const block = { ...fields, amended: new AmendedUnits(amendments) };
      current.push(block);
      this.blocks.set(String(block.id), block, block.runs.length * 80 + block.amended.size);
    }
    return byId(current);
  }

  async part(block: BlockName, part: number): Promise<DictionaryPart> {
    const key = `${block.id}.${block.generation}.${part}`;
    let cached = countLookup('search-dictionaries', this.parts.get(key));
    if (!cached) {
      cached = new DictionaryPart(await this.store.part(block, part));
      this.parts.set(key, cached, cached.size);
    }
    return cached;
  }

  /** @param keys `part.chunk` */
  async chunks(block: BlockName, keys: readonly string[]): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    const missing: string[] = [];
    const cacheKey = (key: string): string => `${block.id}.${block.generation}.${key}`;
    for (const key of keys) {
      const cached = this.postings.get(cacheKey(key));
      if (cached) found.set(key, cached);
      else missing.push(key);
    }
    countLookups('search-postings', found.size, missing.length);
    if (missing.length > 0)
      (await this.store.chunks(block, missing)).forEach((chunk, at) => {
        found.set(missing[at]!, chunk);
        this.postings.set(cacheKey(missing[at]!), chunk, chunk.length);
      });
    return found;
  }
}

const byId = (blocks: readonly CachedBlock[]): IndexBlocks =>
  new Map([...blocks].sort((a, b) => a.id - b.id).map((block) => [block.id, block]));
