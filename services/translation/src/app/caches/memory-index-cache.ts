import { countLookups } from '@parlance/telemetry';
import { TimeSlice } from '@parlance/workload';
import { segmentKey, type MemoryIndexReader } from '../../domain/memory/index-ports';
import {
  decodeTexts,
  directoryOf,
  directorySize,
  sizeOf,
  type ChunkDirectory,
  type SegmentTexts,
} from '../../domain/memory/memory-segment';
import { SizedCache } from './sized-cache';

/** A chunk of postings of a segment. */
export interface ChunkName {
  /** Of its document. */
  key: string;
  /** Its first trigram. */
  first: number;
}

/** Documents of the index of the translation memory, which never change. */
export class MemoryIndexCache {
  private readonly texts: SizedCache<SegmentTexts>;
  private readonly directories: SizedCache<ChunkDirectory>;
  private readonly chunks: SizedCache<Buffer>;

  /** @param bytes memory for all of them */
  constructor(
    private readonly store: Pick<MemoryIndexReader, 'documents'>,
    bytes: number,
  ) {
    this.texts = new SizedCache((bytes * 3) / 8);
    this.directories = new SizedCache(bytes / 8);
    this.chunks = new SizedCache(bytes / 2);
  }

  /** In the order of the segments. @throws BrokenIndexError, RangeError on damaged documents */
  async textsOf(segments: readonly string[]): Promise<SegmentTexts[]> {
    const keys = segments.map((id) => segmentKey(id, 'texts'));
    const { found, missing } = lookUp('memory-texts', this.texts, keys);
    const slice = new TimeSlice();
    for (const [i, bytes] of (await this.store.documents(missing)).entries()) {
      const texts = decodeTexts(bytes);
      found.set(missing[i]!, texts);
      this.texts.set(missing[i]!, texts, sizeOf(texts));
      if (slice.isOver()) await slice.next();
    }
    return keys.map((key) => found.get(key)!);
  }

  /**
   * Directories of chunks by key, and the chunks that had to be read for them. Those are not cached: a search does not need the postings of
   * frequent trigrams, which are most of the index, but their lengths.
   * @throws BrokenIndexError, RangeError on damaged documents
   */
  async directoriesOf(
    names: readonly ChunkName[],
  ): Promise<{ directories: Map<string, ChunkDirectory>; read: Map<string, Buffer> }> {
    const firsts = new Map(names.map(({ key, first }) => [key, first]));
    const { found, missing } = lookUp('memory-directories', this.directories, [...firsts.keys()]);
    const read = new Map<string, Buffer>();
    const slice = new TimeSlice();
    for (const [i, bytes] of (await this.store.documents(missing)).entries()) {
      const key = missing[i]!;
      const directory = directoryOf(firsts.get(key)!, bytes);
      read.set(key, bytes);
      found.set(key, directory);
      this.directories.set(key, directory, directorySize(directory));
      if (slice.isOver()) await slice.next();
    }
    return { directories: found, read };
  }

  /** Chunks by key. @param read chunks that need not be read @throws BrokenIndexError */
  async chunksOf(keys: readonly string[], read: ReadonlyMap<string, Buffer>): Promise<Map<string, Buffer>> {
    const { found, missing } = lookUp('memory-postings', this.chunks, keys);
    const absent = missing.filter((key) => !read.has(key));
    const documents = await this.store.documents(absent);
    const fetched = new Map(absent.map((key, i) => [key, documents[i]!]));
    for (const key of missing) {
      const chunk = read.get(key) ?? fetched.get(key)!;
      found.set(key, chunk);
      this.chunks.set(key, chunk, chunk.length);
    }
    return found;
  }
}

function lookUp<T>(
  name: 'memory-texts' | 'memory-directories' | 'memory-postings',
  cache: SizedCache<T>,
  keys: readonly string[],
): { found: Map<string, T>; missing: string[] } {
  const found = new Map<string, T>();
  const missing: string[] = [];
  for (const key of keys) {
    const cached = cache.get(key);
    if (cached === undefined) missing.push(key);
    else found.set(key, cached);
  }
  countLookups(name, found.size, missing.length);
  return { found, missing };
}
