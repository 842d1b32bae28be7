import { can, type Caller } from '@parlance/access';
import { ServiceError, throwIfInvalid, type FieldProblem } from '@parlance/errors';
import { Action } from '../../domain/change';
import { accessTarget } from '../../domain/component';
import type { Ids, Suggestion, SuggestionStore, UnitReader, UnitWriter } from '../../domain/ports';
import { isBlank, sameTexts, State } from '../../domain/unit';
import { authorOf } from '../author';
import type { UnitEvaluators, SourceFlags } from '../caches/interfaces';
import { deniedOn, requireContributor, type ContributorDeps } from '../contributors';
import { correctTexts } from '../edit/correct-texts';
import { formsOf, loadVisibleUnit, type LoadedUnit, type LoadUnitDeps } from '../edit/load-unit';
import { mayVote } from './vote-suggestions';
import { changeOf, historyText } from '../history';
import { countSuggestions, type CountSuggestionsDeps } from './load-suggestion';

export interface AddSuggestionDeps extends LoadUnitDeps, ContributorDeps, CountSuggestionsDeps {
  units: Pick<UnitReader, 'get'> & UnitWriter;
  suggestions: Pick<SuggestionStore, 'insertMany' | 'ofUnits' | 'countNewer'>;
  evaluators: UnitEvaluators;
  sourceFlags: SourceFlags;
  ids: Ids;
}

export interface AddSuggestion {
  unit: number;
  target: string[];
  /** Problems found while the request was parsed. */
  problems: readonly FieldProblem[];
}

export interface AddedSuggestion {
  suggestion: Suggestion;
  /** The text that it would replace. */
  current: string[];
}

/**
 * Suggests a text for a unit, with read-your-writes on unit, counters and history. The text gets the corrections of an edit.
 * @throws NOT_FOUND, PERMISSION_DENIED, LOCKED, INVALID naming target
 */
export async function addSuggestion(
  deps: AddSuggestionDeps,
  caller: Caller,
  request: AddSuggestion,
  generation: string,
): Promise<AddedSuggestion> {
  const loaded = await loadVisibleUnit(deps, caller, request.unit, generation);
  const { unit, translation, component } = loaded;
  if (!can(caller, 'suggestion.add', accessTarget(component, unit.language))) throw deniedOn(caller, component);
  await requireSuggestable(deps, caller, loaded);
  const [sourceFlags, others, id] = await Promise.all([
    deps.sourceFlags.of(unit),
    deps.suggestions.ofUnits([unit.id]),
    deps.ids.next('suggestion'),
  ]);
  const flags = deps.evaluators.for(component, translation.language).flags(unit.flags, sourceFlags);
  const forms = formsOf(unit, translation);
  const target = request.target.length === forms ? correctTexts(unit, request.target, flags) : request.target;
  const problems: FieldProblem[] = [];
  const wrong = (code: string, detail: string) => problems.push({ attr: 'target', code, detail });
  if (target.length !== forms)
    wrong('invalid', `This string has ${forms} plural form${forms === 1 ? '' : 's'}, ${target.length} given.`);
  else if (isBlank(target)) wrong('blank', 'A suggestion needs a text.');
  else if (sameTexts(target, unit.target)) wrong('invalid', 'The string has this text already.');
  else if (others.some((other) => sameTexts(other.target, target))) wrong('unique', 'This is suggested already.');
  throwIfInvalid(request.problems, problems);
  const author = authorOf(caller);
  const now = deps.now();
  const suggestion: Suggestion = {
    id,
    unit: unit.id,
    translation: unit.translation,
    component: unit.component,
    project: unit.project,
    target,
    user: author.userId,
    time: now,
    ...(mayVote({ caller, component, translation }) ? { votes: [author.userId], author } : {}),
  };
  await deps.suggestions.insertMany([suggestion]);
  const details = {
    suggestion: suggestion.id,
    state: unit.state,
    source: historyText(unit.source),
    context: unit.context,
  };
  const history = [
    changeOf(unit, author, now, Action.suggestionAdded, historyText(target), historyText(unit.target), details),
  ];
  // The others were read after the unit, so a writer that counts one in between wins the race for the unit.
  const written = await countSuggestions(deps, unit.id, history, { unit, count: others.length + 1 });
  return { suggestion, current: written?.target ?? [] };
}

/** @throws PERMISSION_DENIED, LOCKED where suggestions are not allowed */
async function requireSuggestable(
  deps: ContributorDeps,
  caller: Caller,
  { unit, component }: LoadedUnit,
): Promise<void> {
  if (component.locked) throw new ServiceError('LOCKED');
  if (!component.enableSuggestions)
    throw new ServiceError('PERMISSION_DENIED', { message: 'Suggestions are turned off here.' });
  if (unit.isSource && (component.template === '' || !component.editTemplate))
    throw new ServiceError('PERMISSION_DENIED', { message: 'Source strings are not edited here.' });
  if (unit.state === State.readonly)
    throw new ServiceError('PERMISSION_DENIED', { message: 'This string is read-only.' });
  await requireContributor(deps, caller, component);
}
