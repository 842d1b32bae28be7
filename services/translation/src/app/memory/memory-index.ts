import { countLookups, logger } from '@parlance/telemetry';
import { TimeSlice } from '@parlance/workload';
import { pairOf, sourceHash } from '../../domain/memory/entry';
import { gramsOf } from '../../domain/memory/grams';
import {
  chunkOf,
  chunkSize,
  decodeChunk,
  decodeTexts,
  postingsOf,
  SegmentBuilder,
  sizeOf,
  type PostingsChunk,
  type Segment,
  type SegmentTexts,
} from '../../domain/memory/memory-segment';
import { visibleOwners } from '../../domain/memory/owners';
import type { VisibleEntries } from '../../domain/memory/ports';
import { BestTexts, rankTexts, rarestGrams } from '../../domain/memory/rank-texts';
import {
  segmentKey,
  type MemoryIndexReader,
  type SourceText,
  type StoredSegment,
} from '../../domain/memory/index-ports';
import { BrokenIndexError } from '../../domain/search/ports';
import { SizedCache } from '../caches/sized-cache';

/** Marked entries that a search reads, newest first. */
const MAX_FRESH = 5_000;
/** Entries of a reader that a search compares while there is no index. */
const MAX_SCANNED = 20_000;

export interface CandidateOptions {
  /** Minimum similarity. */
  percent: number;
  /** Maximum number of candidates for each text. */
  limit: number;
  visible: VisibleEntries;
}

/**
 * Finds source texts of the translation memory that are similar to others, by the trigrams that they share. The index is in the store: a
 * few immutable segments for each language pair, which all processes share, and marks of the entries that are newer. Segments know the
 * owners of each text, so that only texts that the reader may use take places of the candidates.
 */
export class MemoryIndex {
  private readonly texts: SizedCache<SegmentTexts>;
  private readonly postings: SizedCache<PostingsChunk>;

  /** @param cacheBytes memory for parts of segments */
  constructor(
    private readonly store: MemoryIndexReader,
    cacheBytes: number,
  ) {
    this.texts = new SizedCache(cacheBytes / 2);
    this.postings = new SizedCache(cacheBytes / 2);
  }

  /** Hashes of source texts that may be similar to each text, by estimated similarity, descending; first that of an equal text. */
  async candidates(
    languages: { source: string; target: string },
    texts: readonly string[],
    options: CandidateOptions,
  ): Promise<number[][]> {
    const pair = pairOf(languages.source, languages.target);
    const segments = await this.segments(pair, options.visible, texts);
    const owners = visibleOwners(options.visible);
    const slice = new TimeSlice();
    const found: number[][] = [];
    for (const text of texts) {
      const grams = [...gramsOf(text)];
      const sizes = new Map<number, number>();
      for (const { postings } of segments)
        for (const gram of grams) sizes.set(gram, (sizes.get(gram) ?? 0) + (postings.get(gram)?.length ?? 0));
      const read = rarestGrams(sizes);
      const best = new BestTexts(options.limit);
      for (const segment of segments) {
        const lists = grams.flatMap((gram) => (read.has(gram) ? (segment.postings.get(gram) ?? []) : []));
        if (lists.length === 0) continue;
        const searched = { grams: read.size, allGrams: grams.length, length: text.length };
        best.add(rankTexts(segment.texts, lists, { ...options, ...searched, owners, above: best.least }));
        if (slice.isOver()) await slice.next();
      }
      found.push([...new Set([sourceHash(text), ...best.sources])]);
    }
    return found;
  }

  /** All segments of a pair with the postings of some texts, and one of the entries that no segment contains. */
  private async segments(pair: string, visible: VisibleEntries, texts: readonly string[]): Promise<Segment[]> {
    for (let retry = false; ; retry = true) {
      try {
        const marked = this.store.freshSources(pair, visible, MAX_FRESH);
        const [ready, sources] = await Promise.all([this.store.isReady(), marked]);
        if (!ready) break;
        // The marks are read before the segments: an entry without a mark is in a segment already.
        const fresh = await segmentOf(sources, visible);
        const grams = new Set(texts.flatMap((text) => [...gramsOf(text)]));
        const stored = await this.store.segments(pair);
        return [fresh, ...(await this.load(stored, grams))];
      } catch (error) {
        if (!(error instanceof BrokenIndexError || error instanceof RangeError)) throw error;
        // The first time, the segment may have been replaced long ago.
        if (!retry) continue;
        logger.warn({ err: error }, 'memory index: invalid, built again');
        await this.store.requestRebuild();
      }
    }
    return [await segmentOf(await this.store.anySources(pair, visible, MAX_SCANNED), visible)];
  }

  /** The texts of segments, and their postings of some trigrams. */
  private async load(segments: readonly StoredSegment[], grams: ReadonlySet<number>): Promise<Segment[]> {
    const texts = await this.read(
      'texts',
      this.texts,
      segments.map(({ id }) => segmentKey(id, 'texts')),
      decodeTexts,
      sizeOf,
    );
    const sorted = Uint32Array.from(grams).sort();
    const firstOf = new Map<string, number>();
    /** Keys of the chunks that may contain each trigram. */
    const keys = segments.map(({ id }) => {
      const { firsts } = texts.get(segmentKey(id, 'texts'))!;
      let [last, key] = [-1, ''];
      return Array.from(sorted, (gram) => {
        const chunk = chunkOf(firsts, gram);
        // Neighbours are in the same chunk often.
        if (chunk > last) firstOf.set((key = segmentKey(id, (last = chunk))), firsts[chunk]!);
        return key;
      });
    });
    const chunks = await this.read(
      'postings',
      this.postings,
      [...firstOf.keys()],
      (bytes, key) => decodeChunk(firstOf.get(key)!, bytes),
      chunkSize,
    );
    return segments.map(({ id }, i) => {
      const postings = new Map<number, Uint8Array>();
      sorted.forEach((gram, j) => {
        const chunk = chunks.get(keys[i]![j]!);
        const list = chunk && postingsOf(chunk, gram);
        if (list) postings.set(gram, list);
      });
      return { texts: texts.get(segmentKey(id, 'texts'))!, postings };
    });
  }

  /** Documents by key, from a cache where it has them. */
  private async read<T>(
    name: 'texts' | 'postings',
    cache: SizedCache<T>,
    keys: readonly string[],
    decode: (bytes: Buffer, key: string) => T,
    size: (value: T) => number,
  ): Promise<Map<string, T>> {
    const found = new Map<string, T>();
    const missing: string[] = [];
    for (const key of keys) {
      const cached = cache.get(key);
      if (cached === undefined) missing.push(key);
      else found.set(key, cached);
    }
    countLookups(`memory-${name}`, found.size, missing.length);
    (await this.store.documents(missing)).forEach((bytes, i) => {
      const value = decode(bytes, missing[i]!);
      found.set(missing[i]!, value);
      cache.set(missing[i]!, value, size(value));
    });
    return found;
  }
}

/** A segment of texts that the reader may use. */
async function segmentOf(sources: readonly SourceText[], visible: VisibleEntries): Promise<Segment> {
  const builder = new SegmentBuilder();
  const owners = [...(visibleOwners(visible) ?? [])];
  const slice = new TimeSlice();
  for (const { source, text } of sources) {
    builder.add(source, text, owners);
    if (slice.isOver()) await slice.next();
  }
  return builder.build();
}
