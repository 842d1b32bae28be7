/** Grams of a text that count; a long text is told apart from others by its beginning. */
const MAX_GRAMS = 256;

/** A list of slots that grows. */
class Postings {
  slots = new Uint32Array(4);
  length = 0;

  push(slot: number): void {
    if (this.length === this.slots.length) {
      const larger = new Uint32Array(this.length * 2);
      larger.set(this.slots);
      this.slots = larger;
    }
    this.slots[this.length++] = slot;
  }
}

/** The distinct runs of three characters of a text, ignoring case and runs of white space, as numbers. */
export function gramsOf(text: string): Set<number> {
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
  private readonly gramCounts: number[] = [];
  private readonly lengths: number[] = [];
  private readonly postings = new Map<number, Postings>();
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
    this.lengths.push(text.length);
    this.gramCounts.push(grams.size);
    for (const gram of grams) {
      let list = this.postings.get(gram);
      if (!list) this.postings.set(gram, (list = new Postings()));
      list.push(slot);
    }
  }

  /**
   * Keys of the texts that may be similar enough, the most promising first.
   * @param percent texts whose lengths alone make them less similar than this are left out
   */
  candidates(text: string, percent: number, limit: number): number[] {
    if (this.shared.length < this.keys.length) this.shared = new Uint16Array(this.keys.length * 2);
    const { shared } = this;
    const grams = gramsOf(text);
    const touched: number[] = [];
    const shortest = (text.length * percent) / 100;
    const longest = (text.length * 100) / percent;
    for (const gram of grams) {
      const list = this.postings.get(gram);
      if (!list) continue;
      const { slots, length } = list;
      for (let at = 0; at < length; at++) {
        const slot = slots[at]!;
        if (shared[slot]! === 0) touched.push(slot);
        shared[slot] = shared[slot]! + 1;
      }
    }
    // An edit takes away three grams at most.
    const needed = Math.max(1, grams.size - 3 * Math.ceil((longest * (100 - percent)) / 100));
    const scored: { slot: number; score: number }[] = [];
    for (const slot of touched) {
      const count = shared[slot]!;
      shared[slot] = 0;
      const { [slot]: size = 0 } = this.lengths;
      if (count < needed || size < shortest || size > longest) continue;
      scored.push({ slot, score: (2 * count) / (grams.size + this.gramCounts[slot]!) });
    }
    scored.sort((a, b) => b.score - a.score);
    return scored.slice(0, limit).map(({ slot }) => this.keys[slot]!);
  }
}
