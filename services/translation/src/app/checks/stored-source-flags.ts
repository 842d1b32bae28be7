import type { UnitReader } from '../../domain/ports';
import type { Unit } from '../../domain/unit';

/**
 * The extra flags of the source strings of units, as stored now. Background work reads them after its units: the cache may lack what another
 * replica wrote since, and checks with older flags would be written over those of the edit that followed.
 */
export async function storedSourceFlags(
  { units }: { units: Pick<UnitReader, 'many'> },
  of: readonly Pick<Unit, 'sourceUnit'>[],
): Promise<(unit: Pick<Unit, 'sourceUnit'>) => string> {
  const sources = await units.many([...new Set(of.map(({ sourceUnit }) => sourceUnit))]);
  const flags = new Map(sources.map(({ id, extraFlags }) => [id, extraFlags]));
  return ({ sourceUnit }) => flags.get(sourceUnit) ?? '';
}
