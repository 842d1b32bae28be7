import type { UnitReader } from '../../domain/ports';
import type { Unit } from '../../domain/unit';

/**
 * The source strings of units by id, as stored now. Background work reads their flags here, after its units: the cache may lack what another
 * replica wrote since, and checks with older flags would be written over those of the edit that followed.
 */
export async function storedSources(
  { units }: { units: Pick<UnitReader, 'many'> },
  of: readonly Pick<Unit, 'sourceUnit'>[],
): Promise<ReadonlyMap<number, Unit>> {
  const sources = await units.many([...new Set(of.map(({ sourceUnit }) => sourceUnit))]);
  return new Map(sources.map((source) => [source.id, source]));
}
