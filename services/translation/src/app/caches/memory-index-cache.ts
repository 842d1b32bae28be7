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
    const found = await this.read('memory-texts', this.texts, keys, decodeTexts, sizeOf);
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
    const read = new Map<string, Buffer>();
    const decode = (bytes: Buffer, key: string): ChunkDirectory => {
      read.set(key, bytes);
      return directoryOf(firsts.get(key)!, bytes);
    };
    const keys = [...firsts.keys()];
    const directories = await this.read('memory-directories', this.directories, keys, decode, directorySize);
    return { directories, read };
  }

  /** Chunks by key. @param known chunks that need not be read @throws BrokenIndexError */
  chunksOf(keys: readonly string[], known: ReadonlyMap<string, Buffer>): Promise<Map<string, Buffer>> {
    const same = (chunk: Buffer): Buffer => chunk;
    return this.read('memory-postings', this.chunks, keys, same, (chunk) => chunk.length, known);
  }

  /** Documents by key, from the cache where it has them. @param known documents that need not be read */
  private async read<T>(
    name: 'memory-texts' | 'memory-directories' | 'memory-postings',
    cache: SizedCache<T>,
    keys: readonly string[],
    decode: (bytes: Buffer, key: string) => T,
    size: (value: T) => number,
    known: ReadonlyMap<string, Buffer> = new Map(),
  ): Promise<Map<string, T>> {
    const found = new Map<string, T>();
    const missing: string[] = [];
    for (const key of keys) {
      const cached = cache.get(key);
      if (cached === undefined) missing.push(key);
      else found.set(key, cached);
    }
    countLookups(name, found.size, missing.length);
    const absent = missing.filter((key) => !known.has(key));
    const documents = await this.store.documents(absent);
    const read = new Map([...known, ...absent.map((key, i): [string, Buffer] => [key, documents[i]!])]);
    const slice = new TimeSlice();
    for (const key of missing) {
      const value = decode(read.get(key)!, key);
      found.set(key, value);
      cache.set(key, value, size(value));
      if (slice.isOver()) await slice.next();
    }
    return found;
  }
}
