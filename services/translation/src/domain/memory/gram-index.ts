/** Trigrams of a text that are indexed; of a long text, only the beginning. */
const MAX_GRAMS = 256;

/** Maximum of stored lengths (16 bits). */
const MAX_LENGTH = 65_535;
/** Bits of a trigram's hash. The exact comparison later excludes texts found by a collision. */
const GRAM_BITS = 17;
/** Overhead in bytes: of a text, and of a postings list. */
const TEXT_BYTES = 80;
const LIST_BYTES = 200;
/** Maximum number of postings that a search reads. Beyond it, the most frequent trigrams, which discriminate least, are ignored. */
const MAX_VISITS = 2_000_000;
/** Buckets of the histogram of scores. */
const BUCKETS = 256;
/** Maximum number of texts of the lowest selected bucket that are sorted by score. */
const MAX_TIES = 20_000;

/** Growing typed array. */
class GrowingArray<T extends Uint16Array | Uint32Array> {
  length = 0;

  constructor(public values: T) {}

  /** @returns bytes by which the list grew */
  push(value: number): number {
    let grown = 0;
    if (this.length === this.values.length) {
      const larger = new (this.values.constructor as new (length: number) => T)(Math.ceil(this.length * 1.5));
      larger.set(this.values);
      grown = larger.byteLength - this.values.byteLength;
      this.values = larger;
    }
    this.values[this.length++] = value;
    return grown;
  }
}

/** Hashes of the distinct trigrams of a text, ignoring case and repeated white space. */
function gramsOf(text: string): Set<number> {
  const padded = `  ${text.toLowerCase().replace(/\s+/g, ' ').trim()} `;
  const grams = new Set<number>();
  for (let at = 0; at + 3 <= padded.length && grams.size < MAX_GRAMS; at++) {
    const mixed =
      Math.imul(padded.charCodeAt(at), 0x9e3779b1) ^
      Math.imul(padded.charCodeAt(at + 1), 0x85ebca6b) ^
      Math.imul(padded.charCodeAt(at + 2), 0xc2b2ae35);
    grams.add(Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> (32 - GRAM_BITS));
  }
  return grams;
}

/** Finds texts that are similar to another by the runs of three characters that they share. Holds no texts. */
export class GramIndex {
  private readonly keys: number[] = [];
  private readonly known = new Set<number>();
  private readonly gramCounts = new GrowingArray(new Uint16Array(1024));
  private readonly lengths = new GrowingArray(new Uint16Array(1024));
  private readonly postings = new Map<number, GrowingArray<Uint32Array>>();
  private shared = new Uint16Array(1024);
  private listBytes = this.gramCounts.values.byteLength + this.lengths.values.byteLength;

  get size(): number {
    return this.keys.length;
  }

  /** Memory that the index takes, about. */
  get bytes(): number {
    return this.listBytes + this.shared.byteLength + this.keys.length * TEXT_BYTES;
  }

  /** Adds a text under a key; a key that is there already is left as it is. */
  add(key: number, text: string): void {
    if (this.known.has(key)) return;
    const slot = this.keys.length;
    const grams = gramsOf(text);
    this.known.add(key);
    this.keys.push(key);
    this.listBytes += this.lengths.push(Math.min(text.length, MAX_LENGTH)) + this.gramCounts.push(grams.size);
    for (const gram of grams) {
      let list = this.postings.get(gram);
      if (!list) {
        this.postings.set(gram, (list = new GrowingArray(new Uint32Array(4))));
        this.listBytes += LIST_BYTES;
      }
      this.listBytes += list.push(slot);
    }
  }

  /**
   * Keys of texts that may be similar, by estimated similarity, descending.
   * @param percent minimum similarity; excludes texts by length
   */
  candidates(text: string, percent: number, limit: number): number[] {
    const size = this.keys.length;
    if (this.shared.length < size) this.shared = new Uint16Array(Math.ceil(size * 1.5));
    const { shared } = this;
    const { lists, grams } = this.rarest(gramsOf(text));
    for (const { values, length } of lists) for (let at = 0; at < length; at++) shared[values[at]!]!++;
    const found = this.best(size, grams, text.length, percent, limit);
    shared.fill(0, 0, size);
    return found;
  }

  /** Postings of the rarest trigrams, up to the limit of a search, and the number of these trigrams. */
  private rarest(grams: ReadonlySet<number>): { lists: GrowingArray<Uint32Array>[]; grams: number } {
    const found = [...grams].flatMap((gram) => this.postings.get(gram) ?? []).sort((a, b) => a.length - b.length);
    let visits = 0;
    const lists = found.filter((list, i) => (visits += list.length) <= MAX_VISITS || i === 0);
    return { lists, grams: grams.size - (found.length - lists.length) };
  }

  /** Slots with a possible length and the highest share of common trigrams. */
  private best(size: number, grams: number, length: number, percent: number, limit: number): number[] {
    const { shared } = this;
    const { values: lengths } = this.lengths;
    const { values: gramCounts } = this.gramCounts;
    const shortest = (length * percent) / 100;
    const longest = (length * 100) / percent;
    // One edit removes at most three trigrams.
    const needed = Math.max(1, grams - 3 * Math.ceil((longest * (100 - percent)) / 100));
    const scoreOf = (slot: number): number => Math.min(1, (2 * shared[slot]!) / (grams + gramCounts[slot]!));
    const bucketOf = (slot: number): number => Math.floor((BUCKETS - 1) * scoreOf(slot));
    const fits = (slot: number): boolean =>
      shared[slot]! >= needed && lengths[slot]! >= shortest && lengths[slot]! <= longest;
    const bucketSizes = new Uint32Array(BUCKETS);
    for (let slot = 0; slot < size; slot++) if (fits(slot)) bucketSizes[bucketOf(slot)]!++;
    let lowest = BUCKETS - 1;
    for (let sum = bucketSizes[lowest]!; lowest > 0 && sum < limit; sum += bucketSizes[lowest]!) lowest--;
    // The lowest bucket may contain nearly all texts; beyond the limit, an arbitrary subset is taken.
    let remaining = limit;
    for (let bucket = lowest + 1; bucket < BUCKETS; bucket++) remaining -= bucketSizes[bucket]!;
    const scored: { slot: number; score: number }[] = [];
    for (let slot = 0; slot < size; slot++) {
      if (!fits(slot)) continue;
      const bucket = bucketOf(slot);
      if (bucket > lowest || (bucket === lowest && (bucketSizes[lowest]! <= MAX_TIES || remaining-- > 0)))
        scored.push({ slot, score: scoreOf(slot) });
    }
    scored.sort((a, b) => b.score - a.score);
    return scored.slice(0, limit).map(({ slot }) => this.keys[slot]!);
  }
}
