import type { UnitQueries, UnitReader } from '../domain/ports';
import type { Unit } from '../domain/unit';
import type { UnitQuery } from '../domain/unit-query';

/** Stores that `unitBatches` reads. */
export interface BatchReader {
  units: Pick<UnitReader, 'many'> & Pick<UnitQueries, 'idsOf'>;
}

/** Units that background work reads, compares and writes at once; bounded, so that edits are not delayed. */
const BATCH = 500;

/**
 * The units of a query in batches, so that neither memory nor pauses of the event loop grow with a translation. Units that match
 * only after the first batch are absent.
 */
export async function* unitBatches({ units }: BatchReader, query: UnitQuery, size = BATCH): AsyncGenerator<Unit[]> {
  const ids = await units.idsOf(query);
  for (let at = 0; at < ids.length; at += size) yield units.many(ids.slice(at, at + size));
}
