import { canSee } from '@parlance/access';
import { categorySettings, toMessage, type catalog, type RequestMode } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import { projectTarget, requireOn } from '../../access/access';
import type { Call, Reply } from '../../routing/call';
import { created, noContent, ok, type Endpoint } from '../../routing/endpoint';
import { notFound } from '../../responses/errors';
import { addressed, idOf, idParam, perCall, readValues, relationProblem } from '../../bodies/input';
import { list } from '../../responses/lists';
import { presentCategory } from './present';
import { presentStatistics } from '../statistics/present';
import { componentIdsIn } from '../../routing/component-ids';
import { loadCounters, pages } from '../shared';
import { pageSchema } from '../../responses/schema';
import { categorySchema } from './schema';
import { statisticsSchema } from '../statistics/schema';

/** The category named by the path. @throws NOT_FOUND */
const categoryOf = perCall(async (call): Promise<catalog.Category__Output> => {
  const id = idParam(call, 'category');
  const read = async () => (await call.clients.catalog.getCategory({ id }, call.options)).category;
  return call.directory.visibleObject('category', call.caller, String(id), read);
});

const targetOf = perCall(async (call) => {
  const { projectId } = await categoryOf(call);
  const project = (await call.directory.projectsById([projectId])).get(projectId);
  if (!project) throw notFound();
  return projectTarget(project);
});

const editors = { any: ['project.edit'], of: targetOf } as const;

const categoryNames = [{ field: 'category', needs: 'same project' }] as const;

/** A project visible to the caller, by address. */
async function projectAt(call: Call, address: unknown): Promise<catalog.Project__Output | undefined> {
  const slug = addressed(address, 'projects');
  const project = slug === undefined ? undefined : await call.directory.project(slug);
  return project && canSee(call.caller, projectTarget(project)) ? project : undefined;
}

async function readCategory(call: Call, mode: RequestMode) {
  const { values, problems } = await readValues(call, categorySettings, mode);
  const input: catalog.CategoryInput = toMessage(categorySettings, values);
  const { project: address, category: above } = values;
  let project: catalog.Project__Output | undefined;
  if (address !== undefined) {
    project = await projectAt(call, address);
    if (project) input.projectId = project.id;
    else problems.push(relationProblem('project', address, 'projects', 'project'));
  }
  if (above !== undefined) {
    const id = above === null ? 0 : idOf(addressed(above, 'categories'));
    if (id === undefined) problems.push(relationProblem('category', above, 'categories', 'category'));
    else input.categoryId = id;
  }
  // The permission depends on the project, so problems of this field come first.
  if (problems.some(({ attr }) => attr === 'project')) throw fieldErrors(problems);
  call.problems.push(...problems);
  return { input, project };
}

const change =
  (mode: RequestMode) =>
  async (call: Call): Promise<Reply> => {
    const { input } = await readCategory(call, mode);
    const request = { id: (await categoryOf(call)).id, category: input, replace: mode === 'replace' };
    const { category } = await call.clients.catalog.updateCategory(request, call.options);
    return ok(presentCategory(category!, call.links));
  };

const listOf = (call: Call, projectId: number) =>
  list(
    call,
    pages,
    async (page) => {
      const answer = await call.clients.catalog.listCategories({ page, projectId }, call.options);
      return { items: answer.categories, total: answer.total };
    },
    (items) => items.map((c) => presentCategory(c, call.links)),
  );

const CATEGORY_PATH = '/api/categories/:category/';

export const categoryEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/categories/',
    response: pageSchema(categorySchema),
    access: 'anyone',
    doc: 'Lists the categories of the projects that the caller may see.',
    cached: true,
    handle: (call) => listOf(call, 0),
  },
  {
    method: 'GET',
    path: '/api/projects/:project/categories/',
    response: pageSchema(categorySchema),
    access: 'anyone',
    doc: 'Lists the categories of a project.',
    cached: true,
    handle: (call) => listOf(call, call.project.id),
  },
  {
    method: 'POST',
    path: '/api/categories/',
    success: [201],
    response: categorySchema,
    access: { ways: [{ permission: 'project.edit', on: 'object' }] },
    named: categoryNames,
    doc: 'Creates a category; requires project.edit on the project in the body.',
    body: { fields: categorySettings },
    async handle(call) {
      const { input, project } = await readCategory(call, 'create');
      requireOn(call, 'project.edit', projectTarget(project!));
      const { category } = await call.clients.catalog.createCategory({ category: input }, call.options);
      return created(presentCategory(category!, call.links), call.links.category(category!.id));
    },
  },
  {
    method: 'GET',
    path: CATEGORY_PATH,
    response: categorySchema,
    access: 'anyone',
    doc: 'Shows a category.',
    handle: async (call) => ok(presentCategory(await categoryOf(call), call.links)),
  },
  {
    method: 'PUT',
    path: CATEGORY_PATH,
    response: categorySchema,
    access: editors,
    named: categoryNames,
    doc: 'Replaces a category.',
    body: { fields: categorySettings },
    handle: change('replace'),
  },
  {
    method: 'PATCH',
    path: CATEGORY_PATH,
    response: categorySchema,
    access: editors,
    named: categoryNames,
    doc: 'Changes a category; a new slug changes the addresses of its contents.',
    body: { fields: categorySettings },
    handle: change('update'),
  },
  {
    method: 'DELETE',
    path: CATEGORY_PATH,
    access: editors,
    doc: 'Deletes a category with its nested categories and components.',
    async handle(call) {
      await call.clients.catalog.deleteCategory({ id: (await categoryOf(call)).id }, call.options);
      return noContent;
    },
  },
  {
    method: 'GET',
    path: `${CATEGORY_PATH}statistics/`,
    shows: 'site',
    response: statisticsSchema,
    access: 'anyone',
    doc: 'Shows statistics of a category including nested categories.',
    renderers: ['json-flat'],
    async handle(call) {
      const category = await categoryOf(call);
      const ids = await componentIdsIn(call, { categoryId: category.id });
      const [sum] = await loadCounters(call, [{ kind: 'SCOPE_KIND_COMPONENTS', componentIds: ids }]);
      const url = call.links.web(`projects/${category.projectSlug}/${category.path}/`);
      return ok(presentStatistics(sum!, { name: category.name, url, review: true }));
    },
  },
];
