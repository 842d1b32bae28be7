import { escapeLiteral } from '@parlance/patterns';
import { BULK_QUERY_MS, insertUnique, retried } from '@parlance/store-kit';
import { randomUUID } from 'node:crypto';
import { count, emptyCounters, type Counters } from '../domain/counters';
import type {
  ExtraFlagsReader,
  OutboxItem,
  Page,
  PageOptions,
  PendingUnits,
  SharedStrings,
  SourceSummaries,
  SourceSummary,
  UnitCounters,
  UnitFields,
  UnitInserter,
  UnitKeys,
  UnitOutbox,
  UnitPositions,
  UnitQueries,
  UnitReader,
  UnitRemoval,
  UnitRemover,
  UnitVersion,
  UnitWrite,
  UnitWriter,
} from '../domain/ports';
import { State, textKey, type Unit } from '../domain/unit';
import type { UnitQuery } from '../domain/unit-query';
import { unitFilter } from './unit-query';
import type { Models, UnitDocument } from './models';
import { eachDocument, flatMapDocuments } from './documents';
import { REMOVAL, removalOf, toDocument, unitsOf, updateOf } from './unit-document';
import { collectionOf } from './collection';

const BATCH = 500;
/** Documents in a batch of a cursor. */
const CURSOR_BATCH = 2000;
/** Concurrent single writes that share a statement. */
const MAX_GROUP = 50;
/** Keys in one query. For more, query planners prefer a scan of all units. */
const MAX_KEYS = 100;
/** A write with the id that it leaves in the document if it has no outbox item; retries keep the id. */
interface Marked {
  write: UnitWrite | UnitRemoval;
  mark: string;
}
const marked = (write: Marked['write']): Marked => ({ write, mark: randomUUID() });

/** Units in Mongo. */
export class MongoUnitStore
  implements
    UnitReader,
    UnitKeys,
    UnitFields,
    UnitQueries,
    SharedStrings,
    SourceSummaries,
    ExtraFlagsReader,
    UnitWriter,
    UnitInserter,
    UnitPositions,
    UnitRemover,
    PendingUnits,
    UnitOutbox,
    UnitCounters
{
  private readonly waiting: (Marked & { done: (written: boolean) => void; failed: (error: unknown) => void })[] = [];
  private writing = false;

  constructor(private readonly model: Models['units']) {}

  private get collection() {
    return collectionOf(this.model);
  }

  /** Also reads whole translations, for imports and commits. */
  private async find(filter: object, sort?: object): Promise<Unit[]> {
    const cursor = this.collection.find(filter, {
      projection: { outbox: 0 },
      batchSize: CURSOR_BATCH,
      maxTimeMS: BULK_QUERY_MS,
    });
    if (sort) cursor.sort(sort);
    return flatMapDocuments(cursor, (d: UnitDocument) => unitsOf([d]));
  }

  async get(id: number): Promise<Unit | null> {
    const d = await this.collection.findOne({ _id: id }, { projection: { outbox: 0 } });
    return unitsOf(d ? [d] : [])[0] ?? null;
  }

  many(ids: readonly number[]): Promise<Unit[]> {
    return ids.length === 0 ? Promise.resolve([]) : this.find({ _id: { $in: ids } });
  }

  async all(query: UnitQuery): Promise<Unit[]> {
    const cursor = this.collection.find(unitFilter(query), { projection: { outbox: 0 }, batchSize: 5000 });
    return unitsOf(await cursor.toArray());
  }

  async idsOf(query: UnitQuery): Promise<number[]> {
    const options = { projection: { _id: 1 }, batchSize: 10_000 };
    return flatMapDocuments(this.collection.find(unitFilter(query), options), (d: UnitDocument) => [d._id]);
  }

  async texts(translation: number): Promise<Pick<Unit, 'id' | 'source' | 'target' | 'context'>[]> {
    const cursor = this.collection
      .find(
        { translation },
        { projection: { source: 1, target: 1, context: 1 }, batchSize: CURSOR_BATCH, maxTimeMS: BULK_QUERY_MS },
      )
      .sort({ _id: 1 });
    return flatMapDocuments(cursor, (d: UnitDocument) => [
      { id: d._id, source: d.source, target: d.target, context: d.context ?? '' },
    ]);
  }

  ofTranslation(translation: number): Promise<Unit[]> {
    return this.find({ translation });
  }

  ofSourceUnit(source: Pick<Unit, 'id' | 'contentHash'>): Promise<Unit[]> {
    return this.find({ contentHash: source.contentHash, sourceUnit: source.id }, { _id: 1 });
  }

  twins(project: number, language: string | null, contentHashes: readonly string[]): Promise<Unit[]> {
    return this.inChunks(contentHashes, (some) =>
      this.find({ contentHash: { $in: some }, project, ...(language === null ? {} : { language }) }),
    );
  }

  withTexts(project: number, language: string, texts: readonly (readonly string[])[]): Promise<Unit[]> {
    return this.inChunks([...new Set(texts.map(textKey))], (some) =>
      this.find({ text: { $in: some }, project, language, isSource: { $exists: false } }),
    );
  }

  /** Splits long lists into several queries. */
  private async inChunks<K, T>(keys: readonly K[], ask: (some: readonly K[]) => Promise<T[]>): Promise<T[]> {
    const found: T[] = [];
    for (let at = 0; at < keys.length; at += MAX_KEYS) found.push(...(await ask(keys.slice(at, at + MAX_KEYS))));
    return found;
  }

  summaries(translations: readonly number[]): Promise<SourceSummary[]> {
    return this.aggregateSummaries({ translation: { $in: translations } });
  }

  summariesOf(project: number, contentHashes: readonly string[]): Promise<SourceSummary[]> {
    return this.inChunks(contentHashes, (some) =>
      this.aggregateSummaries({ contentHash: { $in: some }, project, isSource: { $exists: false } }),
    );
  }

  private async aggregateSummaries(filter: object): Promise<SourceSummary[]> {
    const found = await this.collection
      .aggregate<Omit<SourceSummary, 'sourceUnit'> & { _id: number }>([
        { $match: filter },
        {
          $group: {
            _id: '$sourceUnit',
            translations: { $sum: 1 },
            translated: { $sum: { $cond: [{ $gte: ['$state', State.translated] }, 1, 0] } },
            failing: { $sum: { $cond: [{ $gt: [{ $size: { $ifNull: ['$checks', []] } }, 0] }, 1, 0] } },
          },
        },
      ])
      .toArray();
    return found.map(({ _id, ...rest }) => ({ sourceUnit: _id, ...rest }));
  }

  async versions(translation: number): Promise<UnitVersion[]> {
    const options = { projection: { version: 1, position: 1 }, batchSize: 10_000, maxTimeMS: BULK_QUERY_MS };
    return flatMapDocuments(this.collection.find({ translation }, options), (d: UnitDocument) => [
      { id: d._id, version: d.version, position: d.position },
    ]);
  }

  async byKey(translation: number, key: string): Promise<Unit | null> {
    return (await this.find({ translation, key }))[0] ?? null;
  }

  async addedKeys(translation: number, keys: readonly string[]): Promise<Set<string>> {
    const found = await this.inChunks(keys, (some) => this.find({ translation, key: { $in: some }, added: true }));
    return new Set(found.map(({ key }) => key));
  }

  async contextAmong(
    translation: number,
    contexts: readonly string[],
    beginnings: readonly string[],
  ): Promise<string | null> {
    const begun = beginnings.map((text) => ({
      context: { $regex: `^${escapeLiteral(text)}` },
    }));
    const found = await this.collection.findOne(
      { translation, $or: [{ context: { $in: contexts } }, ...begun] },
      { projection: { context: 1 } },
    );
    return found?.context ?? null;
  }

  async extraFlags(translation: number): Promise<Map<number, string>> {
    const found = await this.collection
      .find({ translation, extraFlags: { $exists: true } }, { projection: { extraFlags: 1 } })
      .toArray();
    return new Map(found.map((d) => [d._id, d.extraFlags ?? '']));
  }

  async page(
    query: UnitQuery,
    page: number,
    size: number,
    { known, countFirst }: PageOptions = {},
  ): Promise<Page<Unit>> {
    const filter = unitFilter(query);
    const counting = known ?? this.collection.countDocuments(filter);
    if (countFirst) {
      const total = await counting;
      if (total <= (page - 1) * size) return { items: [], total };
    }
    const cursor = this.collection
      .find(filter, { projection: { outbox: 0 } })
      .sort({ _id: 1 })
      .skip((page - 1) * size)
      .limit(size);
    const [documents, total] = await Promise.all([cursor.toArray(), counting]);
    return { items: unitsOf(documents), total };
  }

  async following(query: UnitQuery, after: number, size: number): Promise<Unit[]> {
    const documents = await this.collection
      .find({ $and: [unitFilter(query), { _id: { $gt: after } }] }, { projection: { outbox: 0 } })
      .sort({ _id: 1 })
      .limit(size)
      .toArray();
    return unitsOf(documents);
  }

  addMany(insertions: readonly { unit: Unit; outbox: OutboxItem }[]): Promise<number[]> {
    return this.insertUnique(
      insertions.map(({ unit, outbox }) => ({ ...toDocument(unit), announcing: true, outbox: [outbox] })),
    );
  }

  insertNew(units: readonly Unit[]): Promise<number[]> {
    return this.insertUnique(units.map(toDocument));
  }

  private async insertUnique(documents: readonly UnitDocument[]): Promise<number[]> {
    const duplicates: number[] = [];
    for (let at = 0; at < documents.length; at += BATCH) {
      const part = documents.slice(at, at + BATCH).map((d): UnitDocument => ({ ...d, added: true }));
      duplicates.push(...(await insertUnique(this.collection, part)));
    }
    return duplicates;
  }

  async insert(units: readonly Unit[]): Promise<void> {
    for (let at = 0; at < units.length; at += BATCH) {
      await this.collection.insertMany(units.slice(at, at + BATCH).map(toDocument), { ordered: false });
    }
  }

  write(write: UnitWrite | UnitRemoval): Promise<boolean> {
    return new Promise((done, failed) => {
      this.waiting.push({ ...marked(write), done, failed });
      if (!this.writing) void this.writeWaiting();
    });
  }

  /** Group commit: writes that arrive during a statement share the next one. */
  private async writeWaiting(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MAX_GROUP);
      const settle = async (some: typeof batch) => {
        const late = new Set(await this.lostWrites(some));
        for (const { write, done } of some) done(!late.has(write));
      };
      // A failing write fails the statement: write one by one.
      await settle(batch).catch(() =>
        Promise.all(batch.map((one) => settle([one]).catch((error: unknown) => one.failed(error)))),
      );
    }
    this.writing = false;
  }

  async writeMany(writes: readonly UnitWrite[]): Promise<number[]> {
    const late: number[] = [];
    for (let at = 0; at < writes.length; at += BATCH)
      late.push(...(await this.lostWrites(writes.slice(at, at + BATCH).map(marked))).map((write) => write.unit));
    return late;
  }

  /** @returns the writes that lost their race */
  private async lostWrites(writes: readonly Marked[]): Promise<Marked['write'][]> {
    const updates = writes.map(({ write, mark }) => ({
      filter: { _id: write.unit, version: write.version },
      update: 'patch' in write ? updateOf(write.patch, write.outbox, mark) : removalOf(write.outbox),
    }));
    // A retry after a partial success does not match the writes that succeeded: they are identified below.
    const { matchedCount } = await retried<{ matchedCount: number }>(() =>
      updates.length === 1
        ? this.collection.updateOne(updates[0]!.filter, updates[0]!.update)
        : this.collection.bulkWrite(
            updates.map((updateOne) => ({ updateOne })),
            { ordered: false },
          ),
    );
    return matchedCount < writes.length ? this.identifyLost(writes) : [];
  }

  /** Identifies lost writes by outbox item or id; versions are ambiguous, because other writers leave the same ones. */
  private async identifyLost(writes: readonly Marked[]): Promise<Marked['write'][]> {
    const found = await this.collection
      .find({ _id: { $in: writes.map((w) => w.write.unit) } }, { projection: { wrote: 1, 'outbox.id': 1 } })
      .toArray();
    const documents = new Map(found.map((d) => [d._id, d]));
    const isStored = ({ write: { unit, outbox }, mark }: Marked) => {
      const d = documents.get(unit);
      return outbox ? d?.outbox?.some((item) => item.id === outbox.id) : d?.wrote === mark;
    };
    return writes.filter((w) => !isStored(w)).map((w) => w.write);
  }

  async shift(translation: number, from: number, to: number, by: number): Promise<void> {
    await this.collection.updateMany({ translation, position: { $gte: from, $lte: to } }, { $inc: { position: by } });
  }

  async place(positions: readonly { unit: number; position: number }[]): Promise<void> {
    const updates = positions.map(({ unit, position }) => ({
      updateOne: { filter: { _id: unit }, update: { $set: { position } } },
    }));
    for (let at = 0; at < updates.length; at += BATCH)
      await retried(() => this.collection.bulkWrite(updates.slice(at, at + BATCH), { ordered: false }));
  }

  async removeMany(ids: readonly number[]): Promise<number> {
    if (ids.length === 0) return 0;
    const these = { _id: { $in: ids }, translation: { $gt: 0 } };
    const { deletedCount } = await retried(() =>
      this.collection.deleteMany({ ...these, announcing: { $exists: false } }),
    );
    if (deletedCount === ids.length) return deletedCount;
    const { matchedCount } = await retried(() => this.collection.updateMany(these, REMOVAL));
    return deletedCount + matchedCount;
  }

  async sweep(): Promise<void> {
    await retried(() => this.collection.deleteMany({ translation: { $lt: 0 }, announcing: { $exists: false } }));
  }

  async removeOfTranslation(translation: number): Promise<void> {
    await this.collection.deleteMany({ translation });
  }

  async removeOfComponent(component: number): Promise<void> {
    const translations = await this.collection.distinct('translation', { component });
    for (const translation of translations) await this.removeOfTranslation(translation as number);
  }

  pendingOfComponent(component: number): Promise<Unit[]> {
    return this.find({ component, pending: true }, { _id: 1 });
  }

  pendingOfTranslation({ id, component }: { id: number; component: number }): Promise<Unit[]> {
    return this.find({ component, pending: true, translation: id }, { _id: 1 });
  }

  pendingOfAuthor(components: readonly number[], user: number): Promise<Unit[]> {
    return this.inChunks(components, (some) =>
      this.find({ component: { $in: some }, pending: true, 'edits.author.userId': user }),
    );
  }

  async anyPending(components: readonly number[]): Promise<boolean> {
    const filter = { component: { $in: [...components] }, pending: true };
    return (await this.collection.findOne(filter, { projection: { _id: 1 } })) !== null;
  }

  async leftovers(before: number, limit: number): Promise<{ unit: number; items: OutboxItem[] }[]> {
    const found = await this.collection
      .find({ announcing: true, 'outbox.time': { $lt: before } }, { projection: { outbox: 1 } })
      .limit(limit)
      .toArray();
    return found
      .map((d) => ({ unit: d._id, items: (d.outbox ?? []).filter((i) => i.time < before) }))
      .filter((e) => e.items.length > 0);
  }

  async clearOutbox(units: readonly number[], items: readonly string[]): Promise<void> {
    if (units.length === 0) return;
    const these = { _id: { $in: units } };
    // Fast path: the finished item is the only one.
    const single = await this.collection.updateMany(
      { ...these, outbox: { $size: 1 }, 'outbox.id': { $in: items } },
      { $unset: { outbox: '', announcing: '' } },
    );
    if (single.matchedCount === units.length) return;
    await this.collection.updateMany(these, { $pull: { outbox: { id: { $in: items } } } });
    await this.collection.updateMany({ ...these, outbox: { $size: 0 } }, { $unset: { outbox: '', announcing: '' } });
  }

  async recount(translation: number): Promise<Counters> {
    const counters = emptyCounters();
    const cursor = this.collection.find(
      { translation },
      {
        projection: { state: 1, words: 1, chars: 1, checks: 1, dismissedChecks: 1, suggestions: 1, comments: 1 },
        batchSize: CURSOR_BATCH,
        maxTimeMS: BULK_QUERY_MS,
      },
    );
    await eachDocument(cursor, (d: UnitDocument) => count(counters, d, 1));
    return counters;
  }
}
