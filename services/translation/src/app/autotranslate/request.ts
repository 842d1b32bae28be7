import { loadTranslation } from '../load-translation';
import { can, canSee, type Caller } from '@parlance/access';
import { fieldErrors, joinProblems, collectProblems, ServiceError, type FieldProblem } from '@parlance/errors';
import { accessTarget, type Component } from '../../domain/component';
import type { Translation } from '../../domain/translation';
import { State } from '../../domain/unit';
import { everyUnit, type UnitQuery } from '../../domain/unit-query';
import { deniedOn, requireContributor } from '../contributors';
import { missingEngines } from '../machinery/settings';
import type { PlanDeps } from './deps';

export interface AutotranslateRequest {
  translation: number;
  mode: string;
  q: string;
  source: string;
  component: string;
  engines: string[];
  threshold: number;
  /** Problems found while the request was parsed. */
  problems: readonly FieldProblem[];
}

/** A validated and authorized request. */
export interface AutotranslatePlan {
  translation: Translation;
  component: Component;
  mode: 'suggest' | 'translate' | 'fuzzy' | 'approved';
  /** State of translated strings. */
  state: number;
  query: UnitQuery;
  source: 'others' | 'mt';
  /** Component that provides the texts; null: all components of the project. */
  from: Component | null;
  engines: string[];
  threshold: number;
  /** The caller may change approved strings. */
  mayReview: boolean;
  /** Voting is enabled: texts become suggestions in every mode. */
  onlySuggest: boolean;
}

const states = {
  suggest: State.translated,
  translate: State.translated,
  fuzzy: State.fuzzy,
  approved: State.approved,
} as const;

/**
 * @throws NOT_FOUND, PERMISSION_DENIED (also on source translations), LOCKED, INVALID on mode, q, auto_source, component, engines or
 * threshold
 */
export async function planAutotranslate(
  deps: PlanDeps,
  caller: Caller,
  request: AutotranslateRequest,
  generation: string,
): Promise<AutotranslatePlan> {
  const { translation, component } = await loadTranslation(deps, request.translation, generation);
  const target = accessTarget(component, translation.language.code);
  if (!canSee(caller, target)) throw new ServiceError('NOT_FOUND');
  if (translation.isSource)
    throw new ServiceError('PERMISSION_DENIED', { message: 'Source strings cannot be translated automatically.' });
  if (!can(caller, 'translation.auto', target)) throw deniedOn(caller, component);
  if (component.locked) throw new ServiceError('LOCKED');
  await requireContributor(deps, caller, component);
  const mayReview = component.translationReview && can(caller, 'unit.review', target);
  const problems: FieldProblem[] = [];
  const choice = (attr: string, value: string) =>
    problems.push({ attr, code: 'invalid_choice', detail: `"${value.slice(0, 100)}" is not one of the choices.` });
  const mode = isMode(request.mode) && (request.mode !== 'approved' || mayReview) ? request.mode : null;
  if (mode === null) choice('mode', request.mode);
  const source = request.source === 'others' || request.source === 'mt' ? request.source : null;
  if (source === null) choice('auto_source', request.source);
  if (!Number.isInteger(request.threshold) || request.threshold < 1 || request.threshold > 100)
    problems.push({ attr: 'threshold', code: 'invalid', detail: '"threshold" must be a percentage from 1 to 100.' });
  for (const engine of await missingEngines(deps.machinery, component.project, request.engines))
    choice('engines', engine);
  const from = request.component === '' ? null : await sourceComponent(deps, caller, component, request.component);
  if (from === undefined) choice('component', request.component);
  const query = await collectProblems(problems, () => {
    const search = deps.search.parse(request.q);
    return search ? deps.search.query(search, { translation, projects: [], generation }) : everyUnit;
  });
  const wrong = joinProblems(request.problems, problems);
  if (wrong.length > 0 || mode === null || source === null || from === undefined || !query) throw fieldErrors(wrong);
  return {
    translation,
    component,
    mode,
    state: states[mode],
    query,
    source,
    from,
    engines: [...new Set(request.engines)],
    threshold: request.threshold,
    mayReview,
    onlySuggest:
      component.suggestionVoting && component.suggestionAutoaccept > 0 && !can(caller, 'unit.override', target),
  };
}

function isMode(text: string): text is AutotranslatePlan['mode'] {
  return Object.hasOwn(states, text);
}

/** The component that a request names by id, path in the project, or project/path; undefined: missing or not visible. */
async function sourceComponent(
  deps: PlanDeps,
  caller: Caller,
  own: Component,
  name: string,
): Promise<Component | undefined> {
  const slash = name.indexOf('/');
  const found =
    (/^\d{1,15}$/.test(name) ? await deps.catalog.component(Number(name), '') : null) ??
    (await deps.componentNamed(own.projectSlug, name)) ??
    (slash > 0 ? await deps.componentNamed(name.slice(0, slash), name.slice(slash + 1)) : null);
  if (!found || found.id === own.id || !canSee(caller, accessTarget(found))) return undefined;
  if (found.sourceLanguage.code !== own.sourceLanguage.code) return undefined;
  if (found.project === own.project) return found;
  return (await deps.memory.projects.get(found.project))?.contributeShared ? found : undefined;
}
