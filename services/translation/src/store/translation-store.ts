import { CountedPages, LOST_RACE, optimisticUpdate } from '@parlance/store-kit';
import { createHash, randomUUID } from 'node:crypto';
import { addDelta, groups, type CounterDelta, type Counters, type Group } from '../domain/counters';
import type {
  CheckMarks,
  GroupSum,
  LastChange,
  MarkedTranslation,
  ProjectTranslation,
  Page,
  TranslationCounters,
  TranslationFields,
  TranslationFilter,
  TranslationQueries,
  TranslationReader,
  TranslationWriter,
} from '../domain/ports';
import type { Translation } from '../domain/translation';
import { MAX_UNCLEARED } from '../domain/ports';
import type { Models } from './models';
import type { TranslationDocument } from './schemas/translation';
import { collectionOf } from './collection';
import { readPage } from './read-page';

/**
 * Counted outbox items that a translation remembers; more than two processes may leave uncleared. An item that is forgotten before it
 * is cleared would be counted again by recovery.
 */
const MAX_APPLIED = 2 * MAX_UNCLEARED + 50;

/** Hash of a counted item: 48 bits, because every edit rewrites the list. */
function hashOf(item: string): number {
  return createHash('sha256').update(item).digest().readUIntBE(0, 6);
}

/** The translation of a document. */
export function fromDocument(d: TranslationDocument): Translation {
  return {
    id: d._id,
    component: d.component,
    project: d.project,
    language: d.language,
    fileLanguageCode: d.fileLanguageCode,
    filename: d.filename,
    revision: d.revision,
    isTemplate: d.isTemplate,
    isSource: d.isSource,
    counters: d.counters,
    version: d.version,
  };
}

function filterOf(filter: TranslationFilter): object {
  const conditions: Record<string, unknown>[] = [];
  if (filter.translations) conditions.push({ _id: { $in: filter.translations } });
  if (filter.components?.length) conditions.push({ component: { $in: filter.components } });
  if (filter.projects?.length) conditions.push({ project: { $in: filter.projects } });
  if (filter.language) conditions.push({ languageCode: filter.language });
  if (filter.excludedComponents?.length) conditions.push({ component: { $nin: filter.excludedComponents } });
  if (filter.excludedProjects?.length) conditions.push({ project: { $nin: filter.excludedProjects } });
  if (filter.counting) conditions.push({ $expr: { $gt: [sumOf(filter.counting), 0] } });
  return conditions.length === 0 ? {} : conditions.length === 1 ? conditions[0]! : { $and: conditions };
}

const sumOf = (sum: GroupSum) => ({
  $add: Object.entries(sum).map(([group, times]) => ({ $multiply: [times, `$counters.${group}.s`] })),
});

const filterOfAll = (filters: readonly TranslationFilter[]): object => {
  const conditions = filters.map(filterOf).filter((filter) => Object.keys(filter).length > 0);
  return conditions.length === 0 ? {} : { $and: conditions };
};

function notTimedSince(since: number): object {
  return { isSource: true, $or: [{ timedChecks: { $exists: false } }, { timedChecks: { $lt: since } }] };
}

/** Translations in Mongo. */
export class MongoTranslationStore
  implements TranslationReader, TranslationQueries, TranslationWriter, TranslationCounters, CheckMarks
{
  private readonly pages = new CountedPages();

  constructor(
    private readonly model: Models['translations'],
    private readonly units: Models['units'],
  ) {}

  private get collection() {
    return collectionOf(this.model);
  }

  private async one(filter: object): Promise<Translation | null> {
    const d = await this.collection.findOne(filter, {
      projection: { applied: 0 },
    });
    return d && fromDocument(d);
  }

  private async all(filter: object): Promise<Translation[]> {
    const found = await this.collection
      .find(filter, { projection: { applied: 0 } })
      .sort({ _id: 1 })
      .toArray();
    return found.map(fromDocument);
  }

  get(id: number): Promise<Translation | null> {
    return this.one({ _id: id });
  }

  many(ids: readonly number[]): Promise<Translation[]> {
    return ids.length === 0 ? Promise.resolve([]) : this.all({ _id: { $in: ids } });
  }

  async find(component: number, language: string): Promise<Translation | null> {
    return (
      (await this.one({ component, languageCode: language })) ??
      (await this.one({ component, fileLanguageCode: language }))
    );
  }

  ofComponent(component: number): Promise<Translation[]> {
    return this.all({ component });
  }

  async page(filter: TranslationFilter, page: number, size: number): Promise<Page<Translation>> {
    const query = filterOf(filter);
    const { items, total } = await readPage(
      this.pages,
      this.collection,
      query,
      { page, size },
      { projection: { applied: 0 } },
    );
    return { items: items.map(fromDocument), total };
  }

  async components(): Promise<number[]> {
    return (await this.collection.distinct('component')) as number[];
  }

  async inProject(project: number, language: string): Promise<ProjectTranslation[]> {
    const found = await this.collection
      .find({ project, languageCode: language }, { projection: { component: 1, 'counters.all.s': 1 } })
      .toArray();
    return found.map((d) => ({ translation: d._id, component: d.component, strings: d.counters.all.s }));
  }

  /** Marked translations by id. */
  private async marked(
    filter: object,
    field: 'recheckMark' | 'rejudgeMark' | 'termsChanged',
  ): Promise<MarkedTranslation[]> {
    const found = await this.collection
      .find(filter, { projection: { applied: 0 } })
      .sort({ _id: 1 })
      .toArray();
    return found.map((d) => ({ translation: fromDocument(d), mark: d[field] ?? '' }));
  }

  listToRecheck(): Promise<MarkedTranslation[]> {
    return this.marked({ recheck: true }, 'recheckMark');
  }

  async markRecheck(ids: readonly number[]): Promise<void> {
    await this.collection.updateMany({ _id: { $in: ids } }, { $set: newRecheck() });
  }

  async clearRecheck(marked: readonly MarkedTranslation[]): Promise<void> {
    const ids = marked.map(({ translation }) => translation.id);
    // Null selects marks of versions before there were several.
    const marks = [...new Set(marked.map(({ mark }) => mark || null))];
    await this.collection.updateMany(
      { _id: { $in: ids }, recheckMark: { $in: marks } },
      { $unset: { recheck: '', recheckMark: '' } },
    );
  }

  listToRerun(): Promise<MarkedTranslation[]> {
    return this.marked({ rejudge: true }, 'rejudgeMark');
  }

  async markRerun(of: { component: number } | { project: number }): Promise<void> {
    await this.collection.updateMany(of, { $set: { rejudge: true, rejudgeMark: randomUUID() } });
  }

  async clearRerun(id: number, mark: string): Promise<void> {
    await this.collection.updateOne(
      { _id: id, rejudgeMark: mark },
      {
        $unset: { rejudge: '', rejudgeMark: '' },
        $set: newRecheck(),
      },
    );
  }

  async markTermsChanged(project: number, language: string | null): Promise<void> {
    await this.collection.updateMany(
      { project, ...(language === null ? {} : { languageCode: language }), isSource: false },
      { $set: { termsChanged: randomUUID() } },
    );
  }

  listTermsChanged(): Promise<MarkedTranslation[]> {
    return this.marked({ termsChanged: { $exists: true } }, 'termsChanged');
  }

  async clearTermsChanged(translation: number, mark: string): Promise<void> {
    await this.collection.updateOne({ _id: translation, termsChanged: mark }, { $unset: { termsChanged: '' } });
  }

  async listTimedChecksDue(since: number, limit: number): Promise<number[]> {
    const found = await this.collection
      .find(notTimedSince(since), { projection: { component: 1 } })
      .limit(limit)
      .toArray();
    return found.map((d) => d.component);
  }

  async claimTimedChecks(component: number, since: number, now: number): Promise<boolean> {
    const { modifiedCount } = await this.collection.updateOne(
      { component, ...notTimedSince(since) },
      {
        $set: { timedChecks: now },
      },
    );
    return modifiedCount === 1;
  }

  async sumGroups(filters: readonly TranslationFilter[]): Promise<Record<Group, number>> {
    const sums = groups.map((group) => [group, { $sum: `$counters.${group}.s` }] as const);
    const [found] = await this.collection
      .aggregate<Record<Group, number>>([
        { $match: filterOfAll(filters) },
        { $group: { _id: null, ...Object.fromEntries(sums) } },
      ])
      .toArray();
    return Object.fromEntries(groups.map((group) => [group, found?.[group] ?? 0])) as Record<Group, number>;
  }

  async ids(filters: readonly TranslationFilter[]): Promise<number[]> {
    const options = { projection: { _id: 1 }, batchSize: 10_000 };
    const found = await this.collection.find(filterOfAll(filters), options).toArray();
    return found.map(({ _id }) => _id);
  }

  async insert(translation: Translation): Promise<void> {
    const { id, ...rest } = translation;
    await this.collection.insertOne({
      _id: id,
      ...rest,
      languageCode: translation.language.code,
      applied: [],
    });
  }

  async update(id: number, fields: TranslationFields): Promise<void> {
    const set: Record<string, unknown> = { ...fields };
    if (fields.language) set['languageCode'] = fields.language.code;
    // An import changes positions.
    await this.collection.updateOne({ _id: id }, { $set: set, $unset: { end: '' }, $inc: { version: 1 } });
  }

  async reservePositions(id: number, count: number): Promise<number> {
    return optimisticUpdate<number>(async () => {
      const taken = await this.collection.findOneAndUpdate(
        { _id: id, end: { $exists: true } },
        { $inc: { end: count } },
        { projection: { end: 1 }, returnDocument: 'after' },
      );
      if (taken) return taken.end! - count;
      const [last] = await collectionOf(this.units)
        .find({ translation: id }, { projection: { position: 1 } })
        .sort({ position: -1 })
        .limit(1)
        .toArray();
      const end = last?.position ?? 0;
      const { matchedCount } = await this.collection.updateOne({ _id: id, end: { $exists: false } }, { $set: { end } });
      // A deleted translation: the insertion that follows detects it.
      return matchedCount === 0 && !(await this.get(id)) ? end : LOST_RACE;
    });
  }

  async applyDelta(
    id: number,
    items: readonly { id: string; delta: CounterDelta }[],
    last: LastChange | null,
  ): Promise<Translation | null> {
    const marks = items.map((i) => hashOf(i.id));
    const sum: CounterDelta = { groups: {}, checks: 0, contentChanges: 0 };
    for (const { delta } of items) addDelta(sum, delta);
    const increments: Record<string, number> = { version: 1 };
    const add = (path: string, by: number) => {
      if (by !== 0) increments[path] = by;
    };
    for (const group of groups) {
      const tally = sum.groups[group];
      if (!tally) continue;
      add(`counters.${group}.s`, tally.s);
      add(`counters.${group}.w`, tally.w);
      add(`counters.${group}.c`, tally.c);
    }
    add('counters.checks', sum.checks);
    add('counters.contentChanges', sum.contentChanges);
    const update: Record<string, unknown> = {
      $inc: increments,
      $push: { applied: { $each: marks, $slice: -MAX_APPLIED } },
    };
    // $max: concurrent processes may count in another order than they wrote.
    if (last) update['$max'] = { 'counters.lastChange': last.time };
    if (last?.by) update['$set'] = lastAuthor(last.by);
    const after = await this.collection.findOneAndUpdate({ _id: id, applied: { $nin: marks } }, update, {
      returnDocument: 'after',
      projection: { applied: 0 },
    });
    if (after) return fromDocument(after);
    if (items.length === 1) return this.get(id);
    // Some items are counted already: apply one by one.
    let result: Translation | null = null;
    for (const item of items) result = await this.applyDelta(id, [item], last);
    return result;
  }

  async touch(id: number, { time, by }: LastChange): Promise<Translation | null> {
    const after = await this.collection.findOneAndUpdate(
      { _id: id, 'counters.lastChange': { $lt: time } },
      { $set: { 'counters.lastChange': time, ...(by && lastAuthor(by)) }, $inc: { version: 1 } },
      { returnDocument: 'after', projection: { applied: 0 } },
    );
    return after && fromDocument(after);
  }

  async replaceCounters(
    id: number,
    version: number,
    counters: Counters,
    applied: readonly string[],
  ): Promise<Translation | null> {
    const update = {
      $set: { counters },
      $inc: { version: 1 },
      $push: { applied: { $each: applied.map(hashOf), $slice: -MAX_APPLIED } },
    };
    const after = await this.collection.findOneAndUpdate({ _id: id, version }, update, {
      returnDocument: 'after',
      projection: { applied: 0 },
    });
    return after && fromDocument(after);
  }

  async renameLastAuthor(user: number, name: string): Promise<Translation[]> {
    const last = { 'counters.lastAuthorId': user };
    const found = await this.collection.find(last, { projection: { _id: 1 } }).toArray();
    const renamed: Translation[] = [];
    for (const { _id } of found) {
      const after = await this.collection.findOneAndUpdate(
        { _id, ...last },
        { $set: { 'counters.lastAuthor': name }, $inc: { version: 1 } },
        { returnDocument: 'after', projection: { applied: 0 } },
      );
      if (after) renamed.push(fromDocument(after));
    }
    return renamed;
  }

  async countedItems(id: number): Promise<{ version: number; holds: (item: string) => boolean } | null> {
    const d = await this.collection.findOne({ _id: id }, { projection: { version: 1, applied: 1 } });
    if (!d) return null;
    const marks = new Set(d.applied);
    return { version: d.version, holds: (item) => marks.has(hashOf(item)) };
  }

  async remove(id: number): Promise<void> {
    await this.collection.deleteMany({ _id: id });
  }
}

/** A new request for checks that compare several strings. */
const newRecheck = () => ({ recheck: true, recheckMark: randomUUID() });

function lastAuthor({ author, authorId }: NonNullable<LastChange['by']>): Record<string, unknown> {
  return { 'counters.lastAuthor': author, 'counters.lastAuthorId': authorId };
}
