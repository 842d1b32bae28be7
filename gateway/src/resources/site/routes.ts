import { componentTarget, projectTarget, requireVisible } from '../../access/access';
import type { AccessTarget } from '@parlance/access';
import type { Call } from '../../routing/call';
import { noContent, ok, type Endpoint } from '../../routing/endpoint';
import { notFound } from '../../responses/errors';
import { idParam } from '../../bodies/input';
import { presentChange } from '../translations/present';
import { changeFields } from '../shared-fields';
import { changeContext, listChanges } from '../shared';
import { isServiceError } from '@parlance/errors';
import { pageSchema } from '../../responses/schema';
import { changeSchema, metricsSchema, rootSchema, taskSchema } from './schema';

/** Resources listed by the API root. */
const roots = [
  'users',
  'groups',
  'roles',
  'projects',
  'components',
  'translations',
  'memory',
  'languages',
  'component-lists',
  'changes',
  'units',
  'screenshots',
  'addons',
  'categories',
];

/** The component of the task in the path. @throws NOT_FOUND */
async function taskTarget(call: Call): Promise<AccessTarget> {
  if (!/^[0-9a-f-]{36}$/i.test(call.params['task']!)) throw notFound();
  const { task } = await call.clients.vcsWorker.getTask({ id: call.params['task']! }, call.options);
  const view = task?.componentId
    ? (await call.directory.componentsById([task.componentId])).get(task.componentId)
    : undefined;
  if (!view) throw notFound();
  return componentTarget(view);
}

export const otherEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/',
    response: rootSchema,
    access: 'anyone',
    doc: 'Lists the resources of the API.',
    handle: async (call) => ok(Object.fromEntries(roots.map((name) => [name, call.links.api(`${name}/`)]))),
  },
  {
    method: 'GET',
    path: '/api/changes/',
    shows: 'site',
    response: pageSchema(changeSchema),
    access: 'anyone',
    doc: 'Lists the history of all objects that the caller may see.',
    query: changeFields,
    handle: (call) => listChanges(call, {}),
  },
  {
    method: 'GET',
    path: '/api/changes/:change/',
    shows: 'site',
    response: changeSchema,
    access: 'anyone',
    doc: 'Shows an entry of the history.',
    async handle(call) {
      const { change, translation } = await call.clients.translation.getChange(
        { id: idParam(call, 'change') },
        call.options,
      );
      if (!change) throw notFound();
      const context = await changeContext(call, [change], translation ? [translation] : []);
      const view = context.components.get(change.componentId);
      if (view) requireVisible(call, componentTarget(view));
      else if (change.projectId) {
        const project = (await call.directory.projectsById([change.projectId])).get(change.projectId);
        if (!project) throw notFound();
        requireVisible(call, projectTarget(project));
      } else if (!call.caller.isSuperuser) throw notFound();
      return ok(presentChange(change, context, call.links));
    },
  },
  {
    method: 'GET',
    path: '/api/tasks/:task/',
    response: taskSchema,
    access: 'anyone',
    doc: 'Shows the progress of a background task.',
    async handle(call) {
      if (!/^[0-9a-f-]{36}$/i.test(call.params['task']!)) throw notFound();
      try {
        const { task } = await call.clients.vcsWorker.getTask({ id: call.params['task']! }, call.options);
        if (!task) throw notFound();
        // Denied access is handled like an unknown task below.
        const view = task.componentId
          ? (await call.directory.componentsById([task.componentId])).get(task.componentId)
          : undefined;
        if (view) requireVisible(call, componentTarget(view));
        return ok({
          completed: task.completed,
          progress: task.progress,
          result: task.resultJson ? (JSON.parse(task.resultJson) as unknown) : null,
          log: task.log,
        });
      } catch (error) {
        // An unknown or expired task is shown as not begun, as clients expect.
        if (isServiceError(error, 'NOT_FOUND')) return ok({ completed: false, progress: 0, result: null, log: '' });
        throw error;
      }
    },
  },
  {
    method: 'DELETE',
    path: '/api/tasks/:task/',
    access: { any: ['component.edit'], of: taskTarget },
    doc: 'Cancels a background task; completed steps are kept.',
    async handle(call) {
      await call.clients.vcsWorker.cancelTask({ id: call.params['task']! }, call.options);
      return noContent;
    },
  },
  {
    method: 'GET',
    path: '/api/metrics/',
    shows: 'site',
    response: metricsSchema,
    access: 'person',
    doc: 'Shows metrics of the whole site.',
    renderers: ['openmetrics', 'prometheus'],
    async handle(call) {
      const [m, counts, users] = await Promise.all([
        call.clients.statistics.getMetrics({}, call.options),
        call.clients.catalog.getCounts({}, call.options),
        call.clients.identity.countUsers({}, call.options),
      ]);
      if (m.stale) call.contents.discard();
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
        name: call.site.title,
      });
    },
  },
];
