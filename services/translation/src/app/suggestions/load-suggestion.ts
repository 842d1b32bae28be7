import type { Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { Suggestion, SuggestionStore } from '../../domain/ports';
import type { Unit } from '../../domain/unit';
import { countRemarks, type CountedRemarks, type CountRemarksDeps } from '../comments/count-remarks';
import { loadVisibleUnit, type LoadedUnit, type LoadUnitDeps } from '../edit/load-unit';
import type { ChangeDraft } from '../history';

/** A suggestion with its unit. */
export interface LoadedSuggestion extends LoadedUnit {
  suggestion: Suggestion;
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

export interface CountSuggestionsDeps extends CountRemarksDeps {
  suggestions: Pick<SuggestionStore, 'countNewer'>;
}

/** See `countRemarks`. */
export const countSuggestions = (
  deps: CountSuggestionsDeps,
  unit: number,
  changes: readonly ChangeDraft[] = [],
  counted?: CountedRemarks,
): Promise<Unit | null> => countRemarks(deps, 'suggestions', deps.suggestions, unit, changes, counted);
