import { sourceHash } from '../../../../src/domain/memory/entry';
import type {
  FreshEntry,
  MemoryIndexReader,
  MemoryIndexWriter,
  SourceText,
  StoredSegment,
} from '../../../../src/domain/memory/index-ports';
import { ownersOf, visibleOwners } from '../../../../src/domain/memory/owners';
import type { VisibleEntries } from '../../../../src/domain/memory/ports';
import { BrokenIndexError } from '../../../../src/domain/search/ports';

type Owners = Partial<Pick<FreshEntry, 'project' | 'user' | 'shared'>>;

/** An index of the translation memory and the entries that it indexes, on maps. */
export class MapMemoryIndexStore implements MemoryIndexReader, MemoryIndexWriter {
  readonly entries = new Map<number, FreshEntry & { stamp: number }>();
  /** Entries that no segment contains. */
  readonly fresh = new Set<number>();
  /** By key, with the time of the write. */
  readonly parts = new Map<string, { data: Buffer; time: number }>();
  /** Requests for a new build. */
  rebuilds = 0;
  /** Times up to which no entry had a mark. */
  readonly clearedUntil: number[] = [];
  /** Reads of documents. */
  reads = 0;
  private stored: StoredSegment[] = [];
  private since: number | null = null;
  private complemented = false;
  private holder: string | undefined;
  private lastId = 0;

  /** @param now milliseconds since the epoch */
  constructor(private readonly now: () => number) {}

  /** Adds an entry as translating does. `unmarked`: as a process of a former version does. */
  write(text: string, owners: Owners = { shared: true }, { pair = 'en>cs', unmarked = false } = {}): number {
    const id = ++this.lastId;
    const source = sourceHash(text);
    const entry = { id, pair, text, source, project: 0, user: 0, shared: false, mark: 1, stamp: this.now() };
    this.entries.set(id, { ...entry, ...owners });
    if (!unmarked) this.fresh.add(id);
    return id;
  }

  /** Marks an entry again, as a change of its owners does. */
  mark(id: number, owners: Owners): void {
    const entry = this.entries.get(id)!;
    this.entries.set(id, { ...entry, ...owners, mark: entry.mark + 1 });
    this.fresh.add(id);
  }

  private visible(ids: Iterable<number>, pair: string, visible: VisibleEntries, limit: number): SourceText[] {
    const readers = visibleOwners(visible);
    return [...ids]
      .flatMap((id) => this.entries.get(id) ?? [])
      .filter((entry) => entry.pair === pair)
      .slice(0, limit)
      .filter((entry) => !readers || ownersOf(entry).some((owner) => readers.has(owner)))
      .map(({ source, text }) => ({ source, text }));
  }

  async isReady(): Promise<boolean> {
    return this.since !== null;
  }

  async freshSources(pair: string, visible: VisibleEntries, limit: number): Promise<SourceText[]> {
    return this.visible([...this.fresh].reverse(), pair, visible, limit);
  }

  async anySources(pair: string, visible: VisibleEntries, limit: number): Promise<SourceText[]> {
    return this.visible(this.entries.keys(), pair, visible, limit);
  }

  async segments(pair: string): Promise<StoredSegment[]> {
    return this.stored.filter((segment) => segment.pair === pair);
  }

  async documents(keys: readonly string[]): Promise<Buffer[]> {
    this.reads += keys.length;
    return keys.map((key) => {
      const part = this.parts.get(key);
      if (!part) throw new BrokenIndexError(`document ${key} is missing`);
      return part.data;
    });
  }

  async requestRebuild(): Promise<void> {
    this.rebuilds++;
    this.since = null;
  }

  async lease(holder: string): Promise<boolean> {
    this.holder ??= holder;
    return this.holder === holder;
  }

  async releaseLease(holder: string): Promise<void> {
    if (this.holder === holder) this.holder = undefined;
  }

  async builtSince(): Promise<number | null> {
    return this.since;
  }

  async build(since: number): Promise<void> {
    this.stored = [];
    for (const id of this.entries.keys()) this.fresh.add(id);
    this.since = since;
    this.complemented = this.entries.size === 0;
  }

  async isComplete(): Promise<boolean> {
    return this.complemented;
  }

  async complete(since: number): Promise<void> {
    for (const { id, stamp } of this.entries.values()) if (stamp >= since) this.fresh.add(id);
    this.complemented = true;
  }

  async freshEntries(limit: number): Promise<FreshEntry[]> {
    return [...this.fresh].slice(0, limit).map((id) => ({ ...this.entries.get(id)! }));
  }

  async noteCleared(until: number): Promise<void> {
    this.clearedUntil.push(until);
  }

  async clearFresh(entries: readonly Pick<FreshEntry, 'id' | 'mark'>[]): Promise<void> {
    for (const { id, mark } of entries) if (this.entries.get(id)?.mark === mark) this.fresh.delete(id);
  }

  async allSegments(): Promise<StoredSegment[]> {
    return [...this.stored];
  }

  async addDocuments(documents: readonly { key: string; data: Buffer }[]): Promise<void> {
    for (const { key, data } of documents) this.parts.set(key, { data: Buffer.from(data), time: this.now() });
  }

  async addSegment(segment: StoredSegment): Promise<void> {
    this.stored.push(segment);
  }

  async removeSegments(ids: readonly string[]): Promise<void> {
    this.stored = this.stored.filter(({ id }) => !ids.includes(id));
  }

  async owners(pair: string, sources: readonly number[]): Promise<Map<number, number[]>> {
    const found = new Map<number, number[]>();
    for (const entry of this.entries.values())
      if (entry.pair === pair && sources.includes(entry.source))
        found.set(entry.source, [...(found.get(entry.source) ?? []), ...ownersOf(entry)]);
    return found;
  }

  async deleteGarbage(before: number): Promise<void> {
    const used = new Set(this.stored.map(({ id }) => id));
    for (const [key, { time }] of this.parts)
      if (time < before && !used.has(key.slice(0, key.lastIndexOf('.')))) this.parts.delete(key);
  }
}
