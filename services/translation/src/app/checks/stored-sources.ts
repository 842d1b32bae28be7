import type { UnitReader } from '../../domain/ports';
import type { Unit } from '../../domain/unit';

/**
 * The source strings of units by id, as stored now. Background work reads the flags from the store, after its units, because the cache may
 * miss recent writes of another replica. Checks with stale flags would overwrite the checks of a later edit.
 */
export async function storedSources(
  { units }: { units: Pick<UnitReader, 'many'> },
  of: readonly Pick<Unit, 'sourceUnit'>[],
): Promise<ReadonlyMap<number, Unit>> {
  const sources = await units.many([...new Set(of.map(({ sourceUnit }) => sourceUnit))]);
  return new Map(sources.map((source) => [source.id, source]));
}
