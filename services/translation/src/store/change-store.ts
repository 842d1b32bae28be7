import { isDuplicateKey } from '@parlance/store-kit';
import type { Change } from '../domain/change';
import type { Removal } from '../domain/pending';
import type {
  ChangeFilter,
  ChangeStore,
  Contribution,
  Page,
  RemovalStore,
  Suggestion,
  SuggestionStore,
} from '../domain/ports';
import type { ChangeDocument, Models, RemovalDocument, SuggestionDocument } from './models';

function fromDocument({ _id, event: _event, ...rest }: ChangeDocument): Change {
  return { id: _id, ...rest };
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

/** The history in Mongo. */
export class MongoChangeStore implements ChangeStore {
  constructor(private readonly model: Models['changes']) {}

  private get collection() {
    return this.model.collection;
  }

  async get(id: number): Promise<Change | null> {
    const d = (await this.collection.findOne({ _id: id as never })) as unknown as ChangeDocument | null;
    return d && fromDocument(d);
  }

  async page(filter: ChangeFilter, page: number, size: number): Promise<Page<Change>> {
    const query = filterOf(filter) as never;
    const cursor = this.collection
      .find(query)
      .sort({ time: -1, _id: -1 })
      .skip((page - 1) * size)
      .limit(size);
    const [found, total] = await Promise.all([cursor.toArray(), this.collection.countDocuments(query)]);
    return { items: (found as unknown as ChangeDocument[]).map(fromDocument), total };
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

  async insert(changes: readonly Change[], event?: string): Promise<void> {
    if (changes.length === 0) return;
    const documents = changes.map(({ id, ...rest }) => ({ _id: id, ...rest, ...(event ? { event } : {}) }));
    for (let at = 0; at < documents.length; at += 1000) {
      await this.collection
        .insertMany(documents.slice(at, at + 1000) as never[], { ordered: false })
        .catch((error: unknown) => {
          const problems = (error as { writeErrors?: { code: number }[] }).writeErrors ?? [];
          if (!isDuplicateKey(error) || !problems.every(isDuplicateKey)) throw error;
        });
    }
  }

  async removeOfComponent(component: number): Promise<void> {
    await this.collection.deleteMany({ component });
  }
}

/** Suggestions in Mongo. */
export class MongoSuggestionStore implements SuggestionStore {
  constructor(private readonly model: Models['suggestions']) {}

  async insert({ id, ...rest }: Suggestion): Promise<boolean> {
    try {
      await this.model.collection.insertOne({ _id: id, ...rest } as never);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async insertMany(suggestions: readonly Suggestion[]): Promise<void> {
    if (suggestions.length === 0) return;
    const documents = suggestions.map(({ id, ...rest }) => ({ _id: id, ...rest }));
    await this.model.collection.insertMany(documents as never[]);
  }

  async ofUnits(units: readonly number[]): Promise<Suggestion[]> {
    if (units.length === 0) return [];
    const found = (await this.model.collection
      .find({ unit: { $in: [...units] } })
      .sort({ _id: 1 })
      .toArray()) as unknown as SuggestionDocument[];
    return found.map(({ _id, ...rest }) => ({ id: _id, ...rest }));
  }

  async removeOfComponent(component: number): Promise<void> {
    await this.model.collection.deleteMany({ component });
  }
}

/** Deleted strings that their files still have, in Mongo. */
export class MongoRemovalStore implements RemovalStore {
  constructor(private readonly model: Models['removals']) {}

  async add(removals: readonly Removal[]): Promise<void> {
    if (removals.length === 0) return;
    await this.model.collection.insertMany(removals.map(({ id, ...rest }) => ({ _id: id, ...rest })) as never[]);
  }

  async ofComponent(component: number): Promise<Removal[]> {
    const found = (await this.model.collection.find({ component }).toArray()) as unknown as RemovalDocument[];
    return found.map(({ _id, ...rest }) => ({ id: _id, ...rest }));
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.model.collection.deleteMany({ _id: { $in: ids as never[] } });
  }

  async removeOfComponent(component: number): Promise<void> {
    await this.model.collection.deleteMany({ component });
  }
}
