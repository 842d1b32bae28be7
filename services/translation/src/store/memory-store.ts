import { CountedPages, insertUnique } from '@parlance/store-kit';
import { eachInSlices } from '@parlance/workload';
import { groupBy } from '../domain/group-by';
import { entryHash, pairOf, sourceHash, type MemoryEntry, type NewMemoryEntry } from '../domain/memory/entry';
import type { MemoryFilter, VisibleEntries, MemoryStore } from '../domain/memory/ports';
import type { ContentGenerations, Ids, Page } from '../domain/ports';
import type { Models } from './models';
import type { MemoryDocument } from './schemas/memory';
import { collectionOf } from './collection';
import { readPage } from './read-page';

const BATCH = 500;
/** Limit of entries for one batch of source texts: a text may have any number of translations. */
const MAX_OF_SOURCES = 5_000;
/** How long the count of an owner's entries is cached, in milliseconds. */
const COUNT_MAX_AGE_MS = 10_000;
/** Index hint: without it, the planner may scan all entries of a project. */
const KEY_INDEX = { pair: 1, sourceHash: 1, hash: 1 } as const;

function fromDocument(d: MemoryDocument): MemoryEntry {
  return {
    id: d._id,
    source: d.source,
    target: d.target,
    sourceLanguage: d.sourceLanguage,
    targetLanguage: d.targetLanguage,
    origin: d.origin,
    project: d.project ?? 0,
    user: d.user ?? 0,
    fromFile: d.fromFile === true,
    shared: d.shared === true,
    stamp: d.stamp,
  };
}

/** Unique key of an entry. */
function uniqueKeyOf(entry: NewMemoryEntry): Pick<MemoryDocument, 'pair' | 'sourceHash' | 'hash'> {
  return {
    pair: pairOf(entry.sourceLanguage.code, entry.targetLanguage.code),
    sourceHash: sourceHash(entry.source),
    hash: entryHash(entry),
  };
}

function toDocument(id: number, entry: NewMemoryEntry, stamp: number): MemoryDocument {
  return {
    _id: id,
    ...uniqueKeyOf(entry),
    source: entry.source,
    target: entry.target,
    sourceLanguage: entry.sourceLanguage,
    targetLanguage: entry.targetLanguage,
    origin: entry.origin,
    ...(entry.project ? { project: entry.project } : {}),
    ...(entry.user ? { user: entry.user } : {}),
    ...(entry.fromFile ? { fromFile: true } : {}),
    ...(entry.shared ? { shared: true } : {}),
    stamp,
  };
}

/** Selects the entries that a reader may use; null: all. */
export function visibleCondition(visible: VisibleEntries): object | null {
  if (visible === 'everything') return null;
  const any: object[] = [];
  if (visible.project) any.push({ project: visible.project });
  if (visible.user) any.push({ user: visible.user });
  if (visible.shared) any.push({ shared: true });
  // Without a condition, no entry is visible: id 0 does not exist.
  return any.length === 1 ? any[0]! : any.length === 0 ? { _id: 0 } : { $or: any };
}

/** Mark of entries that are missing from the index, or whose owners have changed. Writes at the same time have different ones. */
export const freshMark = (): number => Date.now() + Math.random();

function filterOf(filter: MemoryFilter): object {
  const visible = visibleCondition(filter.visible);
  const conditions = visible ? [visible] : [];
  const { sourceLanguage, targetLanguage } = filter;
  if (sourceLanguage && targetLanguage) conditions.push({ pair: pairOf(sourceLanguage, targetLanguage) });
  else if (sourceLanguage) conditions.push({ 'sourceLanguage.code': sourceLanguage });
  else if (targetLanguage) conditions.push({ 'targetLanguage.code': targetLanguage });
  if (filter.origin) conditions.push({ origin: filter.origin });
  return conditions.length === 0 ? {} : conditions.length === 1 ? conditions[0]! : { $and: conditions };
}

const keyOf = (place: Pick<MemoryDocument, 'pair' | 'sourceHash' | 'hash'>): string =>
  `${place.pair} ${place.sourceHash} ${place.hash}`;

/** The translation memory in Mongo. */
export class MongoMemoryStore implements MemoryStore {
  constructor(
    private readonly model: Models['memory'],
    private readonly ids: Ids,
    private readonly contents: Pick<ContentGenerations, 'memoryChanged'>,
  ) {}

  private readonly pages = new CountedPages();
  private readonly counts = new Map<string, { at: number; count: number }>();

  private get collection() {
    return collectionOf(this.model);
  }

  async get(id: number): Promise<MemoryEntry | null> {
    const d = await this.collection.findOne({ _id: id });
    return d && fromDocument(d);
  }

  async find(entry: NewMemoryEntry): Promise<MemoryEntry | null> {
    const d = await this.collection.findOne(uniqueKeyOf(entry));
    return d && fromDocument(d);
  }

  async page(filter: MemoryFilter, page: number, size: number): Promise<Page<MemoryEntry>> {
    const query = filterOf(filter);
    const { items, total } = await readPage(this.pages, this.collection, query, { page, size });
    return { items: items.map(fromDocument), total };
  }

  async *stream(filter: MemoryFilter): AsyncGenerator<MemoryEntry[]> {
    const query = filterOf(filter);
    for (let after = 0; ;) {
      const found = await this.collection
        .find({ $and: [query, { _id: { $gt: after } }] })
        .sort({ _id: 1 })
        .limit(BATCH)
        .toArray();
      if (found.length === 0) return;
      yield found.map(fromDocument);
      after = found.at(-1)!._id;
    }
  }

  async add(entries: readonly NewMemoryEntry[], { now, confirm }: { now: number; confirm: boolean }): Promise<number> {
    const wanted = new Map<string, NewMemoryEntry>();
    await eachInSlices(entries, (entry) => wanted.set(keyOf(uniqueKeyOf(entry)), entry));
    const all = [...wanted];
    let added = 0;
    for (let at = 0; at < all.length; at += BATCH) added += await this.addSome(all.slice(at, at + BATCH), now, confirm);
    await this.contents.memoryChanged();
    return added;
  }

  async count(owner: { project: number } | { user: number }, atMost: number): Promise<number> {
    const key = 'user' in owner ? `user ${owner.user}` : `project ${owner.project}`;
    const known = this.counts.get(key);
    if (known && Date.now() - known.at < COUNT_MAX_AGE_MS) return known.count;
    const count = await this.collection.countDocuments(owner, { limit: atMost });
    if (this.counts.size >= 1_000) this.counts.clear();
    this.counts.set(key, { at: Date.now(), count });
    return count;
  }

  /** Adds inserted entries to the cached count. */
  private addToCount({ project, user }: NewMemoryEntry, added: number): void {
    const known = this.counts.get(project ? `project ${project}` : `user ${user}`);
    if (known) known.count += added;
  }

  async missing(entries: readonly NewMemoryEntry[]): Promise<string[]> {
    const missing: string[] = [];
    for (let at = 0; at < entries.length; at += BATCH) {
      const keyed = entries
        .slice(at, at + BATCH)
        .map((entry): [string, NewMemoryEntry] => [keyOf(uniqueKeyOf(entry)), entry]);
      const known = await this.known(keyed);
      missing.push(...keyed.flatMap(([key]) => (known.has(key) ? [] : [key])));
    }
    return missing;
  }

  /** Ids of existing entries by key. */
  private async known(some: readonly [string, NewMemoryEntry][]): Promise<Map<string, number>> {
    const pairs = new Map<string, number[]>();
    for (const [, entry] of some) {
      const { pair, sourceHash: source } = uniqueKeyOf(entry);
      const sources = pairs.get(pair);
      if (sources) sources.push(source);
      else pairs.set(pair, [source]);
    }
    const known = new Map<string, number>();
    for (const [pair, sources] of pairs) {
      const found = await this.collection
        .find({ pair, sourceHash: { $in: sources } }, { projection: { pair: 1, sourceHash: 1, hash: 1 } })
        .toArray();
      for (const d of found) known.set(keyOf(d), d._id);
    }
    return known;
  }

  private async addSome(some: [string, NewMemoryEntry][], now: number, confirm: boolean): Promise<number> {
    const known = await this.known(some);
    const existing = some.flatMap(([key]) => known.get(key) ?? []);
    if (confirm && existing.length > 0)
      await this.collection.updateMany({ _id: { $in: existing } }, { $set: { stamp: now } });
    const fresh = some.filter(([key]) => !known.has(key));
    if (fresh.length === 0) return 0;
    const ids = await this.ids.range('memory', fresh.length);
    const mark = freshMark();
    const documents = fresh.map(([, entry], i) => ({ ...toDocument(ids[i]!, entry, now), fresh: mark }));
    // Another process may add the same entries concurrently.
    const added = documents.length - (await insertUnique(this.collection, documents)).length;
    this.addToCount(fresh[0]![1], added);
    return added;
  }

  async remove(id: number): Promise<boolean> {
    const { deletedCount } = await this.collection.deleteMany({ _id: id });
    await this.contents.memoryChanged();
    return deletedCount === 1;
  }

  async bySources(
    pair: string,
    sources: readonly number[],
    visible: VisibleEntries,
  ): Promise<Map<number, MemoryEntry[]>> {
    const found: MemoryDocument[] = [];
    const condition = visibleCondition(visible);
    for (let at = 0; at < sources.length; at += BATCH) {
      const some = { pair, sourceHash: { $in: sources.slice(at, at + BATCH) } };
      const documents = await this.collection
        .find(condition ? { $and: [some, condition] } : some, { hint: KEY_INDEX, batchSize: MAX_OF_SOURCES })
        .limit(MAX_OF_SOURCES)
        .toArray();
      found.push(...documents);
    }
    const bySource = groupBy(found, (document) => document.sourceHash);
    return new Map(Array.from(bySource, ([source, documents]) => [source, documents.map(fromDocument)]));
  }

  async removeOfProject(project: number): Promise<void> {
    const given = { visible: { project } };
    for await (const some of this.stream(given)) {
      const shared = some.filter((entry) => entry.shared).map((entry) => ({ ...entry, project: 0 }));
      if (shared.length > 0) await this.add(shared, { now: some[0]!.stamp, confirm: false });
      await this.collection.deleteMany({ _id: { $in: some.map((entry) => entry.id) } });
    }
    await this.contents.memoryChanged();
  }

  async removeOfUser(user: number): Promise<void> {
    await this.collection.deleteMany({ user });
    await this.contents.memoryChanged();
  }

  async setShared(project: number, shared: boolean): Promise<void> {
    const fresh = freshMark();
    if (shared)
      await this.collection.updateMany({ project, shared: { $exists: false } }, { $set: { shared: true, fresh } });
    else await this.collection.updateMany({ project, shared: true }, { $unset: { shared: '' } });
    await this.contents.memoryChanged();
  }
}
