/** Grams of a text that count; a long text is told apart from others by its beginning. */
const MAX_GRAMS = 256;

/** Longer texts count as this long when lengths are compared. */
const LONGEST = 65_535;
/** Steps into which scores are sorted before the best are compared exactly. */
const STEPS = 256;

/** A list of small numbers that grows. */
class Numbers<T extends Uint16Array | Uint32Array> {
  length = 0;

  constructor(public values: T) {}

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new (this.values.constructor as new (length: number) => T)(this.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }
}

/** The distinct runs of three characters of a text, ignoring case and runs of white space, as numbers. */
function gramsOf(text: string): Set<number> {
  const padded = `  ${text.toLowerCase().replace(/\s+/g, ' ').trim()} `;
  const grams = new Set<number>();
  for (let at = 0; at + 3 <= padded.length && grams.size < MAX_GRAMS; at++) {
    // 16 bits each do not fit into 32: texts whose grams collide are sorted out when the texts themselves are compared.
    grams.add(
      (Math.imul(padded.charCodeAt(at), 0x9e3779b1) ^
        Math.imul(padded.charCodeAt(at + 1), 0x85ebca6b) ^
        Math.imul(padded.charCodeAt(at + 2), 0xc2b2ae35)) >>>
        0,
    );
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

  get size(): number {
    return this.keys.length;
  }

  /** Adds a text under a key; a key that is there already is left as it is. */
  add(key: number, text: string): void {
    if (this.known.has(key)) return;
    const slot = this.keys.length;
    const grams = gramsOf(text);
    this.known.add(key);
    this.keys.push(key);
    this.lengths.push(Math.min(text.length, LONGEST));
    this.gramCounts.push(grams.size);
    for (const gram of grams) {
      let list = this.postings.get(gram);
      if (!list) this.postings.set(gram, (list = new Numbers(new Uint32Array(4))));
      list.push(slot);
    }
  }

  /**
   * Keys of the texts that may be similar enough, the most promising first.
   * @param percent texts whose lengths alone make them less similar than this are left out
   */
  candidates(text: string, percent: number, limit: number): number[] {
    const size = this.keys.length;
    if (this.shared.length < size) this.shared = new Uint16Array(size * 2);
    const { shared } = this;
    const grams = gramsOf(text);
    for (const gram of grams) {
      const list = this.postings.get(gram);
      if (!list) continue;
      const { values, length } = list;
      for (let at = 0; at < length; at++) shared[values[at]!]!++;
    }
    const found = this.best(size, grams.size, text.length, percent, limit);
    shared.fill(0, 0, size);
    return found;
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
    const stepOf = (slot: number): number =>
      Math.floor(((STEPS - 1) * 2 * shared[slot]!) / (grams + gramCounts[slot]!));
    const fits = (slot: number): boolean =>
      shared[slot]! >= needed && lengths[slot]! >= shortest && lengths[slot]! <= longest;
    const inStep = new Uint32Array(STEPS);
    for (let slot = 0; slot < size; slot++) if (fits(slot)) inStep[stepOf(slot)]!++;
    let lowest = STEPS - 1;
    for (let sum = inStep[lowest]!; lowest > 0 && sum < limit; sum += inStep[lowest]!) lowest--;
    const scored: { slot: number; score: number }[] = [];
    for (let slot = 0; slot < size; slot++) {
      if (fits(slot) && stepOf(slot) >= lowest)
        scored.push({ slot, score: shared[slot]! / (grams + gramCounts[slot]!) });
    }
    scored.sort((a, b) => b.score - a.score);
    return scored.slice(0, limit).map(({ slot }) => this.keys[slot]!);
  }
}
