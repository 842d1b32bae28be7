import { escapeLiteral } from '@parlance/patterns';
import { BULK_QUERY_MS, insertUnique, retried } from '@parlance/store-kit';
import { count, emptyCounters, type Counters } from '../../domain/counters';
import type {
  Backlog,
  ExtraFlagsReader,
  Neighbours,
  OutboxItem,
  Page,
  PageOptions,
  PendingUnits,
  SharedStrings,
  SourceSummaries,
  SourceSummary,
  UnitBacklog,
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
} from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import { textKey, type Unit } from '../../domain/unit';
import type { UnitQuery } from '../../domain/unit-query';
import { unitFilter } from './unit-query';
import type { Models } from '../models';
import { unitIndexes, type UnitDocument } from '../schemas/unit';
import { eachDocument, flatMapDocuments } from '../documents';
import { openTranslation } from '../indexes/search-index-store';
import { listAround } from './neighbours';
import { readUnitPage } from './pages';
import { summarize } from './summaries';
import { REMOVAL, toDocument, unitsOf } from './unit-document';
import { UnitWriteQueue } from './unit-write-queue';
import { collectionOf } from '../collection';
import { measureBacklog } from '../outbox/measure-backlog';

const BATCH = 500;
/** Documents in a batch of a cursor. */
const CURSOR_BATCH = 2000;
/** Keys in one query. For more, query planners prefer a scan of all units. */
const MAX_KEYS = 100;

const VERSIONS = { version: 1, position: 1 };
const versionOf = ({ _id, version, position }: UnitDocument): UnitVersion => ({ id: _id, version, position });

function isOfOneTranslation(query: UnitQuery): boolean {
  if (query.kind === 'and') return query.all.some(isOfOneTranslation);
  return query.kind === 'translations' && query.ids.length === 1;
}

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
    UnitBacklog,
    UnitCounters
{
  private readonly writer: UnitWriteQueue;

  constructor(
    private readonly model: Models['units'],
    private readonly searchOpen: Models['searchOpen'],
  ) {
    this.writer = new UnitWriteQueue(model);
  }

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
  private async inChunks<K, T>(keys: readonly K[], query: (some: readonly K[]) => Promise<T[]>): Promise<T[]> {
    const found: T[] = [];
    for (let at = 0; at < keys.length; at += MAX_KEYS) found.push(...(await query(keys.slice(at, at + MAX_KEYS))));
    return found;
  }

  summariesOf(project: number, contentHashes: readonly string[]): Promise<SourceSummary[]> {
    return this.inChunks(contentHashes, (some) =>
      summarize(this.collection, { contentHash: { $in: some }, project, isSource: { $exists: false } }),
    );
  }

  async versions(translation: number): Promise<UnitVersion[]> {
    const options = { projection: VERSIONS, batchSize: 10_000, maxTimeMS: BULK_QUERY_MS };
    return flatMapDocuments(this.collection.find({ translation }, options), (d: UnitDocument) => [versionOf(d)]);
  }

  async byKey(translation: number, key: string): Promise<Unit | null> {
    return (await this.find({ translation, key }))[0] ?? null;
  }

  async addedKeys(translation: number, keys: readonly string[]): Promise<Set<string>> {
    const found = await this.inChunks(keys, (some) => this.find({ translation, key: { $in: some }, added: true }));
    return new Set(found.map(({ key }) => key));
  }

  async findContext(
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

  async eachTextKey(translations: readonly number[], visit: (key: number) => void): Promise<void> {
    const options = { projection: { _id: 0, text: 1 }, batchSize: 10_000, maxTimeMS: BULK_QUERY_MS };
    for (const translation of translations)
      await eachDocument(
        this.collection.find({ translation }, { ...options, hint: unitIndexes.translation }),
        ({ text }: UnitDocument) => void (text && visit(text)),
      );
  }

  extraFlags(translation: number): Promise<Map<number, string>> {
    return this.findFlags({ translation });
  }

  extraFlagsOf(units: readonly number[]): Promise<Map<number, string>> {
    return this.findFlags({ _id: { $in: units } });
  }

  private async findFlags(filter: object): Promise<Map<number, string>> {
    const found = await this.collection
      .find({ ...filter, extraFlags: { $exists: true } }, { projection: { extraFlags: 1 } })
      .toArray();
    return new Map(found.map((d) => [d._id, d.extraFlags ?? '']));
  }

  async page(query: UnitQuery, page: number, size: number, options?: PageOptions): Promise<Page<Unit>> {
    const bounds = { filter: unitFilter(query), page, size };
    // With the outbox: FerretDB computes a projection for every unit that it sorts, which takes as long as reading the page.
    const { items, total } = await readUnitPage(this.collection, bounds, {}, options);
    return { items: unitsOf(items), total };
  }

  async pageVersions(query: UnitQuery, page: number, size: number, options?: PageOptions): Promise<Page<UnitVersion>> {
    const bounds = { filter: unitFilter(query), page, size };
    const { items, total } = await readUnitPage(this.collection, bounds, VERSIONS, options);
    return { items: items.map(versionOf), total };
  }

  async pageAfter(query: UnitQuery, after: number, size: number): Promise<Unit[]> {
    const options = isOfOneTranslation(query) ? { hint: unitIndexes.translation } : {};
    const documents = await this.collection
      .find({ $and: [unitFilter(query), { _id: { $gt: after } }] }, { ...options, projection: { outbox: 0 } })
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
      const part = documents.slice(at, at + BATCH).map((d): UnitDocument => ({ ...d, added: true, fresh: true }));
      duplicates.push(...(await insertUnique(this.collection, part)));
    }
    return duplicates;
  }

  async insert(units: readonly Unit[]): Promise<void> {
    for (const [id, component] of new Map(units.map((unit) => [unit.translation, unit.component])))
      await openTranslation(this.searchOpen, { id, component });
    for (let at = 0; at < units.length; at += BATCH) {
      await this.collection.insertMany(units.slice(at, at + BATCH).map(toDocument), { ordered: false });
    }
  }

  write(write: UnitWrite | UnitRemoval): Promise<boolean> {
    return this.writer.write(write);
  }

  writeMany(writes: readonly UnitWrite[]): Promise<number[]> {
    return this.writer.writeMany(writes);
  }

  listAround(unit: Pick<Unit, 'id' | 'translation' | 'position'>, count: number): Promise<Neighbours> {
    return listAround(this.collection, unit, count);
  }

  async shiftPositions(translation: number, from: number, to: number, by: number): Promise<void> {
    await this.collection.updateMany({ translation, position: { $gte: from, $lte: to } }, { $inc: { position: by } });
  }

  async setPositions(positions: readonly { unit: number; position: number }[]): Promise<void> {
    const updates = positions.map(({ unit, position }) => ({
      updateOne: { filter: { _id: unit }, update: { $set: { position } } },
    }));
    for (let at = 0; at < updates.length; at += BATCH)
      await retried(() => this.collection.bulkWrite(updates.slice(at, at + BATCH), { ordered: false }));
  }

  async removeMany(ids: readonly number[]): Promise<number> {
    if (ids.length === 0) return 0;
    const filter = { _id: { $in: ids }, translation: { $gt: 0 } };
    const { matchedCount } = await this.collection.updateMany(filter, REMOVAL);
    return matchedCount;
  }

  async deleteProcessed(): Promise<void> {
    await this.collection.deleteMany({
      translation: { $lt: 0 },
      announcing: { $exists: false },
      fresh: { $exists: false },
    });
  }

  beginRemoval(translation: Pick<Translation, 'id' | 'component'>): Promise<void> {
    return openTranslation(this.searchOpen, translation, true);
  }

  async removeOfTranslation(translation: Pick<Translation, 'id' | 'component'>): Promise<void> {
    await this.beginRemoval(translation);
    await this.collection.deleteMany({ translation: translation.id });
  }

  async removeUnlisted(component: number): Promise<void> {
    const marked = await collectionOf(this.searchOpen).find({ component }).toArray();
    for (const { _id: id } of marked) await this.removeOfTranslation({ id, component });
  }

  pendingOfComponent(component: number): Promise<Unit[]> {
    return this.find({ component, pending: true }, { _id: 1 });
  }

  pendingOfTranslation({ id, component }: { id: number; component: number }): Promise<Unit[]> {
    return this.find({ component, pending: true, translation: id }, { _id: 1 });
  }

  async pendingVersions({
    id,
    component,
  }: {
    id: number;
    component: number;
  }): Promise<Pick<UnitVersion, 'id' | 'version'>[]> {
    const cursor = this.collection
      .find(
        { component, pending: true, translation: id },
        { projection: { version: 1 }, batchSize: 10_000, maxTimeMS: BULK_QUERY_MS },
      )
      .sort({ _id: 1 });
    return flatMapDocuments(cursor, (d: UnitDocument) => [{ id: d._id, version: d.version }]);
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

  async listUnprocessed(before: number, limit: number): Promise<{ unit: number; items: OutboxItem[] }[]> {
    const found = await this.collection
      .find(
        { announcing: true, 'outbox.time': { $lt: before } },
        { projection: { outbox: 1 }, hint: unitIndexes.outbox },
      )
      .limit(limit)
      .toArray();
    return found
      .map((d) => ({ unit: d._id, items: (d.outbox ?? []).filter((i) => i.time < before) }))
      .filter((e) => e.items.length > 0);
  }

  measureUnprocessed(before: number, limit: number): Promise<Backlog> {
    const filter = { announcing: true, 'outbox.time': { $lt: before } };
    const timesOf = ({ outbox = [] }: UnitDocument) => outbox.map(({ time }) => time).filter((time) => time < before);
    return measureBacklog(this.collection, filter, 'outbox.time', limit, timesOf, { hint: unitIndexes.outbox });
  }

  async clearOutbox(units: readonly number[], items: readonly string[]): Promise<void> {
    if (units.length === 0) return;
    const filter = { _id: { $in: units } };
    // Fast path: the finished item is the only one.
    const single = await this.collection.updateMany(
      { ...filter, outbox: { $size: 1 }, 'outbox.id': { $in: items } },
      { $unset: { outbox: '', announcing: '' } },
    );
    if (single.matchedCount === units.length) return;
    await this.collection.updateMany(filter, { $pull: { outbox: { id: { $in: items } } } });
    await this.collection.updateMany({ ...filter, outbox: { $size: 0 } }, { $unset: { outbox: '', announcing: '' } });
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
