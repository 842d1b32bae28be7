import { mapInSlices } from '@parlance/workload';
import { pairOf, sourceHash } from '../../domain/memory/entry';
import { GramIndex } from '../../domain/memory/gram-index';
import type { MemorySight, MemoryStore } from '../../domain/memory/ports';

/** Entries beyond the indexes that a search looks at, the newest of those that its reader may use. */
const SCANNED = 20_000;
/** What nobody asks for is given back after this time, in milliseconds. */
const IDLE_MS = 15 * 60_000;
/** Writes of another process may become visible this much later than their time says, in milliseconds. */
const OVERLAP_MS = 10_000;

/** Texts after which an index is measured while it grows. */
const MEASURED_EACH = 8;
/** Share of the memory that one pair of languages may take. */
const LARGEST_SHARE = 0.75;

interface Entry {
  index: GramIndex;
  /** Everything that was written before this is in the index. */
  upTo: number;
  usedAt: number;
  reading: Promise<void> | undefined;
  /** The index took as much memory as it may: newer texts are not in it. */
  full: boolean;
}

/**
 * Finds source texts of the memory that are similar to another. The indexes lie in memory, one for each pair of languages, and are
 * built in slices when they are first asked for; before each search they read what came since. Together they take a bounded number of
 * bytes: the least recently used are dropped, and a pair that does not fit alone is indexed as far as it fits, while its newest entries
 * are compared one by one. The store is the truth: a text that was deleted from it may still be found here, and is not found there.
 */
export class MemoryIndexes {
  private readonly entries = new Map<string, Entry>();

  /** @param maxBytes memory of all indexes together */
  constructor(
    private readonly store: Pick<MemoryStore, 'sourcesSince' | 'newestSources'>,
    private readonly now: () => number,
    private readonly maxBytes: number,
  ) {}

  /** Memory that all indexes take, about. */
  get bytes(): number {
    let bytes = 0;
    for (const { index } of this.entries.values()) bytes += index.bytes;
    return bytes;
  }

  /** Numbers of the source texts that may be similar to each of the texts, the most promising first. */
  async candidates(
    languages: { source: string; target: string },
    texts: readonly string[],
    { percent, limit, sight }: { percent: number; limit: number; sight: MemorySight },
  ): Promise<number[][]> {
    const pair = pairOf(languages.source, languages.target);
    const { index, full } = await this.current(pair);
    const newest = full ? await this.newest(pair, sight) : undefined;
    return mapInSlices(texts, (text) => {
      const exact = sourceHash(text);
      const found = [index, newest].flatMap((some) => some?.candidates(text, percent, limit) ?? []);
      return [...new Set([exact, ...found])];
    });
  }

  private async current(pair: string): Promise<Entry> {
    const now = this.now();
    let entry = this.entries.get(pair);
    if (!entry) {
      entry = { index: new GramIndex(), upTo: 0, usedAt: now, reading: undefined, full: false };
      this.entries.set(pair, entry);
    }
    entry.usedAt = now;
    this.forgetIdle(pair, now);
    // Who asks while the store is being read may have written after that began.
    await entry.reading;
    if (!entry.full) await (entry.reading ??= this.read(pair, entry));
    return entry;
  }

  private async read(pair: string, entry: Entry): Promise<void> {
    const startedAt = this.now();
    try {
      await this.store.sourcesSince(pair, entry.upTo - OVERLAP_MS, (key, text) => {
        entry.index.add(key, text);
        if (entry.index.size % MEASURED_EACH === 0) entry.full = !this.hasRoom(pair);
        return !entry.full;
      });
      entry.full ||= !this.hasRoom(pair);
      entry.upTo = startedAt;
    } finally {
      entry.reading = undefined;
    }
  }

  /** Drops the least recently used indexes of other pairs until there is room. @returns false: there is none */
  private hasRoom(pair: string): boolean {
    if ((this.entries.get(pair)?.index.bytes ?? 0) > this.maxBytes * LARGEST_SHARE) return false;
    while (this.bytes > this.maxBytes) {
      let oldest: string | undefined;
      for (const [other, { usedAt, reading }] of this.entries)
        if (other !== pair && !reading && (oldest === undefined || usedAt < this.entries.get(oldest)!.usedAt))
          oldest = other;
      if (oldest === undefined) return false;
      this.entries.delete(oldest);
    }
    return true;
  }

  /** An index of the newest entries that a reader may use, for one search. */
  private async newest(pair: string, sight: MemorySight): Promise<GramIndex> {
    const index = new GramIndex();
    await this.store.newestSources(pair, sight, SCANNED, (key, text) => {
      index.add(key, text);
      return index.bytes < this.maxBytes * (1 - LARGEST_SHARE);
    });
    return index;
  }

  private forgetIdle(keep: string, now: number): void {
    for (const [pair, { usedAt, reading }] of this.entries)
      if (pair !== keep && !reading && now - usedAt >= IDLE_MS) this.entries.delete(pair);
  }
}
