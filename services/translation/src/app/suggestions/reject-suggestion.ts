import { can, type Caller } from '@parlance/access';
import { ServiceError, throwIfInvalid, type FieldProblem } from '@parlance/errors';
import { LOST_RACE } from '@parlance/store-kit';
import { Action } from '../../domain/change';
import { accessTarget } from '../../domain/component';
import type { SuggestionStore } from '../../domain/ports';
import { findTextProblem } from '../../domain/text-rules';
import { timeAfter } from '../../domain/unit';
import { deniedOn } from '../contributors';
import { updateSerially } from '../edit/contention';
import type { LoadUnitDeps } from '../edit/load-unit';
import { writeUnit } from '../edit/write-units';
import { changeOf, historyText } from '../history';
import { countSuggestions, loadSuggestion, type CountSuggestionsDeps } from './load-suggestion';

export interface RejectSuggestionDeps extends LoadUnitDeps, CountSuggestionsDeps {
  units: CountSuggestionsDeps['units'];
  suggestions: Pick<SuggestionStore, 'get' | 'remove' | 'countNewer'>;
}

export interface RejectSuggestion {
  unit: number;
  suggestion: number;
  reason: string;
  /** Problems found while the request was parsed. */
  problems: readonly FieldProblem[];
}

/** Longest reason, in characters. */
const MAX_REASON = 1000;

/**
 * Deletes a suggestion; its text and the reason stay in the history, whose entry is stored first. Authors may withdraw their own.
 * @throws NOT_FOUND, PERMISSION_DENIED, LOCKED, INVALID naming reason
 */
export async function rejectSuggestion(
  deps: RejectSuggestionDeps,
  caller: Caller,
  request: RejectSuggestion,
  generation: string,
): Promise<void> {
  const { unit: found, component, suggestion } = await loadSuggestion(deps, caller, request, generation);
  const target = accessTarget(component, found.language);
  const own = suggestion.user !== 0 && suggestion.user === caller.userId && can(caller, 'suggestion.add', target);
  if (!own && !can(caller, 'suggestion.delete', target)) throw deniedOn(caller, component);
  if (component.locked) throw new ServiceError('LOCKED');
  const { reason } = request;
  throwIfInvalid(request.problems, checkReason(reason));
  await updateSerially(deps, found.id, async (unit) => {
    const now = deps.now();
    const details = { suggestion: suggestion.id, reason };
    const text = historyText(suggestion.target);
    const change = changeOf(unit, { userId: suggestion.user }, now, Action.suggestionRemoved, text, '', details);
    // Two processes that reject it at the same time leave one entry.
    const changes = [{ ...change, user: caller.userId, once: `suggestion ${suggestion.id} rejected` }];
    const patch = { updated: timeAfter(unit, now) };
    return (await writeUnit(deps, { unit, patch, changes }, { author: null, time: now })) ? undefined : LOST_RACE;
  });
  await deps.suggestions.remove([suggestion]);
  await countSuggestions(deps, found.id);
}

/** Problems of a reason. */
export function checkReason(reason: string): FieldProblem[] {
  const fault = findTextProblem([reason]);
  const problems: FieldProblem[] = fault ? [{ attr: 'reason', code: fault.code, detail: fault.detail }] : [];
  if ([...reason].length > MAX_REASON)
    problems.push({ attr: 'reason', code: 'max_length', detail: `A reason has at most ${MAX_REASON} characters.` });
  return problems;
}
