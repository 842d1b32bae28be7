import { can, type Caller } from '@parlance/access';
import type { FieldProblem } from '@parlance/errors';
import { accessTarget } from '../../domain/component';
import type { SuggestionStore, UserLookup } from '../../domain/ports';
import { sameTexts } from '../../domain/unit';
import { authorOf } from '../author';
import { deniedOn } from '../contributors';
import { updateUnit, type UpdateUnitDeps } from '../edit/update-unit';
import { countSuggestions, loadSuggestion, type CountSuggestionsDeps } from './load-suggestion';

export interface AcceptSuggestionDeps extends UpdateUnitDeps, CountSuggestionsDeps {
  units: UpdateUnitDeps['units'];
  suggestions: Pick<SuggestionStore, 'get' | 'remove' | 'countNewer'>;
  entities: Pick<UserLookup, 'author'>;
}

export interface AcceptSuggestion {
  unit: number;
  suggestion: number;
  /** The text with changes; absent: as suggested. */
  target?: string[];
  state?: number;
  /** Problems found while the request was parsed. */
  problems: readonly FieldProblem[];
}

/**
 * Makes a suggestion the translation of its unit, under the rules of every edit. The author is the suggestion's author, or the caller if
 * the caller changed the text. The suggestion is deleted after the edit is stored, so a crash in between loses no text.
 * @throws NOT_FOUND, and the errors of `updateUnit`
 */
export async function acceptSuggestion(
  deps: AcceptSuggestionDeps,
  caller: Caller,
  request: AcceptSuggestion,
  generation: string,
): Promise<void> {
  const { unit, component, suggestion } = await loadSuggestion(deps, caller, request, generation);
  if (!can(caller, 'suggestion.accept', accessTarget(component, unit.language))) throw deniedOn(caller, component);
  const target = request.target ?? suggestion.target;
  const known = suggestion.author ?? (suggestion.user ? await deps.entities.author(suggestion.user) : null);
  const author = (sameTexts(target, suggestion.target) && known) || authorOf(caller);
  await updateUnit(
    deps,
    caller,
    {
      id: unit.id,
      target,
      ...(request.state === undefined ? {} : { state: request.state }),
      expectedVersion: 0,
      accepts: { suggestion: suggestion.id, suggestedBy: suggestion.user, author },
      problems: request.problems,
    },
    generation,
  );
  await deps.suggestions.remove([suggestion]);
  await countSuggestions(deps, unit.id);
}
