import { groupBy } from '../../domain/group-by';
import { unitOfRemoval, type Removal } from '../../domain/pending';
import type { Unit } from '../../domain/unit';
import type { RemovalStore, UnitKeys, UnitReader } from '../../domain/ports';

export interface RemovalsDeps {
  removals: Pick<RemovalStore, 'ofComponent'>;
  units: Pick<UnitReader, 'many'> & Pick<UnitKeys, 'addedKeys'>;
}

/**
 * The strings of a component that are to leave their files. One whose unit is still there waits for it to go: its last text may be
 * among the pending ones, and a commit of both would look like a string that was removed and added again. Such strings stay in the
 * file, whoever added them and whether or not a commit holds them by now.
 * @param pending the component's units with edits, or those of the translation that is asked about, as they were read before: what is
 * removed since waits, too
 */
export async function removalsOf(
  { removals, units }: RemovalsDeps,
  component: number,
  pending: readonly Unit[],
): Promise<Removal[]> {
  const all = await removals.ofComponent(component);
  if (all.length === 0) return all;
  const there = new Set([...pending, ...(await units.many(all.map(unitOfRemoval)))].map(({ id }) => id));
  const gone = all.filter((removal) => !there.has(unitOfRemoval(removal)));
  const found: Removal[] = [];
  for (const [translation, some] of groupBy(gone, (removal) => removal.translation)) {
    const again = await units.addedKeys(
      translation,
      some.map(({ key }) => key),
    );
    found.push(...some.map((removal) => (again.has(removal.key) ? { ...removal, addedAgain: true } : removal)));
  }
  return found;
}
