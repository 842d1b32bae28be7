/** Grams of a text that count; a long text is told apart from others by its beginning. */
const MAX_GRAMS = 256;

/** Longer texts count as this long when lengths are compared. */
const LONGEST = 65_535;
/** Grams that are told apart, as bits: texts whose grams collide are sorted out when the texts themselves are compared. */
const GRAM_BITS = 17;
/** Bytes of what an index holds beside the numbers in its lists: for a text, and for a list. */
const TEXT_BYTES = 80;
const LIST_BYTES = 200;
/** Numbers that a search visits, at most: it leaves out the grams that most texts share, which tell the least. */
const MAX_VISITS = 2_000_000;
/** Steps into which scores are sorted before the best are compared exactly. */
const STEPS = 256;
/** Texts of the last step that are sorted exactly. */
const MAX_TIES = 20_000;

/** A list of small numbers that grows. */
class Numbers<T extends Uint16Array | Uint32Array> {
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

/** The distinct runs of three characters of a text, ignoring case and runs of white space, as numbers. */
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
  private readonly gramCounts = new Numbers(new Uint16Array(1024));
  private readonly lengths = new Numbers(new Uint16Array(1024));
  private readonly postings = new Map<number, Numbers<Uint32Array>>();
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
    this.listBytes += this.lengths.push(Math.min(text.length, LONGEST)) + this.gramCounts.push(grams.size);
    for (const gram of grams) {
      let list = this.postings.get(gram);
      if (!list) {
        this.postings.set(gram, (list = new Numbers(new Uint32Array(4))));
        this.listBytes += LIST_BYTES;
      }
      this.listBytes += list.push(slot);
    }
  }

  /**
   * Keys of the texts that may be similar enough, the most promising first.
   * @param percent texts whose lengths alone make them less similar than this are left out
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

  /** The lists of the rarest grams that a search may visit, and how many grams these are. */
  private rarest(grams: ReadonlySet<number>): { lists: Numbers<Uint32Array>[]; grams: number } {
    const found = [...grams].flatMap((gram) => this.postings.get(gram) ?? []).sort((a, b) => a.length - b.length);
    let visits = 0;
    const lists = found.filter((list, i) => (visits += list.length) <= MAX_VISITS || i === 0);
    return { lists, grams: grams.size - (found.length - lists.length) };
  }

  /** The slots with the highest share of common grams, among those of a fitting length. */
  private best(size: number, grams: number, length: number, percent: number, limit: number): number[] {
    const { shared } = this;
    const { values: lengths } = this.lengths;
    const { values: gramCounts } = this.gramCounts;
    const shortest = (length * percent) / 100;
    const longest = (length * 100) / percent;
    // An edit takes away three grams at most.
    const needed = Math.max(1, grams - 3 * Math.ceil((longest * (100 - percent)) / 100));
    const scoreOf = (slot: number): number => Math.min(1, (2 * shared[slot]!) / (grams + gramCounts[slot]!));
    const stepOf = (slot: number): number => Math.floor((STEPS - 1) * scoreOf(slot));
    const fits = (slot: number): boolean =>
      shared[slot]! >= needed && lengths[slot]! >= shortest && lengths[slot]! <= longest;
    const inStep = new Uint32Array(STEPS);
    for (let slot = 0; slot < size; slot++) if (fits(slot)) inStep[stepOf(slot)]!++;
    let lowest = STEPS - 1;
    for (let sum = inStep[lowest]!; lowest > 0 && sum < limit; sum += inStep[lowest]!) lowest--;
    // The lowest step may hold nearly all texts: the first of them are as good as the others.
    let room = limit;
    for (let step = lowest + 1; step < STEPS; step++) room -= inStep[step]!;
    const scored: { slot: number; score: number }[] = [];
    for (let slot = 0; slot < size; slot++) {
      if (!fits(slot)) continue;
      const step = stepOf(slot);
      if (step > lowest || (step === lowest && (inStep[lowest]! <= MAX_TIES || room-- > 0)))
        scored.push({ slot, score: scoreOf(slot) });
    }
    scored.sort((a, b) => b.score - a.score);
    return scored.slice(0, limit).map(({ slot }) => this.keys[slot]!);
  }
}
