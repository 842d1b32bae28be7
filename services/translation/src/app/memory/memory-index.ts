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

/** The best candidates for each text, and the trigrams that decided. */
interface Ranking {
  best: BestTexts[];
  read: readonly ReadonlySet<number>[];
}

/** Memory for the lists of segments of language pairs, in segments. */
const LISTED_SEGMENTS = 100_000;

/**
 * Finds source texts of the translation memory that are similar to others, by the trigrams that they share. The index is in the store: a
 * few immutable segments for each language pair, which all processes share, and marks of the entries that are newer. Segments know the
 * owners of each text, so that only texts that the reader may use take places of the candidates.
 */
export class MemoryIndex {
  private readonly documents: MemoryIndexCache;
  /** Segments of pairs when this process last read them. */
  private readonly lists = new SizedCache<readonly StoredSegment[]>(LISTED_SEGMENTS);

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
    const best = await this.best(pair, searched, options);
    return texts.map((text, i) => [...new Set([sourceHash(text), ...best[i]!.sources])]);
  }

  /** The best candidates for each text. */
  private async best(pair: string, searched: readonly SearchedText[], options: CandidateOptions): Promise<BestTexts[]> {
    for (let retry = false; ; retry = true) {
      try {
        const found = await this.answer(pair, searched, options);
        if (found) return found;
        break;
      } catch (error) {
        if (!(error instanceof BrokenIndexError || error instanceof RangeError)) throw error;
        // The first time, the segment may have been replaced long ago.
        if (!retry) continue;
        logger.warn({ err: error }, 'memory index: invalid, built again');
        await this.store.requestRebuild();
      }
    }
    const ranking = await this.rankStored([], searched, options);
    await addFresh(ranking, await this.store.anySources(pair, options.visible, MAX_SCANNED), searched, options);
    return ranking.best;
  }

  /** @returns null when there is no index */
  private async answer(
    pair: string,
    searched: readonly SearchedText[],
    options: CandidateOptions,
  ): Promise<BestTexts[] | null> {
    const last = this.lists.get(pair);
    // Segments change rarely, so their texts are ranked while the list is read. Documents of former segments may be deleted.
    const attempt = last && this.rankStored(last, searched, options);
    attempt?.catch(() => undefined);
    const marked = this.store.freshSources(pair, options.visible, MAX_FRESH);
    const [ready, sources] = await Promise.all([this.store.isReady(), marked]);
    if (!ready) return null;
    // The marks are read before the segments: an entry without a mark is in a segment already.
    const stored = await this.store.segments(pair);
    this.lists.set(pair, stored, stored.length);
    const ranking = await (attempt && areSame(last, stored) ? attempt : this.rankStored(stored, searched, options));
    await addFresh(ranking, sources, searched, options);
    return ranking.best;
  }

  private async rankStored(
    stored: readonly StoredSegment[],
    searched: readonly SearchedText[],
    options: CandidateOptions,
  ): Promise<Ranking> {
    const { segments, read } = await this.load(stored, searched);
    const ranking = { best: searched.map(() => new BestTexts(options.limit)), read };
    await rank(ranking, segments, searched, options);
    return ranking;
  }

  /** Stored segments with the postings of the rarest trigrams of each text. */
  private async load(stored: readonly StoredSegment[], searched: readonly SearchedText[]): Promise<LoadedSegments> {
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
    const sizes = new Map(grams.map((gram) => [gram, 0]));
    const places: { segment: number; gram: number; key: string; start: number; end: number }[] = [];
    for (const { segment, gram, key } of candidates) {
      const place = placeOf(directories.get(key)!, gram);
      if (!place) continue;
      sizes.set(gram, sizes.get(gram)! + place.end - place.start);
      places.push({ segment, gram, key, ...place });
      if (slice.isOver()) await slice.next();
    }
    const read = searched.map(({ grams: some }) => rarestGrams(new Map(some.map((gram) => [gram, sizes.get(gram)!]))));
    const wanted = new Set(read.flatMap((some) => [...some]));
    const needed = places.filter(({ gram }) => wanted.has(gram));
    const chunks = await this.documents.chunksOf([...new Set(needed.map(({ key }) => key))], known);
    const segments = texts.map((columns) => ({ texts: columns, postings: new Map<number, Uint8Array>() }));
    for (const { segment, gram, key, start, end } of needed)
      segments[segment]!.postings.set(gram, chunks.get(key)!.subarray(start, end));
    return { segments, read };
  }
}

const areSame = (last: readonly StoredSegment[] | undefined, stored: readonly StoredSegment[]): boolean =>
  last?.length === stored.length && last.every(({ id }, i) => stored[i]!.id === id);

/** Adds the candidates for each text in some segments to the best ones. */
async function rank(
  { best, read }: Ranking,
  segments: readonly Segment[],
  searched: readonly SearchedText[],
  options: CandidateOptions,
): Promise<void> {
  const owners = visibleOwners(options.visible);
  const slice = new TimeSlice();
  for (const [i, { text, grams }] of searched.entries()) {
    const readGrams = grams.filter((gram) => read[i]!.has(gram));
    const request = { ...options, owners, grams: readGrams.length, allGrams: grams.length, length: text.length };
    for (const segment of segments) {
      const lists = readGrams.flatMap((gram) => segment.postings.get(gram) ?? []);
      if (lists.length === 0) continue;
      best[i]!.add(rankTexts(segment.texts, lists, { ...request, above: best[i]!.least }));
      if (slice.isOver()) await slice.next();
    }
  }
}

/**
 * Adds the candidates among texts that no segment contains. The same trigrams decide, because scores have to be comparable.
 * @param sources texts that the reader may use
 */
async function addFresh(
  ranking: Ranking,
  sources: readonly SourceText[],
  searched: readonly SearchedText[],
  options: CandidateOptions,
): Promise<void> {
  if (sources.length > 0) await rank(ranking, [await segmentOf(sources, options.visible)], searched, options);
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
