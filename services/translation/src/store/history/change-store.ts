import { GroupCommit, insertUnique } from '@parlance/store-kit';
import { contentActions, RECENT_CHANGES_MS, type Change } from '../../domain/change';
import type {
  ChangeFilter,
  ContentGenerations,
  Contribution,
  HistoryCounts,
  HistoryReader,
  HistoryWriter,
  Page,
  RecentCount,
  RecentScope,
} from '../../domain/ports';
import { HistoryPages } from './history-pages';
import { HistoryTotals } from './history-totals';
import type { Models } from '../models';
import type { ChangeDocument } from '../schemas/change';
import { collectionOf } from '../collection';

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
    private readonly contents: ContentGenerations,
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
      await insertUnique(this.collection, some);
    }
    await this.totals.recordInserted(changes);
    await this.contents.changed(changes);
  }

  async retract(changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return;
    await this.collection.deleteMany({ _id: { $in: changes.map(({ id }) => id) } });
    await this.totals.recordInserted(changes);
    await this.contents.changed(changes);
  }
}
