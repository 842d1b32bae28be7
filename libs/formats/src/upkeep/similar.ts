/** Number of leading characters that are compared. */
const COMPARED = 400;
/** Minimum share of common bigrams of similar texts. */
const SIMILAR = 0.6;
/** Total budget of steps for all lookups of an index. Later lookups find nothing. */
const MAX_STEPS = 50_000_000;

function pairs(text: string): Map<string, number> {
  const found = new Map<string, number>();
  const folded = text.slice(0, COMPARED).toLowerCase();
  for (let at = 0; at + 1 < folded.length; at++) {
    const pair = folded.slice(at, at + 2);
    found.set(pair, (found.get(pair) ?? 0) + 1);
  }
  return found;
}

const sizeOf = (text: string): number => Math.max(0, Math.min(text.length, COMPARED) - 1);

/** Finds the most similar of many texts. */
export class GuessIndex<T> {
  private readonly postings = new Map<string, { at: number; times: number }[]>();
  private readonly sizes: number[];
  private steps = 0;

  constructor(
    private readonly items: readonly T[],
    textOf: (item: T) => string,
  ) {
    this.sizes = items.map((item, at) => {
      const text = textOf(item);
      for (const [pair, times] of pairs(text)) {
        const list = this.postings.get(pair);
        if (list) list.push({ at, times });
        else this.postings.set(pair, [{ at, times }]);
      }
      return sizeOf(text);
    });
  }

  /** The item with the most similar text; undefined if none is similar enough. */
  best(text: string): T | undefined {
    const common = new Map<number, number>();
    for (const [pair, times] of pairs(text)) {
      const list = this.postings.get(pair) ?? [];
      this.steps += list.length;
      if (this.steps > MAX_STEPS) return undefined;
      for (const found of list) common.set(found.at, (common.get(found.at) ?? 0) + Math.min(times, found.times));
    }
    let best: number | undefined;
    let quality = SIMILAR;
    for (const [at, count] of common) {
      const share = (2 * count) / (sizeOf(text) + this.sizes[at]!);
      if (share > quality || (share === quality && best === undefined)) {
        best = at;
        quality = share;
      }
    }
    return best === undefined ? undefined : this.items[best];
  }
}
