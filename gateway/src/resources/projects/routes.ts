import { componentSettings, projectSettings, type RequestMode } from '@parlance/contracts';
import { toComponentViews } from '../../directory/component-view';
import type { Call, Reply } from '../../routing/call';
import { created, noContent, ok, type Endpoint } from '../../routing/endpoint';
import { linkedComponents } from '../../routing/component-ids';
import { isWlc } from '../../routing/wlc';
import { readFields } from '../../bodies/input';
import { list } from '../../responses/lists';
import { pageOf } from '../../responses/paging';
import { presentComponent, presentProject } from '../components/present';
import { presentStatistics } from '../statistics/present';
import { componentNames, createComponent } from '../components/routes';
import { operationAccess, repositoryStatus, repositoryViewers, runOperation } from '../components/repository';
import { changeFields, lockFields, operationFields } from '../shared-fields';
import { loadCounters, loadHidden, listChanges, pages } from '../shared';
import { withRecentChanges } from '../statistics/recent-changes';
import { pageSchema } from '../../responses/schema';
import { componentSchema, operationSchema, projectRepositorySchema } from '../components/schema';
import { lockSchema, projectSchema } from './schema';
import { changeSchema } from '../site/schema';
import { projectLanguageSchema, statisticsSchema } from '../statistics/schema';
import { z } from 'zod';

const change =
  (mode: RequestMode) =>
  async (call: Call): Promise<Reply> => {
    const project = await readFields(call, projectSettings, mode);
    const answer = await call.clients.catalog.updateProject(
      { id: call.project.id, project, replace: mode === 'replace' },
      call.options,
    );
    return ok(presentProject(answer.project!, call.links));
  };

async function componentIds(call: Call): Promise<number[]> {
  return (await call.clients.catalog.listComponentIds({ projectId: call.project.id }, call.options)).ids;
}

/** Every item has the documented keys and those of existing clients. */
async function languageStatistics(call: Call): Promise<Record<string, unknown>[]> {
  const [{ excludedComponentIds }, linked] = await Promise.all([loadHidden(call), linkedComponents(call)]);
  const { languages, stale } = await call.clients.statistics.listLanguageCounters(
    { projectId: call.project.id, componentIds: linked, excludedComponentIds },
    call.options,
  );
  if (stale) call.contents.discard();
  const [known, numbers] = await Promise.all([
    call.directory.languagesByCode(languages.map((l) => l.languageCode)),
    withRecentChanges(
      call,
      languages.map(({ languageCode }) => ({
        kind: 'SCOPE_KIND_PROJECT_LANGUAGE',
        id: call.project.id,
        languageCode,
        componentIds: linked,
        excludedComponentIds,
      })),
      languages.map((l) => l.counters!),
    ),
  ]);
  return languages
    .map((l, i) => {
      const name = known.get(l.languageCode)?.name ?? l.languageCode;
      const item = presentStatistics(numbers[i]!, {
        name,
        code: l.languageCode,
        url: call.links.web(`projects/${call.project.slug}/-/${l.languageCode}/`),
        translateUrl: call.links.web(`translate/${call.project.slug}/-/${l.languageCode}/`),
        review: call.project.translationReview,
      });
      return { ...item, language: name, words_percent: item['translated_words_percent'] };
    })
    .sort((a, b) => a.language.localeCompare(b.language));
}

export const projectEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/projects/',
    response: pageSchema(projectSchema),
    access: 'anyone',
    doc: 'Lists the projects that the caller may see.',
    cached: true,
    handle: (call) =>
      list(
        call,
        pages,
        async (page) => {
          const answer = await call.clients.catalog.listProjects({ page }, call.options);
          return { items: answer.projects, total: answer.total };
        },
        (items) => items.map((p) => presentProject(p, call.links)),
      ),
  },
  {
    method: 'POST',
    path: '/api/projects/',
    success: [201],
    response: projectSchema,
    access: { site: 'project.add' },
    doc: 'Creates a project; its creator joins its Administration team.',
    body: { fields: projectSettings },
    async handle(call) {
      const answer = await call.clients.catalog.createProject(
        { project: await readFields(call, projectSettings, 'create') },
        call.options,
      );
      const data = presentProject(answer.project!, call.links);
      return created(data, String(data['url']));
    },
  },
  {
    method: 'GET',
    path: '/api/projects/:project/',
    response: projectSchema,
    access: 'anyone',
    doc: 'Shows a project.',
    handle: async (call) => ok(presentProject(call.project, call.links)),
  },
  {
    method: 'PUT',
    path: '/api/projects/:project/',
    response: projectSchema,
    access: { any: ['project.edit'] },
    doc: 'Replaces the settings of a project.',
    body: { fields: projectSettings },
    handle: change('replace'),
  },
  {
    method: 'PATCH',
    path: '/api/projects/:project/',
    response: projectSchema,
    access: { any: ['project.edit'] },
    doc: 'Changes settings of a project.',
    body: { fields: projectSettings },
    handle: change('update'),
  },
  {
    method: 'DELETE',
    path: '/api/projects/:project/',
    access: { any: ['project.edit'] },
    doc: 'Deletes a project with all its contents.',
    async handle(call) {
      await call.clients.catalog.deleteProject({ id: call.project.id }, call.options);
      return noContent;
    },
  },
  {
    method: 'GET',
    path: '/api/projects/:project/changes/',
    shows: 'project',
    response: pageSchema(changeSchema),
    access: 'anyone',
    doc: 'Lists the history of a project.',
    query: changeFields,
    handle: (call) => listChanges(call, { projectId: call.project.id }),
  },
  {
    method: 'GET',
    path: '/api/projects/:project/repository/',
    shows: 'project',
    response: projectRepositorySchema,
    access: { any: repositoryViewers, anonymousForbidden: true },
    doc: "Shows the combined state of a project's repositories.",
    handle: async (call) => repositoryStatus(call, await componentIds(call), false),
  },
  {
    method: 'POST',
    path: '/api/projects/:project/repository/',
    response: operationSchema,
    access: operationAccess,
    doc: 'Runs an operation on all repositories of a project.',
    body: { fields: operationFields },
    handle: async (call) => runOperation(call, await componentIds(call)),
  },
  {
    method: 'GET',
    path: '/api/projects/:project/components/',
    response: pageSchema(componentSchema),
    access: 'anyone',
    doc: 'Lists the components of a project.',
    cached: true,
    handle: (call) =>
      list(
        call,
        pages,
        async (page) => {
          const answer = await call.clients.catalog.listComponents({ page, projectId: call.project.id }, call.options);
          return { items: toComponentViews(answer), total: answer.total };
        },
        (items) => items.map((item) => presentComponent(item, call.links, call.caller)),
      ),
  },
  {
    method: 'POST',
    path: '/api/projects/:project/components/',
    success: [201],
    response: componentSchema,
    access: { any: ['project.edit'] },
    named: componentNames,
    doc: 'Creates a component; responds after cloning, the import continues as the task in task_url.',
    body: { fields: componentSettings, files: ['zipfile', 'docfile'] },
    handle: createComponent,
  },
  {
    method: 'GET',
    path: '/api/projects/:project/languages/',
    shows: 'project',
    response: z.union([pageSchema(projectLanguageSchema), z.array(projectLanguageSchema)]),
    access: 'anyone',
    doc: 'Lists statistics of a project by language.',
    renderers: ['json-flat'],
    async handle(call) {
      const items = await languageStatistics(call);
      if (isWlc(call)) return ok(items);
      return list(call, pages, pageOf(items), (page) => page);
    },
  },
  {
    method: 'GET',
    path: '/api/projects/:project/statistics/',
    shows: 'project',
    response: statisticsSchema,
    access: 'anyone',
    doc: 'Shows statistics of a project.',
    renderers: ['json-flat'],
    async handle(call) {
      const [{ excludedComponentIds }, componentIds] = await Promise.all([loadHidden(call), linkedComponents(call)]);
      const [sum] = await loadCounters(call, [
        { kind: 'SCOPE_KIND_PROJECT', id: call.project.id, componentIds, excludedComponentIds },
      ]);
      return ok(
        presentStatistics(sum!, {
          name: call.project.name,
          url: call.links.web(`projects/${call.project.slug}/`),
          review: call.project.translationReview,
        }),
      );
    },
  },
  {
    method: 'GET',
    path: '/api/projects/:project/lock/',
    response: lockSchema,
    access: 'anyone',
    doc: 'Shows whether all components of a project are locked.',
    handle: async (call) => ok({ locked: call.project.locked }),
  },
  {
    method: 'POST',
    path: '/api/projects/:project/lock/',
    response: lockSchema,
    access: { any: ['project.edit'] },
    doc: 'Locks or unlocks all components of a project.',
    body: { fields: lockFields },
    async handle(call) {
      const locked = (await readFields(call, lockFields, 'create')).lock === true;
      const answer = await call.clients.catalog.setProjectLock({ id: call.project.id, locked }, call.options);
      return ok({ locked: answer.locked });
    },
  },
];
