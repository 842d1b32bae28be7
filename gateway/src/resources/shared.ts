import { actionNames, isoTime, type common, type statistics, type translation as proto } from '@parlance/contracts';
import { fieldErrors, ServiceError, type FieldProblem } from '@parlance/errors';
import type { Call, Reply } from '../routing/call';
import { list } from '../responses/lists';
import type { PageRule } from '../responses/paging';
import { presentLabel } from './labels/present';
import { noCounters } from './statistics/present';
import { withRecentChanges } from './statistics/recent-changes';
import {
  presentChange,
  presentTranslation,
  presentUnit,
  TranslationParents,
  type ChangeContext,
} from './translations/present';
import type { Label } from './labels/schema';

/** Default paging of lists. */
export const pages: PageRule = { default: 50, max: 1000 };

/** Objects hidden from the caller. */
export async function loadHidden(call: Call) {
  const answer = await call.directory.hiddenFrom({ caller: call.caller, signed: call.options.as as string });
  return { excludedProjectIds: answer.projectIds, excludedComponentIds: answer.componentIds };
}

/** Maximum number of scopes in one call to the statistics service. */
const SCOPES = 1000;

/** Counters of several objects, in the same order. */
export async function loadCounters(call: Call, scopes: statistics.Scope[]): Promise<common.Counters__Output[]> {
  const found: common.Counters__Output[] = [];
  for (let at = 0; at < scopes.length; at += SCOPES) {
    const some = scopes.slice(at, at + SCOPES);
    const answer = await call.clients.statistics.getCounters({ scopes: some }, call.options);
    if (answer.stale) call.contents.discard();
    const numbers = some.map((_, i) => answer.counters[i] ?? noCounters);
    found.push(...(await withRecentChanges(call, some, numbers)));
  }
  return found;
}

/** Presents translations of any components; loads all objects they refer to at once. */
export async function presentTranslations(
  call: Call,
  items: proto.Translation__Output[],
  withComponent = true,
): Promise<Record<string, unknown>[]> {
  const [components, languages] = await Promise.all([
    call.directory.componentsById(items.map((t) => t.componentId)),
    call.directory.languagesByCode(items.map((t) => t.languageCode)),
  ]);
  const parents = new TranslationParents(call.links, call.caller);
  return items.flatMap((t) => {
    const view = components.get(t.componentId);
    const language = languages.get(t.languageCode);
    return view && language ? [presentTranslation(t, view, language, call.links, parents, withComponent)] : [];
  });
}

/** Labels of units. */
export async function labelsOf(call: Call, units: readonly proto.Unit__Output[]): Promise<Map<number, Label>> {
  const ids = [...new Set(units.flatMap((u) => u.labelIds))];
  if (ids.length === 0) return new Map();
  const { labels } = await call.clients.catalog.batchGetLabels({ ids }, call.options);
  return new Map(labels.map((l) => [l.id, presentLabel(l)]));
}

export async function presentUnits(call: Call, units: proto.Unit__Output[]): Promise<Record<string, unknown>[]> {
  const [components, labels] = await Promise.all([
    call.directory.componentsById(units.map((u) => u.componentId)),
    labelsOf(call, units),
  ]);
  return units.flatMap((u) => {
    const view = components.get(u.componentId);
    return view
      ? [presentUnit(u, { projectSlug: view.project.slug, componentPath: view.component.path }, labels, call.links)]
      : [];
  });
}

/** @param translations of the changes; deleted ones are missing */
export async function changeContext(
  call: Call,
  changes: readonly proto.Change__Output[],
  translations: readonly proto.Translation__Output[],
): Promise<ChangeContext> {
  const [components, users] = await Promise.all([
    call.directory.componentsById(changes.map((c) => c.componentId)),
    call.directory.usersById(changes.flatMap((c) => [c.userId, c.authorId])),
  ]);
  return { components, users, translations: new Map(translations.map((t) => [t.id, t])) };
}

/** The history of an object, filtered by the query. */
export async function listChanges(call: Call, scope: proto.ListChangesRequest): Promise<Reply> {
  const problems: FieldProblem[] = [];
  const actions: number[] = [];
  for (const text of call.query.getAll('action')) {
    if (/^\d{1,3}$/.test(text) && Number(text) in actionNames) actions.push(Number(text));
    else
      problems.push({
        attr: 'action',
        code: 'invalid_choice',
        detail: `"${text.slice(0, 40)}" is not an action number.`,
      });
  }
  const time = (name: string): number => {
    const text = call.query.get(name);
    if (!text) return 0;
    // A plus in a query decodes to a space: restores the one before an offset, and replaces one between date and time by T.
    const iso = text.replace(/^(\S{10}) (?=\d\d:\d\d)/, '$1T').replace(' ', '+');
    const value = isoTime(iso);
    if (Number.isNaN(value))
      problems.push({ attr: 'timestamp', code: 'invalid', detail: `"${name}" must be an ISO 8601 date.` });
    return value;
  };
  const afterMs = time('timestamp_after');
  const beforeMs = time('timestamp_before');
  if (call.query.get('user')?.includes('\0'))
    problems.push({ attr: 'user', code: 'invalid', detail: 'User names cannot contain NUL.' });
  if (problems.length > 0) throw fieldErrors(problems);
  let userId = 0;
  const username = call.query.get('user');
  if (username) {
    const found = await userNamed(call, username);
    if (!found)
      return list(
        call,
        pages,
        async () => ({ items: [], total: 0 }),
        () => [],
      );
    userId = found;
  }
  const exclusions = await loadHidden(call);
  let translations: proto.Translation__Output[] = [];
  return list(
    call,
    pages,
    async (page) => {
      const answer = await call.clients.translation.listChanges(
        { ...scope, page, actions, userId, afterMs, beforeMs, ...exclusions, withTranslations: true },
        call.options,
      );
      translations = answer.translations;
      return { items: answer.changes, total: answer.total };
    },
    async (items) => {
      const context = await changeContext(call, items, translations);
      return items.map((c) => presentChange(c, context, call.links));
    },
  );
}

async function userNamed(call: Call, username: string): Promise<number | undefined> {
  try {
    return (await call.clients.identity.getUser({ username }, call.options)).user?.id;
  } catch (error) {
    if (error instanceof ServiceError && error.reason === 'NOT_FOUND') return undefined;
    throw error;
  }
}
