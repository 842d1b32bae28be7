import type { ExtraFlagsReader, UnitReader } from '../../domain/ports';
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

/** Extra flags of the source strings of units by id, as stored now; see {@link storedSources}. Sources without any are absent. */
export function storedFlags(
  { units }: { units: Pick<ExtraFlagsReader, 'extraFlagsOf'> },
  of: readonly Pick<Unit, 'sourceUnit'>[],
): Promise<ReadonlyMap<number, string>> {
  return units.extraFlagsOf([...new Set(of.map(({ sourceUnit }) => sourceUnit))]);
}
