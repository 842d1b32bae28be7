import { BULK_QUERY_MS, isDuplicateKey, retried } from '@parlance/store-kit';
import { ownersOf, visibleOwners } from '../../domain/memory/owners';
import type { VisibleEntries } from '../../domain/memory/ports';
import type {
  FreshEntry,
  MemoryIndexReader,
  MemoryIndexWriter,
  SourceText,
  StoredSegment,
} from '../../domain/memory/index-ports';
import { CheckedDocuments, checksum } from './checked-documents';
import { collectionOf } from '../collection';
import { eachDocument, flatMapDocuments } from '../documents';
import { acquireLease, releaseLease } from '../leases/lease';
import { freshMark, visibleCondition } from '../memory-store';
import type { Models } from '../models';
import type { MemoryDocument } from '../schemas/memory';
import type { MemorySegmentDocument } from '../schemas/memory-index';

const STATE = 'memory state';
const LEASE = 'memory lease';
const BATCH = 500;
/** Entries that are marked in one statement. */
const MARKED = 2_000;
const SOURCES = { _id: 0, source: 1, sourceHash: 1 } as const;
const FRESH = { pair: 1, source: 1, sourceHash: 1, project: 1, user: 1, shared: 1, fresh: 1 } as const;
const OWNERS = { _id: 0, sourceHash: 1, project: 1, user: 1, shared: 1 } as const;
/** Index hints: without them, the planner may scan all entries. */
const FRESH_INDEX = { pair: 1, fresh: -1 } as const;
const KEY_INDEX = { pair: 1, sourceHash: 1, hash: 1 } as const;

/** The index of the translation memory in Mongo. */
export class MongoMemoryIndexStore implements MemoryIndexReader, MemoryIndexWriter {
  /** Entries have no marks up to this time; it only rises, so an old value is valid. */
  private clearedUntil = 0;
  private readonly checked;

  constructor(private readonly models: Pick<Models, 'memory' | 'memorySegments' | 'memoryDocuments' | 'searchState'>) {
    this.checked = new CheckedDocuments(this.documentCollection);
  }

  private get entries() {
    return collectionOf(this.models.memory);
  }
  private get segmentDocuments() {
    return collectionOf(this.models.memorySegments);
  }
  private get documentCollection() {
    return collectionOf(this.models.memoryDocuments);
  }
  private get states() {
    return collectionOf(this.models.searchState);
  }

  async isReady(): Promise<boolean> {
    const state = await this.states.findOne({ _id: STATE });
    this.clearedUntil = state?.clearedUntil ?? 0;
    return state?.ready === true;
  }

  async freshSources(pair: string, visible: VisibleEntries, limit: number): Promise<SourceText[]> {
    const owners = visibleOwners(visible);
    const cursor = this.entries
      .find({ pair, fresh: { $gt: this.clearedUntil } }, { projection: FRESH, batchSize: limit, hint: FRESH_INDEX })
      .limit(limit);
    return flatMapDocuments(cursor, (d: MemoryDocument) =>
      !owners || ownersOfDocument(d).some((owner) => owners.has(owner)) ? [textOf(d)] : [],
    );
  }

  async anySources(pair: string, visible: VisibleEntries, limit: number): Promise<SourceText[]> {
    const condition = visibleCondition(visible);
    const cursor = this.entries
      .find(condition ? { $and: [{ pair }, condition] } : { pair }, { projection: SOURCES, batchSize: limit })
      .limit(limit);
    return flatMapDocuments(cursor, (d: MemoryDocument) => [textOf(d)]);
  }

  async segments(pair: string): Promise<StoredSegment[]> {
    return (await this.segmentDocuments.find({ pair }, { batchSize: BATCH }).toArray()).map(fromDocument);
  }

  async documents(keys: readonly string[]): Promise<Buffer[]> {
    return (await this.checked.many(keys)).map(({ data }) => data);
  }

  async requestRebuild(): Promise<void> {
    await this.states.deleteMany({ _id: STATE });
  }

  lease(holder: string, forMs: number): Promise<boolean> {
    return acquireLease(this.states, LEASE, holder, forMs);
  }

  releaseLease(holder: string): Promise<void> {
    return releaseLease(this.states, LEASE, holder);
  }

  async builtSince(): Promise<number | null> {
    const state = await this.states.findOne({ _id: STATE });
    return state?.ready ? (state.since ?? 0) : null;
  }

  async build(since: number, goOn: () => Promise<boolean>): Promise<void> {
    await this.segmentDocuments.deleteMany({});
    const marked = await this.mark({}, goOn);
    if (marked === null) return;
    try {
      await this.states.insertOne({ _id: STATE, ready: true, since, ...(marked === 0 ? { complete: true } : {}) });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  async isComplete(): Promise<boolean> {
    return (await this.states.findOne({ _id: STATE }))?.complete === true;
  }

  async complete(since: number): Promise<void> {
    await this.mark({ stamp: { $gte: since } }, () => Promise.resolve(true));
    await this.states.updateOne({ _id: STATE }, { $set: { complete: true } });
  }

  /** Marks entries by id. @returns their number; null: `goOn` returned false */
  private async mark(select: object, goOn: () => Promise<boolean>): Promise<number | null> {
    let marked = 0;
    for (let after = 0; ;) {
      if (!(await goOn())) return null;
      const found = await this.entries
        .find(
          { ...select, _id: { $gt: after } },
          { projection: { _id: 1 }, batchSize: MARKED, maxTimeMS: BULK_QUERY_MS },
        )
        .sort({ _id: 1 })
        .limit(MARKED)
        .toArray();
      if (found.length === 0) return marked;
      const ids = found.map(({ _id }) => _id);
      await this.entries.updateMany({ _id: { $in: ids } }, { $set: { fresh: freshMark() } });
      after = ids.at(-1)!;
      marked += ids.length;
    }
  }

  async freshEntries(limit: number): Promise<FreshEntry[]> {
    const found = await this.entries
      .find({ fresh: { $gt: 0 } }, { projection: FRESH, batchSize: limit, hint: FRESH_INDEX, maxTimeMS: BULK_QUERY_MS })
      .limit(limit)
      .toArray();
    return found.map((d) => ({
      id: d._id,
      pair: d.pair,
      source: d.sourceHash,
      text: d.source,
      project: d.project ?? 0,
      user: d.user ?? 0,
      shared: d.shared === true,
      mark: d.fresh!,
    }));
  }

  async noteCleared(until: number): Promise<void> {
    await this.states.updateOne({ _id: STATE, ready: true }, { $max: { clearedUntil: until } });
  }

  async clearFresh(entries: readonly Pick<FreshEntry, 'id' | 'mark'>[]): Promise<void> {
    const byMark = new Map<number, number[]>();
    for (const { id, mark } of entries) byMark.set(mark, [...(byMark.get(mark) ?? []), id]);
    const updates = [...byMark].map(([fresh, ids]) => ({
      updateMany: { filter: { _id: { $in: ids }, fresh }, update: { $unset: { fresh: '' } } },
    }));
    for (let at = 0; at < updates.length; at += BATCH)
      await retried(() => this.entries.bulkWrite(updates.slice(at, at + BATCH), { ordered: false }));
  }

  async allSegments(): Promise<StoredSegment[]> {
    return (await this.segmentDocuments.find({}, { batchSize: 10_000 }).toArray()).map(fromDocument);
  }

  async addDocuments(documents: readonly { key: string; data: Buffer }[]): Promise<void> {
    await this.documentCollection.insertMany(
      documents.map(({ key, data }) => ({ _id: key, data, sum: checksum(data) })),
      { ordered: false },
    );
  }

  async addSegment({ id, pair, size }: StoredSegment): Promise<void> {
    await this.segmentDocuments.insertOne({ _id: id, pair, size });
  }

  async removeSegments(ids: readonly string[]): Promise<void> {
    await this.segmentDocuments.deleteMany({ _id: { $in: ids } });
  }

  async owners(pair: string, sources: readonly number[]): Promise<Map<number, number[]>> {
    const found = new Map<number, Set<number>>();
    for (let at = 0; at < sources.length; at += BATCH) {
      const cursor = this.entries.find(
        { pair, sourceHash: { $in: sources.slice(at, at + BATCH) } },
        { projection: OWNERS, hint: KEY_INDEX, batchSize: 10_000 },
      );
      await eachDocument(cursor, (d: MemoryDocument) => {
        const owners = found.get(d.sourceHash) ?? new Set();
        found.set(d.sourceHash, owners);
        for (const owner of ownersOfDocument(d)) owners.add(owner);
      });
    }
    return new Map([...found].map(([source, owners]) => [source, [...owners]]));
  }

  async deleteGarbage(before: number): Promise<void> {
    const all = await this.documentCollection.find({}, { projection: { _id: 1 }, batchSize: 10_000 }).toArray();
    const old = all.map(({ _id }) => _id).filter((key) => createdAt(key) < before);
    if (old.length === 0) return;
    // Read after the documents: a segment may have been added in between.
    const current = new Set((await this.allSegments()).map(({ id }) => id));
    const garbage = old.filter((key) => !current.has(key.split('.')[0]!));
    for (let at = 0; at < garbage.length; at += BATCH)
      await this.documentCollection.deleteMany({ _id: { $in: garbage.slice(at, at + BATCH) } });
  }
}

const fromDocument = ({ _id, pair, size }: MemorySegmentDocument): StoredSegment => ({ id: _id, pair, size });

const textOf = (d: MemoryDocument): SourceText => ({ source: d.sourceHash, text: d.source });

const ownersOfDocument = ({ project = 0, user = 0, shared = false }: MemoryDocument): number[] =>
  ownersOf({ project, user, shared });

/** Time in the key of a document, in milliseconds since the epoch. */
const createdAt = (key: string): number => parseInt(key.split('-')[0]!, 36);
