import { CountedPages, duplicatesIn, GroupCommit, isDuplicateKey, retried } from '@parlance/store-kit';
import { contentActions, RECENT_CHANGES_MS, type Change } from '../domain/change';
import type { Removal } from '../domain/pending';
import type {
  ChangeFilter,
  Comment,
  CommentStore,
  Contribution,
  HistoryCounts,
  HistoryReader,
  HistoryWriter,
  Page,
  RecentCount,
  RecentScope,
  RemovalStore,
  Suggestion,
  SuggestionStore,
} from '../domain/ports';
import type { Translation } from '../domain/translation';
import type { Author } from '../domain/unit';
import { HistoryPages } from './history-pages';
import { HistoryTotals } from './history-totals';
import type { Models } from './models';
import type { ChangeDocument } from './schemas/change';
import { collectionOf } from './collection';
import { readPage } from './read-page';

/** Entries in one call of `insert` that share a statement with those of concurrent calls. */
const MAX_GROUPED = 20;
/** Concurrent calls of `insert` that share a statement. */
const MAX_GROUP = 50;

function fromDocument({ _id, event: _event, ...rest }: ChangeDocument): Change {
  return { id: _id, ...rest };
}

function toDocument({ id, once, ...rest }: Change): ChangeDocument {
  return { _id: id, ...rest, ...(once === undefined ? {} : { event: once }) };
}

function filterOf(filter: ChangeFilter): object {
  const conditions: Record<string, unknown>[] = [];
  for (const name of ['project', 'component', 'translation', 'unit', 'language', 'user'] as const) {
    if (filter[name]) conditions.push({ [name]: filter[name] });
  }
  if (filter.actions?.length)
    conditions.push({ action: filter.actions.length === 1 ? filter.actions[0] : { $in: filter.actions } });
  if (filter.after || filter.before) {
    conditions.push({
      time: { ...(filter.after ? { $gte: filter.after } : {}), ...(filter.before ? { $lte: filter.before } : {}) },
    });
  }
  if (filter.excludedComponents?.length) conditions.push({ component: { $nin: filter.excludedComponents } });
  if (filter.excludedProjects?.length) conditions.push({ project: { $nin: filter.excludedProjects } });
  return conditions.length === 0 ? {} : conditions.length === 1 ? conditions[0]! : { $and: conditions };
}

const content = [...contentActions];
/** Translations counted with one statement. */
const BATCH = 50;

const recentTimes = (scope: RecentScope) => ({ $gte: scope.lastChange - RECENT_CHANGES_MS, $lte: scope.lastChange });
const groupRecent = (_id: unknown) => ({ $group: { _id, count: { $sum: 1 }, oldest: { $min: '$time' } } });
const componentsOf = (scope: RecentScope) => ({ component: { $in: scope.components } });

/** The history in Mongo. */
export class MongoChangeStore implements HistoryReader, HistoryCounts, HistoryWriter {
  private readonly totals: HistoryTotals;
  private readonly pages: HistoryPages;
  private readonly edits = new GroupCommit<readonly Change[], void>(async (groups) => {
    await this.insertAll(groups.flat());
    return groups.map(() => undefined);
  }, MAX_GROUP);

  constructor(
    private readonly model: Models['changes'],
    counters: Models['counters'],
  ) {
    this.totals = new HistoryTotals(model, counters);
    this.pages = new HistoryPages(model, this.totals);
  }

  private get collection() {
    return collectionOf(this.model);
  }

  async get(id: number): Promise<Change | null> {
    const d = await this.collection.findOne({ _id: id });
    return d && fromDocument(d);
  }

  async page(filter: ChangeFilter, page: number, size: number): Promise<Page<Change>> {
    const { items, total } = filter.unit
      ? await this.pages.ofShortList(filterOf(filter), page, size)
      : await this.pages.page(filterOf(filter), page, size, filter.before);
    return { items: items.map(fromDocument), total };
  }

  async first(filter: ChangeFilter, size: number): Promise<Change[]> {
    return (await this.pages.first(filterOf(filter), size, filter.before)).map(fromDocument);
  }

  countByAction(filter: ChangeFilter): Promise<ReadonlyMap<number, number>> {
    return this.totals.byAction(filterOf(filter));
  }

  async newestOf(units: readonly number[], actions: readonly number[], limit: number): Promise<Change[]> {
    const filter = { unit: { $in: [...units] }, action: { $in: [...actions] } };
    return (await this.pages.newest(filter, 0, limit)).map(fromDocument);
  }

  async countRecent(scopes: readonly RecentScope[]): Promise<RecentCount[]> {
    const counts = scopes.map((): RecentCount => ({ count: 0, oldest: 0 }));
    const single = scopes.flatMap((scope, i) => (scope.filter.translation ? [{ scope, i }] : []));
    for (let at = 0; at < single.length; at += BATCH) {
      const some = single.slice(at, at + BATCH);
      const found = await this.collection
        .aggregate<{ _id: number } & RecentCount>([
          {
            $match: {
              $or: some.map(({ scope }) => ({ translation: scope.filter.translation, time: recentTimes(scope) })),
              action: { $in: content },
            },
          },
          groupRecent('$translation'),
        ])
        .toArray();
      const byId = new Map(found.map(({ _id, count, oldest }) => [_id, { count, oldest }]));
      for (const { scope, i } of some) counts[i] = byId.get(scope.filter.translation!) ?? counts[i]!;
    }
    for (const [i, scope] of scopes.entries()) {
      if (scope.filter.translation) continue;
      const { project, language, ...rest } = scope.filter;
      const own = [...(project ? [{ project }] : []), ...(scope.components.length > 0 ? [componentsOf(scope)] : [])];
      const filter = {
        $and: [
          filterOf({ ...rest, ...(language ? { language } : {}) }),
          own.length > 1 ? { $or: own } : (own[0] ?? {}),
          { time: recentTimes(scope), action: { $in: content } },
        ],
      };
      const [found] = await this.collection.aggregate<RecentCount>([{ $match: filter }, groupRecent(1)]).toArray();
      if (found) counts[i] = { count: found.count, oldest: found.oldest };
    }
    return counts;
  }

  async sums(translation: number, without: readonly number[]): Promise<{ content: number; newest: number }> {
    const [counted, newest] = await Promise.all([
      this.collection.countDocuments({
        translation,
        action: { $in: content },
        ...(without.length > 0 ? { _id: { $nin: without } } : {}),
      }),
      this.collection
        .find({ translation }, { projection: { time: 1 } })
        .sort({ time: -1 })
        .limit(1)
        .toArray(),
    ]);
    return { content: counted, newest: newest[0]?.time ?? 0 };
  }

  async contributions(filter: ChangeFilter, most: number): Promise<Contribution[]> {
    const found = await this.collection
      .aggregate<{ _id: Omit<Contribution, 'changes'>; changes: number }>([
        { $match: { $and: [filterOf(filter), { user: { $gt: 0 } }, { translation: { $gt: 0 } }] } },
        {
          $group: {
            _id: { user: '$user', translation: '$translation', language: '$language' },
            changes: { $sum: 1 },
          },
        },
        { $sort: { changes: -1, _id: 1 } },
        { $limit: most },
      ])
      .toArray();
    return found.map(({ _id, changes }) => ({ ..._id, changes }));
  }

  async hasEntries(translation: number, user: number, before: number): Promise<boolean> {
    const filter = { translation, user, time: { $lt: before } };
    return (await this.collection.findOne(filter, { projection: { _id: 1 } })) !== null;
  }

  async insert(changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return;
    // Entries of an edit do not wait behind those of an import.
    if (changes.length > MAX_GROUPED) await this.insertAll(changes);
    else await this.edits.add(changes);
  }

  private async insertAll(changes: readonly Change[]): Promise<void> {
    const documents = changes.map(toDocument);
    for (let at = 0; at < documents.length; at += 1000) {
      const some = documents.slice(at, at + 1000);
      await retried(() => this.collection.insertMany(some, { ordered: false })).catch(duplicatesIn);
    }
    await this.totals.recordInserted(changes);
  }

  async retract(changes: readonly Pick<Change, 'id' | 'time'>[]): Promise<void> {
    if (changes.length === 0) return;
    await this.collection.deleteMany({ _id: { $in: changes.map(({ id }) => id) } });
    await this.totals.recordInserted(changes);
  }
}

/** Suggestions in Mongo. */
export class MongoSuggestionStore implements SuggestionStore {
  private readonly pages = new CountedPages();

  constructor(private readonly model: Models['suggestions']) {}

  async insert({ id, ...rest }: Suggestion): Promise<boolean> {
    try {
      await collectionOf(this.model).insertOne({ _id: id, ...rest });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async insertMany(suggestions: readonly Suggestion[]): Promise<void> {
    if (suggestions.length === 0) return;
    const documents = suggestions.map(({ id, ...rest }) => ({ _id: id, ...rest }));
    await collectionOf(this.model).insertMany(documents);
  }

  async vote(id: number, user: number): Promise<Suggestion | null> {
    const after = await retried(() =>
      collectionOf(this.model).findOneAndUpdate(
        { _id: id, votes: { $ne: user } },
        { $push: { votes: user } },
        { returnDocument: 'after' },
      ),
    );
    if (!after) return null;
    const { _id, ...rest } = after;
    return { id: _id, ...rest };
  }

  async withdrawVote(id: number, user: number): Promise<void> {
    await retried(() => collectionOf(this.model).updateOne({ _id: id }, { $pull: { votes: user } }));
  }

  async get(id: number): Promise<Suggestion | null> {
    const found = await collectionOf(this.model).findOne({ _id: id });
    if (!found) return null;
    const { _id, ...rest } = found;
    return { id: _id, ...rest };
  }

  async page(of: { unit: number } | { translation: number }, page: number, size: number): Promise<Page<Suggestion>> {
    const { items, total } = await readPage(this.pages, collectionOf(this.model), of, { page, size });
    return { items: items.map(({ _id, ...rest }) => ({ id: _id, ...rest })), total };
  }

  async forgetAuthor(user: number): Promise<void> {
    await collectionOf(this.model).updateMany({ 'author.userId': user }, { $unset: { author: '' } });
  }

  async ofUnits(units: readonly number[]): Promise<Suggestion[]> {
    if (units.length === 0) return [];
    const found = await collectionOf(this.model)
      .find({ unit: { $in: [...units] } })
      .sort({ _id: 1 })
      .toArray();
    return found.map(({ _id, ...rest }) => ({ id: _id, ...rest }));
  }

  async older(component: number, before: number): Promise<Suggestion[]> {
    const found = await collectionOf(this.model)
      .find({ component, time: { $lt: before } })
      .toArray();
    return found.map(({ _id, ...rest }) => ({ ...rest, id: Number(_id) }));
  }

  countNewer(unit: number, since: number): Promise<number> {
    return collectionOf(this.model).countDocuments({ unit, time: { $gte: since } });
  }

  async remove(ids: readonly number[]): Promise<void> {
    await collectionOf(this.model).deleteMany({ _id: { $in: [...ids] } });
  }

  async removeOfComponent(component: number): Promise<void> {
    await collectionOf(this.model).deleteMany({ component });
  }
}

/** Comments in Mongo. */
export class MongoCommentStore implements CommentStore {
  private readonly pages = new CountedPages();

  constructor(private readonly model: Models['comments']) {}

  async older(component: number, before: number): Promise<Comment[]> {
    const found = await collectionOf(this.model)
      .find({ component, time: { $lt: before } })
      .toArray();
    return found.map(({ _id, ...rest }) => ({ ...rest, id: Number(_id) }));
  }

  /** Counts unresolved comments. */
  countNewer(unit: number, since: number): Promise<number> {
    return collectionOf(this.model).countDocuments({ unit, time: { $gte: since }, resolved: { $ne: true } });
  }

  async remove(ids: readonly number[]): Promise<void> {
    await collectionOf(this.model).deleteMany({ _id: { $in: [...ids] } });
  }

  async get(id: number): Promise<Comment | null> {
    const found = await collectionOf(this.model).findOne({ _id: id });
    if (!found) return null;
    const { _id, ...rest } = found;
    return { ...rest, id: _id };
  }

  async page(units: readonly number[], page: number, size: number): Promise<Page<Comment>> {
    const filter = { unit: { $in: [...units] } };
    const { items, total } = await readPage(this.pages, collectionOf(this.model), filter, { page, size });
    return { items: items.map(({ _id, ...rest }) => ({ ...rest, id: _id })), total };
  }

  async update(id: number, change: Partial<Pick<Comment, 'text' | 'resolved'>>): Promise<void> {
    await retried(() => collectionOf(this.model).updateOne({ _id: id }, { $set: change }));
  }

  async insert({ id, ...rest }: Comment): Promise<void> {
    await collectionOf(this.model).insertOne({ _id: id, ...rest });
  }

  async removeOfComponent(component: number): Promise<void> {
    await collectionOf(this.model).deleteMany({ component });
  }
}

/** Removals to apply to a file. */
const TO_APPLY = { ofBase: { $exists: false } };

/** Deleted strings that their files still contain, in Mongo. */
export class MongoRemovalStore implements RemovalStore {
  constructor(private readonly model: Models['removals']) {}

  async add(removals: readonly Removal[]): Promise<void> {
    if (removals.length === 0) return;
    const documents = removals.map(({ id, ...rest }) => ({ _id: id, ...rest }));
    await retried(() => collectionOf(this.model).insertMany(documents, { ordered: false })).catch(duplicatesIn);
  }

  async ofComponent(component: number): Promise<Removal[]> {
    const found = await collectionOf(this.model)
      .find({ component, ...TO_APPLY })
      .toArray();
    return found.map(({ _id, ...rest }) => ({ id: _id, ...rest }));
  }

  async keysOf({ id, component }: Pick<Translation, 'id' | 'component'>): Promise<Set<string>> {
    const found = await collectionOf(this.model)
      .find({ component, translation: id }, { projection: { key: 1 } })
      .toArray();
    return new Set(found.map(({ key }) => key));
  }

  async anyOf(components: readonly number[]): Promise<boolean> {
    return (await collectionOf(this.model).findOne({ component: { $in: [...components] }, ...TO_APPLY })) !== null;
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await collectionOf(this.model).deleteMany({ _id: { $in: ids } });
  }

  async removeOfComponent(component: number): Promise<void> {
    await collectionOf(this.model).deleteMany({ component });
  }

  async renameAuthor(person: Author): Promise<void> {
    await collectionOf(this.model).updateMany({ 'author.userId': person.userId }, { $set: { author: person } });
  }
}
