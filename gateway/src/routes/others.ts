import { languageSettings } from '@parlance/contracts';
import { componentTarget, projectTarget, requireSight } from '../access/access';
import type { Call } from '../http/call';
import { ok, type Endpoint } from '../http/endpoint';
import { notFound } from '../http/errors';
import { idParam } from '../http/input';
import { list } from '../http/lists';
import { presentLanguage } from '../presenters/catalog';
import { timestamp } from '../presenters/links';
import { presentStatistics } from '../presenters/statistics';
import { presentChange } from '../presenters/translation';
import { changeContext, counters, hidden, listChanges, pages } from './shared';
import type { identity } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';

/** Resources that the root names. */
const roots = ['users', 'groups', 'roles', 'projects', 'components', 'translations', 'memory', 'languages', 'component-lists', 'changes', 'units', 'screenshots', 'addons', 'categories'];

function presentUser(user: identity.User__Output, call: Call): Record<string, unknown> {
  if (!user.full) return { id: user.id, full_name: user.fullName, username: user.username };
  const url = call.links.user(user.username);
  return {
    id: user.id,
    email: user.email,
    full_name: user.fullName,
    username: user.username,
    groups: user.groupIds.map((id) => call.links.api(`groups/${id}/`)),
    languages: user.languageCodes.map((code) => call.links.language(code)),
    notifications: `${url}notifications/`,
    is_superuser: user.isSuperuser,
    is_active: user.isActive,
    is_bot: user.isBot,
    date_joined: timestamp(user.dateJoinedMs),
    date_expires: timestamp(user.dateExpiresMs),
    last_login: timestamp(user.lastLoginMs),
    url,
    statistics_url: `${url}statistics/`,
    contributions_url: `${url}contributions/`,
  };
}

async function languageOf(call: Call) {
  const language = await call.clients.catalog.getLanguage({ code: call.params['code']! }, call.options);
  if (!language.language) throw notFound();
  return language.language;
}

export const otherEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/',
    access: 'anyone',
    doc: 'Names the resources of the API.',
    handle: async (call) => ok(Object.fromEntries(roots.map((name) => [name, call.links.api(`${name}/`)]))),
  },
  {
    method: 'GET',
    path: '/api/users/',
    access: 'anyone',
    doc: 'Lists users; without the permission to manage them only the caller.',
    handle: (call) =>
      list(
        call,
        pages,
        async (page) => {
          const id = /^\d{1,15}$/.test(call.query.get('id') ?? '') ? Number(call.query.get('id')) : 0;
          const answer = await call.clients.identity.listUsers({ page, usernamePrefix: call.query.get('username') ?? '', id }, call.options);
          return { items: answer.users, total: answer.total };
        },
        (items) => items.map((u) => presentUser(u, call)),
      ),
  },
  {
    method: 'GET',
    path: '/api/users/:username/',
    access: 'anyone',
    doc: 'Shows a user.',
    async handle(call) {
      if (call.principal.anonymous) throw notFound();
      const { user } = await call.clients.identity.getUser({ username: call.params['username']! }, call.options);
      if (!user) throw notFound();
      return ok(presentUser(user, call));
    },
  },
  {
    method: 'GET',
    path: '/api/languages/',
    access: 'anyone',
    doc: `Lists languages in use; those who may edit languages see all. Settings: ${languageSettings.map((s) => s.name).join(', ')}.`,
    handle: (call) =>
      list(
        call,
        pages,
        async (page) => {
          const answer = await call.clients.catalog.listLanguages({ page }, call.options);
          return { items: answer.languages, total: answer.total };
        },
        (items) => items.map((l) => presentLanguage(l, call.links)),
      ),
  },
  { method: 'GET', path: '/api/languages/:code/', access: 'anyone', doc: 'Shows a language.', handle: async (call) => ok(presentLanguage(await languageOf(call), call.links)) },
  {
    method: 'GET',
    path: '/api/languages/:code/statistics/',
    access: 'anyone',
    doc: 'Shows statistics of a language over all that the caller may see.',
    renderers: ['json-flat'],
    async handle(call) {
      const language = await languageOf(call);
      const [sum] = await counters(call, [{ kind: 'SCOPE_KIND_LANGUAGE', languageCode: language.code, ...(await hidden(call)) }]);
      return ok(presentStatistics(sum!, { name: language.name, url: call.links.web(`languages/${language.code}/`) }));
    },
  },
  { method: 'GET', path: '/api/changes/', access: 'anyone', doc: 'Lists the history of everything that the caller may see.', handle: (call) => listChanges(call, {}) },
  {
    method: 'GET',
    path: '/api/changes/:change/',
    access: 'anyone',
    doc: 'Shows an entry of the history.',
    async handle(call) {
      const { change } = await call.clients.translation.getChange({ id: idParam(call, 'change') }, call.options);
      if (!change) throw notFound();
      const context = await changeContext(call, [change]);
      const view = context.components.get(change.componentId);
      if (view) requireSight(call, componentTarget(view));
      else if (change.projectId) {
        const project = (await call.directory.projectsById([change.projectId])).get(change.projectId);
        if (!project) throw notFound();
        requireSight(call, projectTarget(project));
      } else if (!call.principal.isSuperuser) throw notFound();
      return ok(presentChange(change, context, call.links));
    },
  },
  {
    method: 'GET',
    path: '/api/tasks/:task/',
    access: 'anyone',
    doc: 'Shows how far a background task is.',
    async handle(call) {
      if (!/^[0-9a-f-]{36}$/i.test(call.params['task']!)) throw notFound();
      try {
        const { task } = await call.clients.vcsWorker.getTask({ id: call.params['task']! }, call.options);
        if (!task) throw notFound();
        const view = task.componentId ? (await call.directory.componentsById([task.componentId])).get(task.componentId) : undefined;
        if (view) requireSight(call, componentTarget(view));
        return ok({ completed: task.completed, progress: task.progress, result: task.resultJson ? (JSON.parse(task.resultJson) as unknown) : null, log: task.log });
      } catch (error) {
        // A task that is not known (any more) is shown as one that has not begun, as clients expect.
        if (isServiceError(error, 'NOT_FOUND')) return ok({ completed: false, progress: 0, result: null, log: '' });
        throw error;
      }
    },
  },
  {
    method: 'GET',
    path: '/api/metrics/',
    access: 'signed-in',
    doc: 'Shows numbers of the whole site.',
    renderers: ['openmetrics'],
    async handle(call) {
      const [m, counts, users] = await Promise.all([
        call.clients.statistics.getMetrics({}, call.options),
        call.clients.catalog.getCounts({}, call.options),
        call.clients.identity.countUsers({}, call.options),
      ]);
      return ok({
        units: m.counters?.all?.strings ?? 0,
        units_translated: m.counters?.translated?.strings ?? 0,
        users: users.users,
        changes: m.changes,
        projects: counts.projects,
        components: counts.components,
        translations: m.translations,
        languages: counts.languages,
        checks: m.counters?.checks ?? 0,
        configuration_errors: m.configurationErrors,
        suggestions: m.counters?.suggestions?.strings ?? 0,
        celery_queues: { celery: 0, notify: 0, memory: 0, translate: 0, backup: 0 },
        name: call.siteTitle,
      });
    },
  },
];
