import { groupBy } from '../../domain/group-by';
import { unitOfRemoval, type Removal } from '../../domain/pending';
import type { Unit } from '../../domain/unit';
import type { RemovalStore, UnitKeys, UnitReader } from '../../domain/ports';

export interface RemovalsDeps {
  removals: Pick<RemovalStore, 'ofComponent'>;
  units: Pick<UnitReader, 'many'> & Pick<UnitKeys, 'addedKeys'>;
}

/**
 * Removals of a component that commits may apply. A removal is held back while its unit exists. The unit's last text may be pending, and a
 * commit with both would look like a string that was added again. Strings that were added again are marked and stay in the file.
 * @param pending pending units of the component or translation, read before: units removed since are held back, too
 */
export async function removalsOf(
  { removals, units }: RemovalsDeps,
  component: number,
  pending: readonly Unit[],
): Promise<Removal[]> {
  const all = await removals.ofComponent(component);
  if (all.length === 0) return all;
  const present = new Set([...pending, ...(await units.many(all.map(unitOfRemoval)))].map(({ id }) => id));
  const withoutUnit = all.filter((removal) => !present.has(unitOfRemoval(removal)));
  const found: Removal[] = [];
  for (const [translation, some] of groupBy(withoutUnit, (removal) => removal.translation)) {
    const again = await units.addedKeys(
      translation,
      some.map(({ key }) => key),
    );
    found.push(...some.map((removal) => (again.has(removal.key) ? { ...removal, addedAgain: true } : removal)));
  }
  return found;
}
