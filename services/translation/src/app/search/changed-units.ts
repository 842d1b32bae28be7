import type { Page, PageOptions, UnitQueries, UnitReader, UnitVersion } from '../../domain/ports';
import type { Unit } from '../../domain/unit';
import type { UnitQuery } from '../../domain/unit-query';
import type { RecentUnits } from '../caches/recent-units';

/** A page for a caller that has some of its units already. */
export interface ChangedUnits {
  /** All units of the page, in its order. */
  ids: number[];
  /** The units that the caller does not have in their current version. */
  items: Unit[];
  total: number;
}

export interface ChangedUnitsDeps {
  units: Pick<UnitReader, 'many'> & Pick<UnitQueries, 'page' | 'pageVersions'>;
  recentUnits: Pick<RecentUnits, 'get'>;
}

export interface UnitPageRequest {
  query: UnitQuery;
  page: number;
  size: number;
  options: PageOptions;
}

const isSame = (one: UnitVersion | undefined, other: UnitVersion): boolean =>
  one?.version === other.version && one.position === other.position;

const byId = <V extends UnitVersion>(units: readonly V[]) => new Map(units.map((unit) => [unit.id, unit]));

/** Removes the units that the caller has from a page. */
export function withoutKnown({ items, total }: Page<Unit>, known: readonly UnitVersion[]): ChangedUnits {
  const callers = byId(known);
  return { ids: items.map(({ id }) => id), items: items.filter((unit) => !isSame(callers.get(unit.id), unit)), total };
}

/** Reads a page. If the caller has most of its units, only their versions and the changed units are read. */
export async function readChangedUnits(
  deps: ChangedUnitsDeps,
  { query, page, size, options }: UnitPageRequest,
  known: readonly UnitVersion[],
): Promise<ChangedUnits> {
  const readAll = async () => withoutKnown(await deps.units.page(query, page, size, options), known);
  if (known.length === 0) return readAll();
  const { items: versions, total } = await deps.units.pageVersions(query, page, size, options);
  const callers = byId(known);
  const changed = versions.filter((version) => !isSame(callers.get(version.id), version));
  // Reading most units by id is slower than reading the page.
  if (changed.length > versions.length / 2) return readAll();
  const recent = changed.flatMap((version) => {
    const unit = deps.recentUnits.get(version.id);
    return unit && isSame(unit, version) ? [unit] : [];
  });
  const found = byId(recent);
  for (const unit of await deps.units.many(changed.flatMap(({ id }) => (found.has(id) ? [] : [id]))))
    found.set(unit.id, unit);
  // A unit was deleted in the meantime.
  if (found.size < changed.length) return readAll();
  return { ids: versions.map(({ id }) => id), items: changed.map(({ id }) => found.get(id)!), total };
}
