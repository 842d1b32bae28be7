import { eachInSlices } from '@parlance/workload';
import type { Unit } from '../../domain/unit';

/**
 * A translation's units by key, each once. Of several with one key the one stays that has edits waiting, else the one that was written
 * last; `extra` are the others, but for those that have edits waiting, too: these are told apart when they are committed.
 */
export async function withoutTwins(units: readonly Unit[]): Promise<{ stored: Map<string, Unit>; extra: Unit[] }> {
  const stored = new Map<string, Unit>();
  const extra: Unit[] = [];
  await eachInSlices(units, (unit) => {
    const twin = stored.get(unit.key);
    const stays = !twin || isBetter(unit, twin);
    if (stays) stored.set(unit.key, unit);
    const other = stays ? twin : unit;
    if (other && other.edits.length === 0) extra.push(other);
  });
  return { stored, extra };
}

function isBetter(one: Unit, other: Unit): boolean {
  const [edited, than] = [one, other].map(({ edits }) => edits.length > 0);
  if (edited !== than) return edited!;
  return one.updated === other.updated ? one.id < other.id : one.updated > other.updated;
}
