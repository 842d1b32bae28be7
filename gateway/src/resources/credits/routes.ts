import { can } from '@parlance/access';
import { field, isoTime, type translation as proto } from '@parlance/contracts';
import { fieldErrors, type FieldProblem } from '@parlance/errors';
import { projectTarget } from '../../access/access';
import type { Call, Reply } from '../../routing/call';
import { ok, type Endpoint } from '../../routing/endpoint';
import { required } from '../../bodies/input';
import { list } from '../../responses/lists';
import { pageOf } from '../../responses/paging';
import { loadHidden, pages, presentTranslations } from '../shared';
import { ownerOf } from '../users/routes';
import { pageSchema } from '../../responses/schema';
import { creditsSchema } from './schema';
import { translationSchema } from '../translations/schema';
import { z } from 'zod';

/** History actions that count for credits: translation changed, new translation, suggestion accepted. */
const credited = [2, 5, 7];

/** Maximum number of translations loaded at once. */
const MAX_TRANSLATIONS = 10_000;

const periodFields = z.object({
  start: field.line('Start of the period (inclusive), an ISO 8601 date or time.'),
  end: field.line('End of the period, an ISO 8601 date or time; a date includes the whole day.'),
});

const DAY_MS = 86_400_000;

/** The period in the query. @throws INVALID */
function readPeriod(call: Call): { afterMs: number; beforeMs: number } {
  const problems: FieldProblem[] = [];
  const time = (name: 'start' | 'end'): number => {
    const text = call.query.get(name);
    if (!text) {
      problems.push(required(name));
      return 0;
    }
    const value = isoTime(text.replace(' ', '+'));
    if (Number.isNaN(value))
      problems.push({ attr: name, code: 'invalid', detail: 'The value must be an ISO 8601 date.' });
    return name === 'end' && /^\d{4}-\d{2}-\d{2}$/.test(text) ? value + DAY_MS - 1 : value;
  };
  const [afterMs, beforeMs] = [time('start'), time('end')];
  if (problems.length === 0 && beforeMs < afterMs)
    problems.push({ attr: 'end', code: 'invalid', detail: 'The end must not precede the start.' });
  if (problems.length > 0) throw fieldErrors(problems);
  // 0 would mean an open period.
  return { afterMs: Math.max(1, afterMs), beforeMs: Math.max(1, beforeMs) };
}

/** Number of translated strings by language and user; without reports.view, only the caller's own. */
async function credits(call: Call, scope: proto.CountContributionsRequest): Promise<Reply> {
  const period = readPeriod(call);
  const everybody = can(call.caller, 'reports.view', projectTarget(call.project));
  const request = {
    ...scope,
    ...period,
    actions: credited,
    userId: everybody ? 0 : call.caller.userId,
    ...(await loadHidden(call)),
  };
  const { contributions } = await call.clients.translation.countContributions(request, call.options);
  const [users, languages] = await Promise.all([
    call.directory.usersById(contributions.map((c) => c.userId)),
    call.directory.languagesByCode(contributions.map((c) => c.languageCode)),
  ]);
  const byLanguage = new Map<string, Map<number, number>>();
  for (const { userId, languageCode, changes } of contributions) {
    const name = languages.get(languageCode)?.name ?? languageCode;
    const counts = byLanguage.get(name) ?? new Map<number, number>();
    counts.set(userId, (counts.get(userId) ?? 0) + changes);
    byLanguage.set(name, counts);
  }
  const people = (counts: Map<number, number>) =>
    [...counts]
      .sort(([a, m], [b, n]) => n - m || a - b)
      .flatMap(([id, change_count]) => {
        const user = users.get(id);
        return user ? [{ email: user.email, full_name: user.fullName, change_count }] : [];
      });
  return ok(
    [...byLanguage]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([language, counts]) => ({ [language]: people(counts) })),
  );
}

/** Translations that a user contributed to, as far as the caller may see them. */
async function contributions(call: Call): Promise<Reply> {
  const { id: userId } = await ownerOf(call);
  const request = { userId, actions: credited, ...(await loadHidden(call)) };
  const { contributions: found } = await call.clients.translation.countContributions(request, call.options);
  const ids = [...new Set(found.map((c) => c.translationId))].slice(0, MAX_TRANSLATIONS);
  const { translations } =
    ids.length === 0
      ? { translations: [] }
      : await call.clients.translation.batchGetTranslations({ ids }, call.options);
  const components = await call.directory.componentsById(translations.map((t) => t.componentId));
  const place = (t: proto.Translation__Output): string => {
    const view = components.get(t.componentId);
    return view ? `${view.project.slug}/${view.component.path}/${t.languageCode}` : '';
  };
  const there = translations.filter((t) => components.has(t.componentId));
  there.sort((a, b) => (place(a) < place(b) ? -1 : 1));
  return list(call, pages, pageOf(there), (items) => presentTranslations(call, items));
}

export const creditEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/projects/:project/credits/',
    shows: 'project',
    response: creditsSchema,
    access: 'signed-in',
    doc: "Shows contributions to a project in a period by language and user; without reports.view, only the caller's own.",
    query: periodFields,
    handle: (call) => credits(call, { projectId: call.project.id }),
  },
  {
    method: 'GET',
    path: '/api/components/:project/:component/credits/',
    shows: 'component',
    response: creditsSchema,
    access: 'signed-in',
    doc: "Shows contributions to a component in a period by language and user; without reports.view, only the caller's own.",
    query: periodFields,
    handle: (call) => credits(call, { componentId: call.component.component.id }),
  },
  {
    method: 'GET',
    path: '/api/users/:username/contributions/',
    shows: 'site',
    response: pageSchema(translationSchema),
    access: 'anyone',
    doc: 'Lists the translations that a user contributed to, as far as the caller may see them.',
    handle: contributions,
  },
];
