import { gauge } from '@parlance/telemetry';
import { randomUUID } from 'node:crypto';
import { groupBy } from '../../domain/group-by';
import {
  decodeTexts,
  encodeSegment,
  MAX_SEGMENT_TEXTS,
  postingsIn,
  SegmentBuilder,
  type Segment,
} from '../../domain/memory/memory-segment';
import { ownersOf } from '../../domain/memory/owners';
import {
  segmentKey,
  type MemoryIndexReader,
  type MemoryIndexWriter,
  type StoredSegment,
} from '../../domain/memory/index-ports';
import { LeasedPasses } from '../leased-passes';

const behind = gauge('parlance_memory_index_behind');

/** Entries in one read. */
const READ = 5_000;
/** Documents in one insertion, and in one read of a merge. */
const DOCUMENTS = 100;
/** So many segments of about the same size are merged into one. */
const MERGED = 4;
/** Size of the smallest segments, which are not distinguished by size. */
const SMALLEST = 256;
/**
 * Time in which a write becomes visible after its mark was made, in milliseconds, with the difference between the clocks of processes. A
 * later one is found by look-ups when the next pass has moved it into a segment.
 */
const WRITE_MS = 60_000;
/** Age of documents that belong to no segment and are deleted, and the interval between deletions. Searches have read them by then. */
const GARBAGE_MS = 300_000;

export interface MemoryIndexerOptions {
  /** Interval between passes, in milliseconds. */
  everyMs: number;
  /** Time after the begin of the first build until processes of versions that do not mark new entries have stopped. */
  graceMs: number;
}

interface Deps {
  store: MemoryIndexWriter & Pick<MemoryIndexReader, 'documents'>;
  now(): number;
}

/**
 * Moves new entries of the translation memory into segments of the index, and merges small segments. Several processes may do it at once:
 * a text in two segments is found once.
 */
export class MemoryIndexer {
  private readonly passes: LeasedPasses;
  private nextCleanup = 0;
  private clearedUntil = 0;

  constructor(
    private readonly deps: Deps,
    private readonly options: MemoryIndexerOptions,
  ) {
    this.passes = new LeasedPasses(deps.store, 'memory index', () => this.pass());
  }

  start(): void {
    this.passes.start(this.options.everyMs);
  }

  stop(): Promise<void> {
    return this.passes.stop();
  }

  async pass(): Promise<void> {
    const { store, now } = this.deps;
    if (!(await this.passes.renew())) return;
    const goOn = (): Promise<boolean> => this.passes.renew();
    const since = await store.builtSince();
    if (since === null) await store.build(now(), goOn);
    else if (now() - since >= this.options.graceMs && !(await store.isComplete())) await store.complete(since);
    await this.addFresh();
    await this.mergeSegments();
    if (now() < this.nextCleanup) return;
    await store.deleteGarbage(now() - GARBAGE_MS);
    this.nextCleanup = now() + GARBAGE_MS;
  }

  private async addFresh(): Promise<void> {
    const { store } = this.deps;
    for (;;) {
      const until = this.deps.now() - WRITE_MS;
      const entries = await store.freshEntries(READ);
      behind.set(entries.length);
      for (const [pair, some] of groupBy(entries, ({ pair }) => pair)) {
        const builder = new SegmentBuilder();
        for (const entry of some) builder.add(entry.source, entry.text, ownersOf(entry));
        await this.write(pair, await builder.build());
        // Only after the segment is written: a search looks at marked entries directly.
        await store.clearFresh(some);
      }
      if (entries.length < READ) return this.noteCleared(until);
      if (!(await this.passes.renew())) return;
      await this.mergeSegments();
    }
  }

  /** Once in {@link WRITE_MS}: a write for each pass would cost more than it saves. */
  private async noteCleared(until: number): Promise<void> {
    if (until - this.clearedUntil < WRITE_MS) return;
    await this.deps.store.noteCleared(until);
    this.clearedUntil = until;
  }

  private async mergeSegments(): Promise<void> {
    for (let merged = true; merged;) {
      merged = false;
      for (const [pair, segments] of groupBy(await this.deps.store.allSegments(), ({ pair: of }) => of))
        for (const group of mergeable(segments)) {
          if (!(await this.passes.renew())) return;
          await this.merge(pair, group);
          merged = true;
        }
    }
  }

  private async merge(pair: string, group: readonly StoredSegment[]): Promise<void> {
    const builder = new SegmentBuilder();
    for (const { id } of group) {
      const segment = await this.load(id);
      const owners = await this.deps.store.owners(pair, [...segment.texts.sources]);
      await builder.merge(segment, (source) => owners.get(source));
    }
    if (builder.size > 0) await this.write(pair, await builder.build());
    await this.deps.store.removeSegments(group.map(({ id }) => id));
  }

  private async load(id: string): Promise<Segment> {
    const { store } = this.deps;
    const [bytes] = (await store.documents([segmentKey(id, 'texts')])) as [Buffer];
    const texts = decodeTexts(bytes);
    const postings = new Map<number, Uint8Array>();
    for (let at = 0; at < texts.firsts.length; at += DOCUMENTS) {
      const firsts = texts.firsts.subarray(at, at + DOCUMENTS);
      const chunks = await store.documents(Array.from(firsts, (_, i) => segmentKey(id, at + i)));
      for (const [i, chunk] of chunks.entries())
        for (const [gram, list] of postingsIn(firsts[i]!, chunk)) postings.set(gram, list);
    }
    return { texts, postings };
  }

  private async write(pair: string, segment: Segment): Promise<void> {
    const { store, now } = this.deps;
    const id = `${now().toString(36)}-${randomUUID()}`;
    const { texts, chunks } = await encodeSegment(segment);
    const documents = [
      { key: segmentKey(id, 'texts'), data: texts },
      ...chunks.map((data, i) => ({ key: segmentKey(id, i), data })),
    ];
    for (let at = 0; at < documents.length; at += DOCUMENTS)
      await store.addDocuments(documents.slice(at, at + DOCUMENTS));
    await store.addSegment({ id, pair, size: segment.texts.sources.length });
  }
}

/** Groups of segments of about the same size that fit into one. */
function mergeable(segments: readonly StoredSegment[]): StoredSegment[][] {
  const levels = new Map<number, StoredSegment[]>();
  for (const segment of segments) {
    const level = Math.max(0, Math.floor(Math.log(segment.size / SMALLEST) / Math.log(MERGED)));
    levels.set(level, [...(levels.get(level) ?? []), segment]);
  }
  return [...levels.values()].flatMap((level) => {
    const groups: StoredSegment[][] = [];
    for (let at = 0; at + MERGED <= level.length; at += MERGED) {
      const group = level.slice(at, at + MERGED);
      if (group.reduce((sum, { size }) => sum + size, 0) <= MAX_SEGMENT_TEXTS) groups.push(group);
    }
    return groups;
  });
}
