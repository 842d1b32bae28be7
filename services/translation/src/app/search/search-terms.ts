import { fieldErrors } from '@parlance/errors';
import { escapeLiteral, mapInSlices } from '@parlance/patterns';
import { evaluate, NOTHING, toMongo, type Term, type UnitFieldMap, type UnitView } from '@parlance/search';
import type { Component } from '../../domain/component';
import type { Directory, LookupScope, TranslationStore, UnitLookups } from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import { variantsOf } from './variants';

/** Where a search looks. */
export interface SearchScope {
  /** null: in all translations. */
  translation: Translation | null;
  /** Only these projects; empty: any. */
  projects: readonly number[];
  /** State of the catalog that the caller has seen. */
  generation: string;
}

export interface SearchDeps {
  lookups: UnitLookups;
  directory: Directory;
  translations: TranslationStore;
}

/** Where a stored unit keeps what queries ask for. What is left out is looked up by {@link resolveTerm}. */
export const UNIT_FIELDS: UnitFieldMap = {
  id: '_id',
  source: 'source',
  target: 'target',
  context: 'context',
  note: 'note',
  location: 'location',
  state: 'state',
  pending: 'pending',
  position: 'position',
  check: 'checks',
  dismissed_check: 'dismissedChecks',
  language: 'language',
};

/** Most strings that one part of a query may bring in from elsewhere. */
const MOST_FOUND = 50_000;
/** Most glossary terms that are looked for at once. */
const MOST_TERMS = 2_000;
/** Priority of a unit whose document does not say one. */
const DEFAULT_PRIORITY = 100;
const blank: UnitView = { source: [], target: [], state: 0 };

const ofSources = (ids: readonly number[]): object => ({ sourceUnit: { $in: ids } });
const units = (ids: readonly number[]): object => ({ _id: { $in: ids } });

function bounded<T>(found: readonly T[]): readonly T[] {
  if (found.length > MOST_FOUND) {
    throw fieldErrors([
      {
        attr: 'q',
        code: 'invalid',
        detail: `A part of the query fits more than ${MOST_FOUND} strings; narrow it down or search in one translation.`,
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

/** What people add to source strings holds for all translations of them: labels, explanation, flags. */
async function ofCurated(deps: SearchDeps, scope: SearchScope, fits: (view: UnitView) => boolean): Promise<object> {
  const curated = bounded(await deps.lookups.curated(await sourceScope(deps, scope), MOST_FOUND + 1));
  const names = await deps.directory.labelNames([...new Set(curated.flatMap((c) => c.labels))]);
  const whenBlank = fits(blank);
  const verdicts = await mapInSlices(curated, (c) => {
    const labels = c.labels.map((id) => names.get(id) ?? '');
    return fits({ ...blank, labels, explanation: c.explanation, extraFlags: c.extraFlags }) !== whenBlank;
  });
  const ids = curated.filter((_, at) => verdicts[at]).map((c) => c.id);
  return whenBlank ? { sourceUnit: { $nin: ids } } : ofSources(ids);
}

async function components(
  deps: SearchDeps,
  scope: SearchScope,
  fits: (component: Component) => boolean,
): Promise<object> {
  const found = (await componentsIn(deps, scope)).filter(fits).map((c) => c.id);
  return { component: { $in: found } };
}

async function componentsIn(deps: SearchDeps, scope: SearchScope): Promise<readonly Component[]> {
  const projects = scope.translation ? [scope.translation.project] : scope.projects.length > 0 ? scope.projects : [0];
  return (await Promise.all(projects.map((id) => deps.directory.componentsOf(id, scope.generation)))).flat();
}

/** Units below an object path: project, categories, component, language; `-` stands for any. */
async function pathFilter(deps: SearchDeps, scope: SearchScope, segments: readonly (string | null)[]): Promise<object> {
  const [project, ...rest] = segments;
  const inProject = project === null ? null : await deps.directory.projectId(project!);
  if (project !== null && inProject === null) return NOTHING;
  const base = inProject === null ? {} : { project: inProject };
  if (rest.length === 0) return base;
  if (rest.length === 2 && rest[0] === null) return rest[1] === null ? base : { ...base, language: rest[1] };
  const all = await deps.directory.componentsOf(inProject ?? 0, scope.generation);
  const whole: number[] = [];
  const inLanguage: number[] = [];
  for (const component of all) {
    const path = component.path.split('/');
    if (!path.slice(0, rest.length).every((part, i) => rest[i] === null || rest[i] === part)) continue;
    if (rest.length <= path.length) whole.push(component.id);
    else if (rest.length === path.length + 1) inLanguage.push(component.id);
  }
  const language = rest.at(-1);
  return {
    $or: [
      { component: { $in: whole } },
      { component: { $in: inLanguage }, ...(language === null ? {} : { language }) },
    ],
  };
}

/** Strings whose source has a term of the project's glossaries. */
async function glossaryFilter(deps: SearchDeps, scope: SearchScope): Promise<object> {
  const glossaries = (await componentsIn(deps, scope)).filter((c) => c.isGlossary);
  const conditions: object[] = [];
  for (const project of new Set(glossaries.map((g) => g.project))) {
    const ids = glossaries.filter((g) => g.project === project).map((g) => g.id);
    const terms = await deps.lookups.sourceTexts(ids, MOST_TERMS);
    const patterns = terms.filter((text) => text.trim() !== '').map((text) => escapeLiteral(text.trim()));
    for (let at = 0; at < patterns.length; at += 200) {
      const pattern = `(^|[^[:alnum:]])(${patterns.slice(at, at + 200).join('|')})([^[:alnum:]]|$)`;
      conditions.push({ project, source: { $regex: pattern, $options: 'i' } });
    }
  }
  return conditions.length === 0 ? NOTHING : { $or: conditions };
}

async function remarks(
  deps: SearchDeps,
  scope: SearchScope,
  kind: 'suggestion' | 'comment',
  filter: object,
): Promise<object> {
  return units(bounded(await deps.lookups.remarkedUnits(kind, ownScope(scope), filter, MOST_FOUND + 1)));
}

async function changed(
  deps: SearchDeps,
  scope: SearchScope,
  filter: Parameters<UnitLookups['changedUnits']>[1],
): Promise<object> {
  return units(bounded(await deps.lookups.changedUnits(ownScope(scope), filter, MOST_FOUND + 1)));
}

function priorityFilter(term: Extract<Term, { type: 'number' }>): object {
  const holds = term.values
    ? term.values.includes(DEFAULT_PRIORITY)
    : (term.min ?? -Infinity) <= DEFAULT_PRIORITY && DEFAULT_PRIORITY <= (term.max ?? Infinity);
  const bounds = term.values
    ? { $in: term.values }
    : {
        ...(term.min === undefined ? {} : { $gte: term.min }),
        ...(term.max === undefined ? {} : { $lte: term.max }),
      };
  return holds ? { $or: [{ priority: bounds }, { priority: { $exists: false } }] } : { priority: bounds };
}

const span = (from: number | undefined, before: number | undefined): object => ({
  ...(from === undefined ? {} : { $gte: from }),
  ...(before === undefined ? {} : { $lt: before }),
});

async function exactFilter(
  deps: SearchDeps,
  term: Extract<Term, { type: 'exact' }>,
  scope: SearchScope,
): Promise<object> {
  const byUser = async (answer: (user: number) => Promise<object>) => {
    const user = await deps.directory.userId(term.value);
    return user === null ? NOTHING : answer(user);
  };
  switch (term.field) {
    case 'changed_by':
      return byUser((user) => changed(deps, scope, { user }));
    case 'suggestion_author':
      return byUser((user) => remarks(deps, scope, 'suggestion', { user }));
    case 'comment_author':
      return byUser((user) => remarks(deps, scope, 'comment', { user }));
    case 'project': {
      const project = await deps.directory.projectId(term.value);
      return project === null ? NOTHING : { project };
    }
    case 'screenshot':
      return screenshots(deps, scope, term.value);
    default:
      return ofCurated(deps, scope, (view) => evaluate(term, view));
  }
}

/** Source strings that are variants of each other by the `variant_regex` of their component. */
async function variants(deps: SearchDeps, scope: SearchScope): Promise<readonly number[]> {
  const found: number[] = [];
  for (const component of await componentsIn(deps, scope)) {
    if (!component.variantRegex || (scope.translation && scope.translation.component !== component.id)) continue;
    const source = (await deps.translations.ofComponent(component.id)).find((t) => t.isSource);
    if (source)
      found.push(...(await variantsOf(component, bounded(await deps.lookups.contexts(source.id, MOST_FOUND + 1)))));
  }
  return bounded(found);
}

async function screenshots(deps: SearchDeps, scope: SearchScope, name: string): Promise<object> {
  const source = scope.translation ? (await sourceScope(deps, scope)).translation : undefined;
  const translations = scope.translation && source ? [...new Set([scope.translation.id, source])] : [];
  const ids = bounded(await deps.directory.screenshotUnits(translations, name, MOST_FOUND + 1));
  return { $or: [units(ids), ofSources(ids)] };
}

async function hasFilter(deps: SearchDeps, term: Extract<Term, { type: 'has' }>, scope: SearchScope): Promise<object> {
  switch (term.what) {
    case 'suggestion':
      return { suggestions: { $gt: 0 } };
    case 'comment':
      return { comments: { $gt: 0 } };
    case 'resolved-comment':
      return remarks(deps, scope, 'comment', { resolved: true });
    case 'screenshot':
      return screenshots(deps, scope, '');
    case 'glossary':
      return glossaryFilter(deps, scope);
    case 'variant': {
      const flag = /(^|,)\s*variant:/;
      const given = await ofCurated(deps, scope, (view) => flag.test(view.extraFlags ?? ''));
      const grouped = ofSources(await variants(deps, scope));
      return { $or: [given, { flags: { $regex: '(^|,)\\s*variant:' } }, grouped] };
    }
    case 'flags': {
      const given = await ofCurated(deps, scope, (view) => evaluate(term, view));
      return { $or: [given, { flags: { $exists: true } }] };
    }
    default:
      return ofCurated(deps, scope, (view) => evaluate(term, view));
  }
}

/** The store filter of a term whose data is not in the unit's own document. */
export async function resolveTerm(deps: SearchDeps, term: Term, scope: SearchScope): Promise<object> {
  switch (term.type) {
    case 'has':
      return hasFilter(deps, term, scope);
    case 'exact':
      return exactFilter(deps, term, scope);
    case 'change_action':
      return changed(deps, scope, { actions: [term.action] });
    case 'path':
      return pathFilter(deps, scope, term.segments);
    case 'component':
      return components(deps, scope, (c) =>
        evaluate(term, { ...blank, component: { slug: c.path.split('/').at(-1)!, name: c.name } }),
      );
    case 'number':
      return term.field === 'priority' ? priorityFilter(term) : ofCurated(deps, scope, (view) => evaluate(term, view));
    case 'state': {
      const filter = toMongo({ ...term, field: 'state' }, UNIT_FIELDS);
      return ofSources(bounded(await deps.lookups.sources(await sourceScope(deps, scope), filter, MOST_FOUND + 1)));
    }
    case 'date':
      return dateFilter(deps, term, scope);
    case 'text':
      return textFilter(deps, term, scope);
    case 'pending':
      return NOTHING;
  }
}

async function dateFilter(
  deps: SearchDeps,
  term: Extract<Term, { type: 'date' }>,
  scope: SearchScope,
): Promise<object> {
  const { from, before } = term;
  const bounds = { ...(from === undefined ? {} : { from }), ...(before === undefined ? {} : { before }) };
  switch (term.field) {
    case 'added':
      return { created: span(from, before) };
    case 'last_changed':
      return { updated: span(from, before) };
    case 'changed':
      return changed(deps, scope, { ...bounds, contentOnly: true });
    case 'change_time':
      return changed(deps, scope, bounds);
    case 'source_changed': {
      const filter = { updated: span(from, before) };
      return ofSources(bounded(await deps.lookups.sources(await sourceScope(deps, scope), filter, MOST_FOUND + 1)));
    }
  }
}

async function textFilter(
  deps: SearchDeps,
  term: Extract<Term, { type: 'text' }>,
  scope: SearchScope,
): Promise<object> {
  // Only single fields are looked up: free words are looked for in what the unit's own document has.
  const field = term.fields[0]!;
  switch (field) {
    case 'suggestion':
      return remarks(deps, scope, 'suggestion', toMongo(term, { suggestion: 'target' }));
    case 'comment':
      return remarks(deps, scope, 'comment', {
        $and: [toMongo(term, { comment: 'text' }), { resolved: { $ne: true } }],
      });
    case 'resolved_comment':
      return remarks(deps, scope, 'comment', {
        $and: [toMongo(term, { resolved_comment: 'text' }), { resolved: true }],
      });
    default:
      return ofCurated(deps, scope, (view) => evaluate(term, view));
  }
}
