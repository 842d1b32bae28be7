import { can, type Caller } from '@parlance/access';
import { ServiceError, throwIfInvalid, type FieldProblem } from '@parlance/errors';
import { accessTarget } from '../../domain/component';
import { deniedOn } from '../contributors';
import type { LoadUnitDeps } from '../edit/load-unit';
import { voteFor, type VoteDeps } from './vote-suggestions';
import { loadSuggestion } from './load-suggestion';

export interface VoteSuggestionDeps extends LoadUnitDeps, VoteDeps {
  units: VoteDeps['units'];
}

export interface VoteSuggestion {
  unit: number;
  suggestion: number;
  withdraw: boolean;
  /** Problems found while the request was parsed. */
  problems: readonly FieldProblem[];
}

/** A suggestion's votes after a vote. */
export interface Votes {
  count: number;
  voted: boolean;
  /** It got the votes that it needed and is the translation now. */
  accepted: boolean;
}

/**
 * Adds or withdraws the caller's vote. Idempotent. The vote that reaches `suggestion_autoaccept` makes the suggestion the translation.
 * @throws NOT_FOUND, PERMISSION_DENIED, LOCKED, INVALID naming vote
 */
export async function voteSuggestion(
  deps: VoteSuggestionDeps,
  caller: Caller,
  request: VoteSuggestion,
  generation: string,
): Promise<Votes> {
  const { unit, translation, component, suggestion } = await loadSuggestion(deps, caller, request, generation);
  if (!can(caller, 'suggestion.vote', accessTarget(component, unit.language))) throw deniedOn(caller, component);
  if (component.locked) throw new ServiceError('LOCKED');
  const problems: FieldProblem[] = [];
  const wrong = (detail: string) => problems.push({ attr: 'vote', code: 'invalid', detail });
  if (!component.suggestionVoting) wrong('Suggestions are not voted on here.');
  else if (suggestion.user === caller.userId) wrong('The vote of a suggestion’s author is fixed.');
  throwIfInvalid(request.problems, problems);
  if (request.withdraw) await deps.suggestions.withdrawVote(suggestion, caller.userId);
  else await voteFor(deps, { caller, component, translation }, suggestion);
  const after = await deps.suggestions.get(suggestion.id);
  return { count: after?.votes?.length ?? 0, voted: after?.votes?.includes(caller.userId) ?? false, accepted: !after };
}
