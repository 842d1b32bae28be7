import { logger } from '@parlance/telemetry';
import { TimeSlice } from '@parlance/workload';
import { pairOf, sourceHash } from '../../domain/memory/entry';
import { gramsOf } from '../../domain/memory/grams';
import { chunkOf, placeOf, SegmentBuilder, type Segment } from '../../domain/memory/memory-segment';
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
import { MemoryIndexCache } from '../caches/memory-index-cache';

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

/** A text whose candidates are wanted, and its trigrams. */
interface SearchedText {
  text: string;
  grams: readonly number[];
}

/** Segments with the postings that a search reads, and for each text the trigrams of these. */
interface LoadedSegments {
  segments: Segment[];
  read: ReadonlySet<number>[];
}

/**
 * Finds source texts of the translation memory that are similar to others, by the trigrams that they share. The index is in the store: a
 * few immutable segments for each language pair, which all processes share, and marks of the entries that are newer. Segments know the
 * owners of each text, so that only texts that the reader may use take places of the candidates.
 */
export class MemoryIndex {
  private readonly documents: MemoryIndexCache;

  /** @param cacheBytes memory for parts of segments */
  constructor(
    private readonly store: MemoryIndexReader,
    cacheBytes: number,
  ) {
    this.documents = new MemoryIndexCache(store, cacheBytes);
  }

  /** Hashes of source texts that may be similar to each text, by estimated similarity, descending; first that of an equal text. */
  async candidates(
    languages: { source: string; target: string },
    texts: readonly string[],
    options: CandidateOptions,
  ): Promise<number[][]> {
    const pair = pairOf(languages.source, languages.target);
    const searched = texts.map((text) => ({ text, grams: [...gramsOf(text)] }));
    const { segments, read } = await this.segments(pair, options.visible, searched);
    const owners = visibleOwners(options.visible);
    const slice = new TimeSlice();
    const found: number[][] = [];
    for (const [i, { text, grams }] of searched.entries()) {
      const readGrams = grams.filter((gram) => read[i]!.has(gram));
      const best = new BestTexts(options.limit);
      for (const segment of segments) {
        const lists = readGrams.flatMap((gram) => segment.postings.get(gram) ?? []);
        if (lists.length === 0) continue;
        const request = { grams: readGrams.length, allGrams: grams.length, length: text.length };
        best.add(rankTexts(segment.texts, lists, { ...options, ...request, owners, above: best.least }));
        if (slice.isOver()) await slice.next();
      }
      found.push([...new Set([sourceHash(text), ...best.sources])]);
    }
    return found;
  }

  /** All segments of a pair, and one of the entries that no segment contains. */
  private async segments(
    pair: string,
    visible: VisibleEntries,
    searched: readonly SearchedText[],
  ): Promise<LoadedSegments> {
    for (let retry = false; ; retry = true) {
      try {
        const marked = this.store.freshSources(pair, visible, MAX_FRESH);
        const [ready, sources] = await Promise.all([this.store.isReady(), marked]);
        if (!ready) break;
        // The marks are read before the segments: an entry without a mark is in a segment already.
        const fresh = await segmentOf(sources, visible);
        return await this.load(fresh, await this.store.segments(pair), searched);
      } catch (error) {
        if (!(error instanceof BrokenIndexError || error instanceof RangeError)) throw error;
        // The first time, the segment may have been replaced long ago.
        if (!retry) continue;
        logger.warn({ err: error }, 'memory index: invalid, built again');
        await this.store.requestRebuild();
      }
    }
    return this.load(await segmentOf(await this.store.anySources(pair, visible, MAX_SCANNED), visible), [], searched);
  }

  /** Stored segments with the postings of the rarest trigrams of each text. */
  private async load(
    fresh: Segment,
    stored: readonly StoredSegment[],
    searched: readonly SearchedText[],
  ): Promise<LoadedSegments> {
    const texts = await this.documents.textsOf(stored.map(({ id }) => id));
    const grams = [...new Set(searched.flatMap((each) => each.grams))];
    const slice = new TimeSlice();
    const candidates: { segment: number; gram: number; key: string; first: number }[] = [];
    for (const [segment, { id }] of stored.entries()) {
      const { firsts } = texts[segment]!;
      for (const gram of grams) {
        const chunk = chunkOf(firsts, gram);
        if (chunk >= 0) candidates.push({ segment, gram, key: segmentKey(id, chunk), first: firsts[chunk]! });
      }
      if (slice.isOver()) await slice.next();
    }
    const { directories, read: known } = await this.documents.directoriesOf(candidates);
    const sizes = new Map(grams.map((gram) => [gram, fresh.postings.get(gram)?.length ?? 0]));
    const places: { segment: number; gram: number; key: string; start: number; end: number }[] = [];
    for (const { segment, gram, key } of candidates) {
      const place = placeOf(directories.get(key)!, gram);
      if (!place) continue;
      sizes.set(gram, sizes.get(gram)! + place.end - place.start);
      places.push({ segment, gram, key, ...place });
      if (slice.isOver()) await slice.next();
    }
    const read = searched.map((each) => rarestGrams(new Map(each.grams.map((gram) => [gram, sizes.get(gram)!]))));
    const wanted = new Set(read.flatMap((some) => [...some]));
    const needed = places.filter(({ gram }) => wanted.has(gram));
    const chunks = await this.documents.chunksOf([...new Set(needed.map(({ key }) => key))], known);
    const segments = texts.map((columns) => ({ texts: columns, postings: new Map<number, Uint8Array>() }));
    for (const { segment, gram, key, start, end } of needed)
      segments[segment]!.postings.set(gram, chunks.get(key)!.subarray(start, end));
    return { segments: [fresh, ...segments], read };
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
