import { contentActions } from '../domain/change';
import type { ChangedFilter, CuratedSource, LookupScope, UnitLookups } from '../domain/ports';
import type { RemarkCondition, UnitQuery } from '../domain/unit-query';
import type { Models } from './models';
import { remarkFilter, unitFilter } from './units/unit-query';
import { collectionOf, type DriverCollection } from './collection';

const scoped = (scope: LookupScope): object[] =>
  scope.translation
    ? [{ translation: scope.translation }]
    : scope.projects?.length
      ? [{ project: { $in: scope.projects } }]
      : [];

const allOf = (conditions: object[]): object =>
  conditions.length === 0 ? {} : conditions.length === 1 ? conditions[0]! : { $and: conditions };

/** Finds units by data outside their own documents. */
export class MongoUnitLookups implements UnitLookups {
  constructor(
    private readonly models: Pick<Models, 'units' | 'translations' | 'changes' | 'suggestions' | 'comments'>,
  ) {}

  async changedUnits(scope: LookupScope, filter: ChangedFilter, limit: number): Promise<number[]> {
    const conditions = scoped(scope);
    if (filter.actions) conditions.push({ action: { $in: filter.actions } });
    if (filter.contentOnly) conditions.push({ action: { $in: [...contentActions] } });
    if (filter.user !== undefined) conditions.push({ user: filter.user });
    if (filter.from !== undefined) conditions.push({ time: { $gte: filter.from } });
    if (filter.before !== undefined) conditions.push({ time: { $lt: filter.before } });
    conditions.push({ unit: { $gt: 0 } });
    return this.distinctUnits(collectionOf(this.models.changes), allOf(conditions), limit);
  }

  async remarkedUnits(
    kind: 'suggestion' | 'comment',
    scope: LookupScope,
    condition: RemarkCondition,
    limit: number,
  ): Promise<number[]> {
    const { suggestions, comments } = this.models;
    const collection = kind === 'suggestion' ? collectionOf(suggestions) : collectionOf(comments);
    return this.distinctUnits(collection, allOf([...scoped(scope), remarkFilter(condition)]), limit);
  }

  private async distinctUnits(
    collection: Pick<DriverCollection<unknown>, 'aggregate'>,
    filter: object,
    limit: number,
  ): Promise<number[]> {
    const found = await collection
      .aggregate<{ _id: number }>([{ $match: filter }, { $group: { _id: '$unit' } }, { $limit: limit }])
      .toArray();
    return found.map((d) => d._id);
  }

  async curated(scope: LookupScope, limit: number): Promise<CuratedSource[]> {
    const found = await collectionOf(this.models.units)
      .find(allOf([...scoped(scope), { curated: true }]), {
        projection: { labels: 1, explanation: 1, extraFlags: 1 },
      })
      .limit(limit)
      .toArray();
    return found.map((d) => ({
      id: d._id,
      labels: d.labels ?? [],
      explanation: d.explanation ?? '',
      extraFlags: d.extraFlags ?? '',
    }));
  }

  async sources(scope: LookupScope, condition: UnitQuery, limit: number): Promise<number[]> {
    const found = await collectionOf(this.models.units)
      .find(allOf([...scoped(scope), { isSource: true }, unitFilter(condition)]), {
        projection: { _id: 1 },
      })
      .limit(limit)
      .toArray();
    return found.map((d) => d._id);
  }

  async contexts(translation: number, limit: number): Promise<{ id: number; context: string }[]> {
    const found = await collectionOf(this.models.units)
      .find({ translation }, { projection: { context: 1 } })
      .limit(limit)
      .toArray();
    return found.map(({ _id, context = '' }) => ({ id: _id, context }));
  }

  async sourceTexts(components: readonly number[], limit: number): Promise<string[]> {
    const sources = await collectionOf(this.models.translations)
      .find({ component: { $in: components }, isSource: true }, { projection: { _id: 1 } })
      .toArray();
    const found = await collectionOf(this.models.units)
      .find({ translation: { $in: sources.map((d) => d._id) } }, { projection: { source: 1 } })
      .limit(limit)
      .toArray();
    return found.flatMap((d) => d.source);
  }
}
