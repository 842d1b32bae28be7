import { pairOf, sourceHash } from '../../domain/memory/entry';
import { GramIndex } from '../../domain/memory/gram-index';
import type { MemoryStore } from '../../domain/memory/ports';

/** Texts of all languages together that are kept findable; those that were not asked for longest go first. */
const MAX_TEXTS = 3_000_000;
/** What nobody asks for is given back after this time, in milliseconds. */
const IDLE_MS = 15 * 60_000;
/** Writes of another process may become visible this much later than their time says, in milliseconds. */
const OVERLAP_MS = 10_000;

interface Entry {
  index: GramIndex;
  /** Everything that was written before this is in the index. */
  upTo: number;
  usedAt: number;
  reading: Promise<void> | undefined;
}

/**
 * Finds source texts of the memory that are similar to another. The indexes lie in memory, one for each pair of languages, and are
 * made when they are first asked for; before each search they read what came since. The store is the truth: a text that is gone from
 * it may still be found here, and is not found there.
 */
export class MemoryIndexes {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly store: Pick<MemoryStore, 'sourcesSince'>,
    private readonly now: () => number,
  ) {}

  /** Numbers of the source texts that may be similar to each of the texts, the most promising first. */
  async candidates(
    languages: { source: string; target: string },
    texts: readonly string[],
    percent: number,
    limit: number,
  ): Promise<number[][]> {
    const pair = pairOf(languages.source, languages.target);
    const index = await this.current(pair);
    return texts.map((text) => {
      const exact = sourceHash(text);
      return [exact, ...index.candidates(text, percent, limit).filter((found) => found !== exact)];
    });
  }

  private async current(pair: string): Promise<GramIndex> {
    const now = this.now();
    let entry = this.entries.get(pair);
    if (!entry) this.entries.set(pair, (entry = { index: new GramIndex(), upTo: 0, usedAt: now, reading: undefined }));
    entry.usedAt = now;
    this.shrink(pair, now);
    // Who asks while the store is being read may have written after that began.
    await entry.reading;
    await (entry.reading ??= this.read(pair, entry));
    return entry.index;
  }

  private async read(pair: string, entry: Entry): Promise<void> {
    const startedAt = this.now();
    try {
      await this.store.sourcesSince(pair, entry.upTo - OVERLAP_MS, (key, text) => entry.index.add(key, text));
      entry.upTo = startedAt;
    } finally {
      entry.reading = undefined;
    }
  }

  private shrink(keep: string, now: number): void {
    const oldestFirst = [...this.entries].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    let texts = oldestFirst.reduce((sum, [, entry]) => sum + entry.index.size, 0);
    for (const [pair, entry] of oldestFirst) {
      if (pair === keep || (texts <= MAX_TEXTS && now - entry.usedAt < IDLE_MS)) continue;
      texts -= entry.index.size;
      this.entries.delete(pair);
    }
  }
}
