import { can, canSee, type Caller } from '@parlance/access';
import { isServiceError, ServiceError, throwIfInvalid, type FieldProblem } from '@parlance/errors';
import { logger } from '@parlance/telemetry';
import { accessTarget, type Component } from '../../domain/component';
import type { Suggestion } from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import { deniedOn } from '../contributors';
import { loadTranslation, type LoadTranslationDeps } from '../load-translation';
import { acceptSuggestion, type AcceptSuggestionDeps } from './accept-suggestion';
import { checkReason, rejectSuggestion, type RejectSuggestionDeps } from './reject-suggestion';

export interface DecideSuggestionsDeps extends AcceptSuggestionDeps, RejectSuggestionDeps, LoadTranslationDeps {
  units: AcceptSuggestionDeps['units'];
  suggestions: AcceptSuggestionDeps['suggestions'] & RejectSuggestionDeps['suggestions'];
}

export interface DecideSuggestions {
  translation: number;
  /** false: rejects them. */
  accepts: boolean;
  suggestions: readonly number[];
  /** Of a rejection. */
  reason: string;
  /** Problems found while the request was parsed. */
  problems: readonly FieldProblem[];
}

/** Outcome of the decision on a suggestion. */
export interface DecidedSuggestion {
  suggestion: number;
  unit: number;
  /** Why it was left as it is; '' if the decision was carried out. */
  problem: string;
}

/** Maximum suggestions of a request. */
const MOST = 100;

/** The write may have been stored before its confirmation was lost. */
const UNCERTAIN = 'The decision failed and may be incomplete. Check the suggestion and retry.';
const NOT_ATTEMPTED = 'Not attempted, because an earlier decision failed. Retry.';

/**
 * Accepts or rejects suggestions of a translation in the order of the request, each under the rules of a single decision. A suggestion that
 * cannot be decided, such as one of a read-only string, does not stop the others. A failure of the system stops them; decisions that were
 * carried out before it are reported.
 * @throws NOT_FOUND, PERMISSION_DENIED, LOCKED, INVALID naming suggestions or reason, before the first decision; failures of the system if
 *   no decision was carried out
 */
export async function decideSuggestions(
  deps: DecideSuggestionsDeps,
  caller: Caller,
  request: DecideSuggestions,
  generation: string,
): Promise<DecidedSuggestion[]> {
  const { translation, component } = await loadTranslation(deps, request.translation, generation);
  if (!canSee(caller, accessTarget(component))) throw new ServiceError('NOT_FOUND');
  requireDecider(caller, component, translation, request.accepts);
  if (component.locked) throw new ServiceError('LOCKED');
  const found = await findSuggestions(deps, request);
  const decided: DecidedSuggestion[] = [];
  for (const [at, { id, unit }] of found.entries()) {
    const one = { unit, suggestion: id, problems: [] };
    try {
      if (request.accepts) await acceptSuggestion(deps, caller, one, generation);
      else await rejectSuggestion(deps, caller, { ...one, reason: request.reason }, generation);
      decided.push({ suggestion: id, unit, problem: '' });
    } catch (error) {
      if (!isServiceError(error) || error.info.http >= 500) {
        if (!decided.some(({ problem }) => problem === '')) throw error;
        logger.error({ err: error, suggestion: id }, 'suggestions: bulk decision stopped by a failure');
        const rest = found
          .slice(at + 1)
          .map((late) => ({ suggestion: late.id, unit: late.unit, problem: NOT_ATTEMPTED }));
        return [...decided, { suggestion: id, unit, problem: UNCERTAIN }, ...rest];
      }
      decided.push({ suggestion: id, unit, problem: error.problems[0]?.detail ?? error.message });
    }
  }
  return decided;
}

function requireDecider(caller: Caller, component: Component, { language }: Translation, accepts: boolean): void {
  const target = accessTarget(component, language.code);
  const edit = component.isGlossary ? 'glossary.edit' : 'unit.edit';
  const needed = accepts ? (['suggestion.accept', edit] as const) : (['suggestion.delete'] as const);
  if (!needed.every((permission) => can(caller, permission, target))) throw deniedOn(caller, component);
}

/** The named suggestions, all of the translation. @throws INVALID */
async function findSuggestions(deps: DecideSuggestionsDeps, request: DecideSuggestions): Promise<Suggestion[]> {
  const { suggestions: ids, translation, accepts, reason, problems: known } = request;
  const problems: FieldProblem[] = accepts ? [] : checkReason(reason);
  const wrong = (attr: string, code: string, detail: string) => problems.push({ attr, code, detail });
  if (ids.length > MOST) wrong('suggestions', 'max_length', `At most ${MOST} suggestions are decided at once.`);
  else if (new Set(ids).size !== ids.length) wrong('suggestions', 'unique', 'Every suggestion is named once.');
  throwIfInvalid(known, problems);
  const found = await Promise.all(ids.map((id) => deps.suggestions.get(id)));
  found.forEach((suggestion, i) => {
    if (suggestion?.translation !== translation)
      wrong(`suggestions.${i}`, 'does_not_exist', `The translation has no suggestion ${ids[i]!}.`);
  });
  throwIfInvalid([], problems);
  return found.filter((suggestion) => suggestion !== null);
}
