import { mapInSlices } from '@parlance/workload';
import { pairOf, sourceHash } from '../../domain/memory/entry';
import { GramIndex } from '../../domain/memory/gram-index';
import type { VisibleEntries, MemoryStore } from '../../domain/memory/ports';

/** Newest entries that a search scans if the index of the pair is full. */
const MAX_SCANNED = 20_000;
/** Unused indexes are evicted after this time, in milliseconds. */
const IDLE_MS = 15 * 60_000;
/** Maximum delay between the timestamp of another process's write and its visibility, in milliseconds. */
const OVERLAP_MS = 10_000;

/** Texts between two checks of the memory limit while an index grows. */
const MEASURE_INTERVAL = 8;
/** Share of the memory limit that one language pair may use. */
const MAX_SHARE = 0.75;

interface Entry {
  index: GramIndex;
  /** The index contains everything written before this time, milliseconds since the epoch. */
  upTo: number;
  usedAt: number;
  reading: Promise<void> | undefined;
  /** The index reached its memory limit and does not contain newer texts. */
  full: boolean;
}

/**
 * In-memory trigram indexes of the memory's source texts, one for each language pair. An index is built on first use and reads new
 * entries from the store before each search. An LRU policy bounds the memory of all indexes. A pair that exceeds the limit alone is
 * indexed partially, and its newest entries are scanned. Results may contain deleted texts; the store filters them out.
 */
export class MemoryIndexes {
  private readonly entries = new Map<string, Entry>();

  /** @param maxBytes memory of all indexes together */
  constructor(
    private readonly store: Pick<MemoryStore, 'sourcesSince' | 'newestSources'>,
    private readonly now: () => number,
    private readonly maxBytes: number,
  ) {}

  /** Approximate memory of all indexes. */
  get bytes(): number {
    let bytes = 0;
    for (const { index } of this.entries.values()) bytes += index.bytes;
    return bytes;
  }

  /** Hashes of source texts that may be similar to each text, by estimated similarity, descending. */
  async candidates(
    languages: { source: string; target: string },
    texts: readonly string[],
    { percent, limit, visible }: { percent: number; limit: number; visible: VisibleEntries },
  ): Promise<number[][]> {
    const pair = pairOf(languages.source, languages.target);
    const { index, full } = await this.current(pair);
    const newest = full ? await this.newest(pair, visible) : undefined;
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
    this.evictIdle(pair, now);
    // Read-your-writes: a read in progress may have started before the caller's write.
    await entry.reading;
    if (!entry.full) await (entry.reading ??= this.read(pair, entry));
    return entry;
  }

  private async read(pair: string, entry: Entry): Promise<void> {
    const startedAt = this.now();
    try {
      await this.store.sourcesSince(pair, entry.upTo - OVERLAP_MS, (key, text) => {
        entry.index.add(key, text);
        if (entry.index.size % MEASURE_INTERVAL === 0) entry.full = !this.evictToFit(pair);
        return !entry.full;
      });
      entry.full ||= !this.evictToFit(pair);
      entry.upTo = startedAt;
    } finally {
      entry.reading = undefined;
    }
  }

  /** Evicts the least recently used indexes of other pairs until the limit holds. @returns false: the pair is too large */
  private evictToFit(pair: string): boolean {
    if ((this.entries.get(pair)?.index.bytes ?? 0) > this.maxBytes * MAX_SHARE) return false;
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

  /** Temporary index of the newest entries that a reader may use. */
  private async newest(pair: string, visible: VisibleEntries): Promise<GramIndex> {
    const index = new GramIndex();
    await this.store.newestSources(pair, visible, MAX_SCANNED, (key, text) => {
      index.add(key, text);
      return index.bytes < this.maxBytes * (1 - MAX_SHARE);
    });
    return index;
  }

  private evictIdle(keep: string, now: number): void {
    for (const [pair, { usedAt, reading }] of this.entries)
      if (pair !== keep && !reading && now - usedAt >= IDLE_MS) this.entries.delete(pair);
  }
}
