import { inPortions } from '@parlance/workload';
import { Action } from '../../domain/change';
import { isUncommittedAddition, NO_AUTHOR } from '../../domain/pending';
import type { Clock, HistoryWriter, Ids, PendingUnits, UnitReader, UnitRemover } from '../../domain/ports';
import type { Author } from '../../domain/unit';
import { changeOf, historyText, numberChanges } from '../history';

export interface RemoveUnusedSourcesDeps extends Clock {
  units: Pick<UnitReader, 'many'> & Pick<PendingUnits, 'pendingOfComponent'> & Pick<UnitRemover, 'removeMany'>;
  changes: Pick<HistoryWriter, 'insert'>;
  ids: Ids;
}

/** Source strings removed with one statement. */
const BATCH = 500;

/** Removes source strings that no file contains, except those of translations that a commit has yet to add. */
export async function removeUnusedSources(
  deps: RemoveUnusedSourcesDeps,
  component: number,
  unseen: readonly number[],
  by: Author | null,
): Promise<void> {
  const toBeAdded = (await deps.units.pendingOfComponent(component)).filter(isUncommittedAddition);
  const neededSources = new Set(toBeAdded.map((unit) => unit.sourceUnit));
  const removed = unseen.filter((id) => !neededSources.has(id));
  const author = by ?? NO_AUTHOR;
  const time = deps.now();
  await inPortions(removed, BATCH, async (some) => {
    const changes = (await deps.units.many(some)).map((unit) => {
      const text = historyText(unit.target);
      return changeOf(unit, author, time, Action.stringRemoved, text, text, { source: text, context: unit.context });
    });
    await deps.changes.insert(await numberChanges(deps, changes));
    await deps.units.removeMany(some);
    return [];
  });
}
