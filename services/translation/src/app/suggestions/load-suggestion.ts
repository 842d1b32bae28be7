import { canSee, type Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import { LOST_RACE } from '@parlance/store-kit';
import { accessTarget } from '../../domain/component';
import type { Clock, Suggestion, SuggestionStore, UnitReader, UnitWriter } from '../../domain/ports';
import { timeAfter } from '../../domain/unit';
import { updateStored } from '../edit/contention';
import { loadUnit, type LoadedUnit, type LoadUnitDeps } from '../edit/load-unit';
import { writeUnit, type WriteUnitsDeps } from '../edit/write-units';
import type { ChangeDraft } from '../history';

/** A suggestion with its unit. */
export interface LoadedSuggestion extends LoadedUnit {
  suggestion: Suggestion;
}

/** @throws NOT_FOUND, also where the caller may not see the component */
export async function loadVisibleUnit(
  deps: LoadUnitDeps,
  caller: Caller,
  id: number,
  generation: string,
): Promise<LoadedUnit> {
  const loaded = await loadUnit(deps, id, generation);
  if (!canSee(caller, accessTarget(loaded.component))) throw new ServiceError('NOT_FOUND');
  return loaded;
}

/** @throws NOT_FOUND, also for a suggestion of another unit */
export async function loadSuggestion(
  deps: LoadUnitDeps & { suggestions: Pick<SuggestionStore, 'get'> },
  caller: Caller,
  ids: { unit: number; suggestion: number },
  generation: string,
): Promise<LoadedSuggestion> {
  const loaded = await loadVisibleUnit(deps, caller, ids.unit, generation);
  const suggestion = await deps.suggestions.get(ids.suggestion);
  if (suggestion?.unit !== loaded.unit.id) throw new ServiceError('NOT_FOUND');
  return { ...loaded, suggestion };
}

export interface CountSuggestionsDeps extends WriteUnitsDeps, Clock {
  units: Pick<UnitReader, 'get'> & UnitWriter;
  suggestions: Pick<SuggestionStore, 'countNewer'>;
}

/**
 * Writes the number of stored suggestions to their unit, after one was added or removed. It writes even if the number is the same: a
 * writer that counted before this change then loses its race and counts again.
 * @param changes history entries, recorded with the number
 */
export async function countSuggestions(
  deps: CountSuggestionsDeps,
  unitId: number,
  changes: readonly ChangeDraft[] = [],
): Promise<void> {
  await updateStored(deps, unitId, async (unit) => {
    const now = deps.now();
    const patch = { suggestions: await deps.suggestions.countNewer(unit.id, 0), updated: timeAfter(unit, now) };
    const written = await writeUnit(deps, { unit, patch, changes: [...changes] }, { author: null, time: now });
    return written ? undefined : LOST_RACE;
  });
}
