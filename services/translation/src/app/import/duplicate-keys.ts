import { eachInSlices } from '@parlance/workload';
import type { Unit } from '../../domain/unit';

/**
 * The units of a translation by key. Of units with the same key, one with pending edits takes precedence, then the one written last.
 * `extra` contains the other units, except those with pending edits, which a commit resolves.
 */
export async function deduplicateByKey(units: readonly Unit[]): Promise<{ stored: Map<string, Unit>; extra: Unit[] }> {
  const stored = new Map<string, Unit>();
  const extra: Unit[] = [];
  await eachInSlices(units, (unit) => {
    const twin = stored.get(unit.key);
    const isKept = !twin || takesPrecedence(unit, twin);
    if (isKept) stored.set(unit.key, unit);
    const other = isKept ? twin : unit;
    if (other && other.edits.length === 0) extra.push(other);
  });
  return { stored, extra };
}

function takesPrecedence(one: Unit, other: Unit): boolean {
  const [oneEdited, otherEdited] = [one, other].map(({ edits }) => edits.length > 0);
  if (oneEdited !== otherEdited) return oneEdited!;
  return one.updated === other.updated ? one.id < other.id : one.updated > other.updated;
}
