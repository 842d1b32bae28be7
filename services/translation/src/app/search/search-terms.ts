import { fieldErrors } from '@parlance/errors';
import { mapInSlices } from '@parlance/patterns';
import { evaluate, type Term, type UnitView } from '@parlance/search';
import type { Component } from '../../domain/component';
import type {
  ChangedFilter,
  LookupScope,
  ProjectLookup,
  ScreenshotLookup,
  TranslationFilter,
  TranslationQueries,
  TranslationReader,
  UnitLookups,
  UserLookup,
} from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import { allOf, anyOf, noUnit, type RemarkCondition, type UnitQuery } from '../../domain/unit-query';
import { variantsOf } from './variants';

export interface SearchScope {
  /** null: all translations. */
  translation: Translation | null;
  /** Empty: all projects. */
  projects: readonly number[];
  /** Catalog generation that the caller has seen. */
  generation: string;
}

export interface SearchDeps {
  lookups: UnitLookups;
  entities: Pick<UserLookup, 'userId'> & ProjectLookup & ScreenshotLookup;
  translations: Pick<TranslationReader, 'ofComponent'> & Pick<TranslationQueries, 'ids' | 'sumGroups'>;
}

/** Maximum results of one lookup. */
const MAX_RESULTS = 50_000;
const MAX_GLOSSARY_TERMS = 2_000;
/** Translations, and their units, up to which the store finds the units of a project or component by its index of translations. */
const MAX_TRANSLATIONS = 100;
const MAX_TRANSLATION_UNITS = 200_000;
const blank: UnitView = { source: [], target: [], state: 0 };

const unitsOfSources = (ids: readonly number[]): UnitQuery => ({ kind: 'sourceUnits', ids });
const unitsById = (ids: readonly number[]): UnitQuery => ({ kind: 'ids', ids });

function requireBounded<T>(found: readonly T[]): readonly T[] {
  if (found.length > MAX_RESULTS) {
    throw fieldErrors([
      {
        attr: 'q',
        code: 'invalid',
        detail: `A part of the query matches more than ${MAX_RESULTS} strings. Restrict it, or search in one translation.`,
      },
    ]);
  }
  return found;
}

async function sourceScope(deps: SearchDeps, scope: SearchScope): Promise<LookupScope> {
  if (!scope.translation) return { projects: scope.projects };
  const all = await deps.translations.ofComponent(scope.translation.component);
  return { translation: all.find((t) => t.isSource)?.id ?? scope.translation.id };
}

const ownScope = (scope: SearchScope): LookupScope =>
  scope.translation ? { translation: scope.translation.id } : { projects: scope.projects };

/** Units whose source string matches a condition on labels, explanation or extra flags: translations inherit these. */
async function curatedFilter(
  deps: SearchDeps,
  scope: SearchScope,
  matches: (view: UnitView) => boolean,
): Promise<UnitQuery> {
  const curated = requireBounded(await deps.lookups.curated(await sourceScope(deps, scope), MAX_RESULTS + 1));
  const names = await deps.entities.labelNames([...new Set(curated.flatMap((c) => c.labels))]);
  const blankMatches = matches(blank);
  const verdicts = await mapInSlices(curated, (c) => {
    const labels = c.labels.map((id) => names.get(id) ?? '');
    return matches({ ...blank, labels, explanation: c.explanation, extraFlags: c.extraFlags }) !== blankMatches;
  });
  const ids = curated.filter((_, at) => verdicts[at]).map((c) => c.id);
  return blankMatches ? { kind: 'sourceUnits', ids, exclude: true } : unitsOfSources(ids);
}

async function componentFilter(
  deps: SearchDeps,
  scope: SearchScope,
  matches: (component: Component) => boolean,
): Promise<UnitQuery> {
  const found = (await componentsIn(deps, scope)).filter(matches).map((c) => c.id);
  return unitsOfComponents(deps, scope, found);
}

/** Units of components, in all languages or in one. The store has no index of units by component. */
async function unitsOfComponents(
  deps: SearchDeps,
  scope: SearchScope,
  components: readonly number[],
  language?: string,
): Promise<UnitQuery> {
  if (components.length === 0) return noUnit;
  const few = await fewTranslations(deps, scope, { components, ...(language !== undefined && { language }) });
  return allOf(
    few ?? { kind: 'components', ids: components },
    ...(few || language === undefined ? [] : [{ kind: 'language', code: language } as const]),
  );
}

/** The units of a few translations; null if there are too many, or if the search is in one translation. */
async function fewTranslations(
  deps: SearchDeps,
  scope: SearchScope,
  filter: TranslationFilter,
): Promise<UnitQuery | null> {
  if (scope.translation) return null;
  const [ids, { all }] = await Promise.all([deps.translations.ids([filter]), deps.translations.sumGroups([filter])]);
  return ids.length <= MAX_TRANSLATIONS && all <= MAX_TRANSLATION_UNITS ? { kind: 'translations', ids } : null;
}

async function componentsIn(deps: SearchDeps, scope: SearchScope): Promise<readonly Component[]> {
  const projects = scope.translation ? [scope.translation.project] : scope.projects.length > 0 ? scope.projects : [0];
  return (await Promise.all(projects.map((id) => deps.entities.componentsOf(id, scope.generation)))).flat();
}

/** Units of a project. */
async function projectFilter(deps: SearchDeps, scope: SearchScope, project: number): Promise<UnitQuery> {
  return (await fewTranslations(deps, scope, { projects: [project] })) ?? { kind: 'projects', ids: [project] };
}

/** Units below an object path: project, categories, component, language. A null segment matches anything. */
async function pathFilter(
  deps: SearchDeps,
  scope: SearchScope,
  segments: readonly (string | null)[],
): Promise<UnitQuery> {
  const [project, ...rest] = segments;
  const inProject = project === null ? null : await deps.entities.projectId(project!);
  if (project !== null && inProject === null) return noUnit;
  const inAny = (code: string | null | undefined): UnitQuery[] =>
    code === null || code === undefined ? [] : [{ kind: 'language', code }];
  if (rest.length === 0 || (rest.length === 2 && rest[0] === null))
    return allOf(...(inProject === null ? [] : [await projectFilter(deps, scope, inProject!)]), ...inAny(rest[1]));
  const all = await deps.entities.componentsOf(inProject ?? 0, scope.generation);
  const whole: number[] = [];
  const inLanguage: number[] = [];
  for (const component of all) {
    const path = component.path.split('/');
    if (!path.slice(0, rest.length).every((part, i) => rest[i] === null || rest[i] === part)) continue;
    if (rest.length <= path.length) whole.push(component.id);
    else if (rest.length === path.length + 1) inLanguage.push(component.id);
  }
  if (inLanguage.length === 0) return unitsOfComponents(deps, scope, whole);
  const selected = await unitsOfComponents(deps, scope, inLanguage, rest.at(-1) ?? undefined);
  return whole.length === 0 ? selected : anyOf(await unitsOfComponents(deps, scope, whole), selected);
}

/** Strings whose source contains a term of the project's glossaries. */
async function glossaryFilter(deps: SearchDeps, scope: SearchScope): Promise<UnitQuery> {
  const glossaries = (await componentsIn(deps, scope)).filter((c) => c.isGlossary);
  const queries: UnitQuery[] = [];
  for (const project of new Set(glossaries.map((g) => g.project))) {
    const ids = glossaries.filter((g) => g.project === project).map((g) => g.id);
    const texts = await deps.lookups.sourceTexts(ids, MAX_GLOSSARY_TERMS);
    const terms = texts.map((text) => text.trim()).filter((text) => text !== '');
    if (terms.length > 0) queries.push({ kind: 'sourceWords', project, terms });
  }
  return anyOf(...queries);
}

async function remarkFilter(
  deps: SearchDeps,
  scope: SearchScope,
  kind: 'suggestion' | 'comment',
  condition: RemarkCondition,
): Promise<UnitQuery> {
  return unitsById(requireBounded(await deps.lookups.remarkedUnits(kind, ownScope(scope), condition, MAX_RESULTS + 1)));
}

async function changeFilter(deps: SearchDeps, scope: SearchScope, filter: ChangedFilter): Promise<UnitQuery> {
  return unitsById(requireBounded(await deps.lookups.changedUnits(ownScope(scope), filter, MAX_RESULTS + 1)));
}

async function exactFilter(
  deps: SearchDeps,
  term: Extract<Term, { type: 'exact' }>,
  scope: SearchScope,
): Promise<UnitQuery> {
  const byUser = async (answer: (user: number) => Promise<UnitQuery>) => {
    const user = await deps.entities.userId(term.value);
    return user === null ? noUnit : answer(user);
  };
  switch (term.field) {
    case 'changed_by':
      return byUser((user) => changeFilter(deps, scope, { user }));
    case 'suggestion_author':
      return byUser((user) => remarkFilter(deps, scope, 'suggestion', { user }));
    case 'comment_author':
      return byUser((user) => remarkFilter(deps, scope, 'comment', { user }));
    case 'project': {
      const project = await deps.entities.projectId(term.value);
      return project === null ? noUnit : projectFilter(deps, scope, project);
    }
    case 'screenshot':
      return screenshotFilter(deps, scope, term.value);
    default:
      return curatedFilter(deps, scope, (view) => evaluate(term, view));
  }
}

/** Ids of source strings that are variants of each other by the `variant_regex` of their component. */
async function variantIds(deps: SearchDeps, scope: SearchScope): Promise<readonly number[]> {
  const found: number[] = [];
  for (const component of await componentsIn(deps, scope)) {
    if (!component.variantRegex || (scope.translation && scope.translation.component !== component.id)) continue;
    const source = (await deps.translations.ofComponent(component.id)).find((t) => t.isSource);
    if (source)
      found.push(
        ...(await variantsOf(component, requireBounded(await deps.lookups.contexts(source.id, MAX_RESULTS + 1)))),
      );
  }
  return requireBounded(found);
}

async function screenshotFilter(deps: SearchDeps, scope: SearchScope, name: string): Promise<UnitQuery> {
  const source = scope.translation ? (await sourceScope(deps, scope)).translation : undefined;
  const translations = scope.translation && source ? [...new Set([scope.translation.id, source])] : [];
  const ids = requireBounded(await deps.entities.screenshotUnits(translations, name, MAX_RESULTS + 1));
  return anyOf(unitsById(ids), unitsOfSources(ids));
}

async function hasFilter(
  deps: SearchDeps,
  term: Extract<Term, { type: 'has' }>,
  scope: SearchScope,
): Promise<UnitQuery> {
  switch (term.what) {
    case 'suggestion':
      return { kind: 'has', what: 'suggestions' };
    case 'comment':
      return { kind: 'has', what: 'comments' };
    case 'resolved-comment':
      return remarkFilter(deps, scope, 'comment', { resolved: true });
    case 'screenshot':
      return screenshotFilter(deps, scope, '');
    case 'glossary':
      return glossaryFilter(deps, scope);
    case 'variant': {
      const flag = /(^|,)\s*variant:/;
      const given = await curatedFilter(deps, scope, (view) => flag.test(view.extraFlags ?? ''));
      const grouped = unitsOfSources(await variantIds(deps, scope));
      return anyOf(given, { kind: 'flags', pattern: '(^|,)\\s*variant:' }, grouped);
    }
    case 'flags': {
      const given = await curatedFilter(deps, scope, (view) => evaluate(term, view));
      return anyOf(given, { kind: 'has', what: 'flags' });
    }
    default:
      return curatedFilter(deps, scope, (view) => evaluate(term, view));
  }
}

/** Resolves a term about data outside the unit to a query on units. */
export async function resolveTerm(deps: SearchDeps, term: Term, scope: SearchScope): Promise<UnitQuery> {
  switch (term.type) {
    case 'has':
      return hasFilter(deps, term, scope);
    case 'exact':
      return exactFilter(deps, term, scope);
    case 'change_action':
      return changeFilter(deps, scope, { actions: [term.action] });
    case 'path':
      return pathFilter(deps, scope, term.segments);
    case 'component':
      return componentFilter(deps, scope, (c) =>
        evaluate(term, { ...blank, component: { slug: c.path.split('/').at(-1)!, name: c.name } }),
      );
    case 'number':
      return term.field === 'priority'
        ? { kind: 'priority', values: term.values, min: term.min, max: term.max }
        : curatedFilter(deps, scope, (view) => evaluate(term, view));
    case 'state': {
      const query: UnitQuery = { kind: 'search', query: { ...term, field: 'state' }, resolved: new Map() };
      return unitsOfSources(
        requireBounded(await deps.lookups.sources(await sourceScope(deps, scope), query, MAX_RESULTS + 1)),
      );
    }
    case 'date':
      return dateFilter(deps, term, scope);
    case 'text':
      return textFilter(deps, term, scope);
    case 'pending':
      return noUnit;
  }
}

async function dateFilter(
  deps: SearchDeps,
  term: Extract<Term, { type: 'date' }>,
  scope: SearchScope,
): Promise<UnitQuery> {
  const { from, before } = term;
  const bounds = { ...(from === undefined ? {} : { from }), ...(before === undefined ? {} : { before }) };
  switch (term.field) {
    case 'added':
      return { kind: 'created', from, before };
    case 'last_changed':
      return { kind: 'updated', from, before };
    case 'changed':
      return changeFilter(deps, scope, { ...bounds, contentOnly: true });
    case 'change_time':
      return changeFilter(deps, scope, bounds);
    case 'source_changed': {
      const query: UnitQuery = { kind: 'updated', from, before };
      return unitsOfSources(
        requireBounded(await deps.lookups.sources(await sourceScope(deps, scope), query, MAX_RESULTS + 1)),
      );
    }
  }
}

async function textFilter(
  deps: SearchDeps,
  term: Extract<Term, { type: 'text' }>,
  scope: SearchScope,
): Promise<UnitQuery> {
  // Free words match fields of the unit only, so a term that needs a lookup has exactly one field.
  const field = term.fields[0]!;
  switch (field) {
    case 'suggestion':
      return remarkFilter(deps, scope, 'suggestion', { text: term });
    case 'comment':
      return remarkFilter(deps, scope, 'comment', { text: term, resolved: false });
    case 'resolved_comment':
      return remarkFilter(deps, scope, 'comment', { text: term, resolved: true });
    default:
      return curatedFilter(deps, scope, (view) => evaluate(term, view));
  }
}
