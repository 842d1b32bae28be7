import { evaluate, type Query } from '@parlance/search';
import { count, emptyCounters, type Counters } from '../../../src/domain/counters';
import type {
  ExtraFlagsReader,
  Neighbours,
  OutboxItem,
  Page,
  SourceSummaries,
  SourceSummary,
  UnitCounters,
  UnitFields,
  UnitOutbox,
  UnitPositions,
  UnitQueries,
  UnitVersion,
} from '../../../src/domain/ports';
import type { Unit } from '../../../src/domain/unit';
import { viewOf, type UnitQuery } from '../../../src/domain/unit-query';
import { MemoryUnitStore } from './unit-store';

type Port = UnitQueries & UnitPositions & UnitFields & ExtraFlagsReader & SourceSummaries & UnitOutbox & UnitCounters;

/** Units in memory that can be queried, counted and moved, with the outbox of their writes. */
export class MemoryQueriedUnitStore extends MemoryUnitStore implements Port {
  async all(query: UnitQuery): Promise<Unit[]> {
    return this.select((unit) => meets(unit, query));
  }

  async idsOf(query: UnitQuery): Promise<number[]> {
    return (await this.all(query)).map(({ id }) => id);
  }

  async page(query: UnitQuery, page: number, size: number): Promise<Page<Unit>> {
    const found = await this.all(query);
    return { items: found.slice((page - 1) * size, page * size), total: found.length };
  }

  async pageVersions(query: UnitQuery, page: number, size: number): Promise<Page<UnitVersion>> {
    const { items, total } = await this.page(query, page, size);
    return { items: items.map(({ id, version, position }) => ({ id, version, position })), total };
  }

  async pageAfter(query: UnitQuery, after: number, size: number): Promise<Unit[]> {
    return (await this.all(query)).filter(({ id }) => id > after).slice(0, size);
  }

  async listAround(
    { translation, position }: Pick<Unit, 'translation' | 'position'>,
    size: number,
  ): Promise<Neighbours> {
    const units = await this.ofTranslation(translation);
    const after = units.filter((u) => u.position > position).slice(0, size);
    return { before: units.filter((u) => u.position < position).slice(-size), after };
  }

  async shiftPositions(translation: number, from: number, to: number, by: number): Promise<void> {
    for (const unit of this.stored.values())
      if (unit.translation === translation && unit.position >= from && unit.position <= to) unit.position += by;
  }

  async setPositions(positions: readonly { unit: number; position: number }[]): Promise<void> {
    for (const { unit, position } of positions) Object.assign(this.stored.get(unit) ?? {}, { position });
  }

  async versions(translation: number): Promise<UnitVersion[]> {
    return this.ofTranslation(translation);
  }

  async extraFlags(translation: number): Promise<Map<number, string>> {
    return this.flagsOf((u) => u.translation === translation);
  }

  async extraFlagsOf(units: readonly number[]): Promise<Map<number, string>> {
    return this.flagsOf((u) => units.includes(u.id));
  }

  private flagsOf(matches: (unit: Unit) => boolean): Map<number, string> {
    const flagged = this.select((u) => matches(u) && u.extraFlags !== '');
    return new Map(flagged.map((u) => [u.id, u.extraFlags]));
  }

  async summariesOf(project: number, contentHashes: readonly string[]): Promise<SourceSummary[]> {
    const found = new Map<number, SourceSummary>();
    for (const unit of this.select((u) => u.project === project && contentHashes.includes(u.contentHash))) {
      if (unit.isSource) continue;
      const { sourceUnit } = unit;
      const summary = found.get(sourceUnit) ?? { sourceUnit, translations: 0, translated: 0, failing: 0 };
      summary.translations++;
      summary.translated += Number(unit.state >= 20);
      summary.failing += Number(unit.checks.length > 0);
      found.set(sourceUnit, summary);
    }
    return [...found.values()];
  }

  async listUnprocessed(before: number, limit: number): Promise<{ unit: number; items: OutboxItem[] }[]> {
    return [...this.outbox]
      .map(([unit, items]) => ({ unit, items: items.filter(({ time }) => time < before) }))
      .filter(({ items }) => items.length > 0)
      .slice(0, limit);
  }

  async clearOutbox(units: readonly number[], items: readonly string[]): Promise<void> {
    for (const unit of units) {
      const left = (this.outbox.get(unit) ?? []).filter(({ id }) => !items.includes(id));
      if (left.length > 0) this.outbox.set(unit, left);
      else this.outbox.delete(unit);
    }
    this.log(`clear outbox of ${units.join(' ')}`);
  }

  async deleteProcessed(): Promise<void> {
    this.log('delete processed units');
  }

  async recount(translation: number): Promise<Counters> {
    const counters = emptyCounters();
    for (const unit of await this.ofTranslation(translation)) count(counters, unit, 1);
    return counters;
  }
}

/** Evaluates the queries of use cases. */
function meets(unit: Unit, query: UnitQuery): boolean {
  switch (query.kind) {
    case 'and':
      return query.all.every((part) => meets(unit, part));
    case 'or':
      return query.any.some((part) => meets(unit, part));
    case 'ids':
      return query.ids.includes(unit.id);
    case 'translations':
      return query.ids.includes(unit.translation);
    case 'sourceUnits':
      return query.ids.includes(unit.sourceUnit) !== (query.exclude === true);
    case 'components':
      return query.ids.includes(unit.component) !== (query.exclude === true);
    case 'projects':
      return query.ids.includes(unit.project) !== (query.exclude === true);
    case 'sourceUnit':
      return unit.sourceUnit === query.id && unit.contentHash === query.contentHash;
    case 'present':
      return true;
    case 'has':
      return unit[query.what] !== 0 && unit[query.what] !== '';
    case 'search':
      return found(unit, query.query, query.resolved);
    case 'states':
      return query.states.includes(unit.state);
    case 'flags':
      return new RegExp(query.pattern).test(unit.flags);
    default:
      throw new Error(`queries of kind ${query.kind} are not evaluated in memory`);
  }
}

/** Whether a search finds a unit; terms about other data are resolved already. */
function found(unit: Unit, query: Query, resolved: ReadonlyMap<Query, UnitQuery>): boolean {
  switch (query.type) {
    case 'all':
      return true;
    case 'and':
      return query.children.every((child) => found(unit, child, resolved));
    case 'or':
      return query.children.some((child) => found(unit, child, resolved));
    case 'not':
      return !found(unit, query.child, resolved);
    default: {
      const by = resolved.get(query);
      return by ? meets(unit, by) : evaluate(query, viewOf(unit));
    }
  }
}
