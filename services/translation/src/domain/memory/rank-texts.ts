import { MAX_SEGMENT_TEXTS, type SegmentTexts } from './memory-segment';

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
  /** Texts with this score or a lower one are omitted. */
  above: number;
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

/** Numbers of shared trigrams, all 0 between two rankings. Reused, because zeroing new memory takes longer than counting. */
const reused = new Uint16Array(MAX_SEGMENT_TEXTS);

/** The visible texts of a segment with a possible length that share most trigrams with the searched text. */
export function rankTexts(texts: SegmentTexts, lists: readonly Uint8Array[], request: RankRequest): RankedText[] {
  const { sources } = texts;
  const shared = sources.length <= reused.length ? reused.subarray(0, sources.length) : new Uint16Array(sources.length);
  try {
    for (const list of lists) countPostings(list, shared);
    return bestShared(texts, shared, request);
  } finally {
    shared.fill(0);
  }
}

function bestShared(texts: SegmentTexts, shared: Uint16Array, request: RankRequest): RankedText[] {
  const { grams, allGrams, limit, above } = request;
  const { sources, lengths, gramCounts } = texts;
  const needed = neededGrams(request);
  const [shortest, longest] = lengthsFor(request);
  const fitting: RankedText[] = [];
  const bucketSizes = new Uint32Array(BUCKETS);
  const consider = (at: number): void => {
    const common = shared[at]!;
    if (common < needed) return;
    const score = Math.min(1, (2 * common) / (grams + gramCounts[at]!));
    if (score <= above) return;
    // Texts that differ only in white space may have any length; trigrams ignore repeated white space.
    const hasSameGrams = common === grams && gramCounts[at] === allGrams;
    if ((lengths[at]! < shortest || lengths[at]! > longest) && !hasSameGrams) return;
    // A text of several owners takes one place.
    shared[at] = 0;
    fitting.push({ source: sources[at]!, score });
    bucketSizes[bucketOf(score)]!++;
  };
  if (request.owners) {
    for (const owner of request.owners) {
      const positions = texts.byOwner.get(owner);
      if (positions) for (let i = 0; i < positions.length; i++) consider(positions[i]!);
    }
  } else {
    for (let at = 0; at < shared.length; at++) consider(at);
  }
  let lowest = BUCKETS - 1;
  for (let sum = bucketSizes[lowest]!; lowest > 0 && sum < limit; sum += bucketSizes[lowest]!) lowest--;
  // The lowest bucket may contain nearly all texts; beyond the limit, an arbitrary subset is taken.
  let remaining = limit;
  for (let bucket = lowest + 1; bucket < BUCKETS; bucket++) remaining -= bucketSizes[bucket]!;
  return fitting
    .filter(({ score }) => {
      const bucket = bucketOf(score);
      return bucket > lowest || (bucket === lowest && (bucketSizes[lowest]! <= MAX_TIES || remaining-- > 0));
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

const bucketOf = (score: number): number => Math.floor((BUCKETS - 1) * score);

/** Lengths that a text with the minimum similarity can have. */
const lengthsFor = ({ length, percent }: RankRequest): [number, number] => [
  (length * percent) / 100,
  (length * 100) / percent,
];

/** Trigrams that a text shares at least if it has the minimum similarity, and a score above that of the request. */
function neededGrams(request: RankRequest): number {
  const { grams, percent, above } = request;
  const [, longest] = lengthsFor(request);
  // One edit removes at most three trigrams.
  const forSimilarity = grams - 3 * Math.ceil((longest * (100 - percent)) / 100);
  // A text has at least the trigrams that it shares.
  const forScore = Math.floor((above * grams) / (2 - above)) + 1;
  return Math.max(forSimilarity, forScore);
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

/** The best texts of several segments, each once. */
export class BestTexts {
  private best: RankedText[] = [];

  constructor(private readonly limit: number) {}

  /** The score that another text must exceed to be among the best. */
  get least(): number {
    return this.best.length < this.limit ? 0 : this.best.at(-1)!.score;
  }

  /** Descending by score. */
  get sources(): number[] {
    return this.best.map(({ source }) => source);
  }

  add(ranked: readonly RankedText[]): void {
    if (ranked.length === 0) return;
    const found = new Map<number, RankedText>();
    for (const text of [...this.best, ...ranked].sort((a, b) => b.score - a.score)) {
      if (found.size >= this.limit) break;
      if (!found.has(text.source)) found.set(text.source, text);
    }
    this.best = [...found.values()];
  }
}
