import type { SegmentTexts } from './memory-segment';

/** Maximum number of postings that a search reads. Beyond it, the most frequent trigrams, which discriminate least, are ignored. */
const MAX_VISITS = 250_000;
/** Buckets of the histogram of scores. */
const BUCKETS = 256;
/** Maximum number of texts of the lowest selected bucket that are sorted by score. */
const MAX_TIES = 20_000;

export interface RankRequest {
  /** Number of trigrams of the searched text whose postings are read, number of all of them, and length of the text. */
  grams: number;
  allGrams: number;
  length: number;
  /** Minimum similarity; excludes texts by length. */
  percent: number;
  limit: number;
  /** Owners whose texts are visible; null: all. */
  owners: ReadonlySet<number> | null;
}

export interface RankedText {
  source: number;
  /** Estimated similarity, 0 to 1. */
  score: number;
}

/**
 * The trigrams whose postings are read: the rarest ones, up to the limit of a search.
 * @param sizes number of postings of each trigram in all segments
 */
export function rarestGrams(sizes: ReadonlyMap<number, number>): Set<number> {
  let visits = 0;
  const ascending = [...sizes].sort(([, a], [, b]) => a - b);
  return new Set(ascending.filter(([, size], i) => (visits += size) <= MAX_VISITS || i === 0).map(([gram]) => gram));
}

/** The visible texts of a segment with a possible length that share most trigrams with the searched text. */
export function rankTexts(texts: SegmentTexts, lists: readonly Uint8Array[], request: RankRequest): RankedText[] {
  const { grams, allGrams, length, percent, limit, owners } = request;
  const { sources, lengths, gramCounts } = texts;
  const shared = new Uint16Array(sources.length);
  for (const list of lists) countPostings(list, shared);
  const shortest = (length * percent) / 100;
  const longest = (length * 100) / percent;
  // One edit removes at most three trigrams.
  const needed = Math.max(1, grams - 3 * Math.ceil((longest * (100 - percent)) / 100));
  const scoreOf = (at: number): number => Math.min(1, (2 * shared[at]!) / (grams + gramCounts[at]!));
  const bucketOf = (at: number): number => Math.floor((BUCKETS - 1) * scoreOf(at));
  // Texts that differ only in white space may have any length; trigrams ignore repeated white space.
  const hasSameGrams = (at: number): boolean => shared[at] === grams && gramCounts[at] === allGrams;
  const fitting: number[] = [];
  const bucketSizes = new Uint32Array(BUCKETS);
  for (let at = 0; at < shared.length; at++) {
    if (shared[at]! < needed) continue;
    if ((lengths[at]! < shortest || lengths[at]! > longest) && !hasSameGrams(at)) continue;
    if (!isVisible(texts, at, owners)) continue;
    fitting.push(at);
    bucketSizes[bucketOf(at)]!++;
  }
  let lowest = BUCKETS - 1;
  for (let sum = bucketSizes[lowest]!; lowest > 0 && sum < limit; sum += bucketSizes[lowest]!) lowest--;
  // The lowest bucket may contain nearly all texts; beyond the limit, an arbitrary subset is taken.
  let remaining = limit;
  for (let bucket = lowest + 1; bucket < BUCKETS; bucket++) remaining -= bucketSizes[bucket]!;
  const ranked: RankedText[] = [];
  for (const at of fitting) {
    const bucket = bucketOf(at);
    if (bucket > lowest || (bucket === lowest && (bucketSizes[lowest]! <= MAX_TIES || remaining-- > 0)))
      ranked.push({ source: sources[at]!, score: scoreOf(at) });
  }
  return ranked.sort((a, b) => b.score - a.score).slice(0, limit);
}

/** Counts the positions of a list. Like `decodePostings`, without a call for each posting: a search reads up to {@link MAX_VISITS}. */
function countPostings(list: Uint8Array, counts: Uint16Array): void {
  let at = -1;
  let value = 0;
  let shift = 0;
  for (let i = 0; i < list.length; i++) {
    const byte = list[i]!;
    value |= (byte & 0x7f) << shift;
    if (byte >= 0x80) {
      shift += 7;
      continue;
    }
    at += value + 1;
    if (at >= counts.length) throw new RangeError('memory index: invalid posting');
    counts[at]!++;
    value = 0;
    shift = 0;
  }
}

function isVisible({ ownerStarts, owners }: SegmentTexts, at: number, visible: ReadonlySet<number> | null): boolean {
  if (!visible) return true;
  for (let i = ownerStarts[at]!; i < ownerStarts[at + 1]!; i++) if (visible.has(owners[i]!)) return true;
  return false;
}

/** The best of several rankings, without duplicates. */
export function bestOf(rankings: readonly RankedText[][], limit: number): number[] {
  const found = new Set<number>();
  for (const { source } of rankings.flat().sort((a, b) => b.score - a.score)) {
    if (found.size >= limit) break;
    found.add(source);
  }
  return [...found];
}
