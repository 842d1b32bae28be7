import { field, componentListSettings, toMessage, type catalog, type RequestMode } from '@parlance/contracts';
import { toComponentViews } from '../../directory/component-view';
import type { Call, Reply } from '../../routing/call';
import { created, noContent, ok, type Endpoint } from '../../routing/endpoint';
import { perCall, readValues, requireId } from '../../bodies/input';
import { list } from '../../responses/lists';
import { presentComponent } from '../components/present';
import { presentComponentList } from './present';
import { presentStatistics } from '../statistics/present';
import { componentIdsIn } from '../../routing/component-ids';
import { loadCounters, pages } from '../shared';
import { pageSchema } from '../../responses/schema';
import { componentListSchema } from './schema';
import { componentSchema } from '../components/schema';
import { statisticsSchema } from '../statistics/schema';
import { z } from 'zod';

/** The component list named by the path. @throws NOT_FOUND */
const listOf = perCall(async (call): Promise<catalog.ComponentList__Output> => {
  const slug = call.params['list']!;
  const read = async () => (await call.clients.catalog.getComponentList({ slug }, call.options)).componentList;
  return call.directory.visibleObject('component-list', call.caller, slug, read);
});

const editors = { site: 'componentlist.edit', of: listOf } as const;

/** Default of a missing pattern: matches nothing. */
const NOTHING = '^$';

async function readList(call: Call, mode: RequestMode): Promise<catalog.ComponentListInput> {
  const { values, problems } = await readValues(call, componentListSettings, mode);
  const { autoAssign: _rules, ...own } = toMessage(componentListSettings, values);
  const input: catalog.ComponentListInput = own;
  input.autoAssign = (values.auto_assign ?? []).map((rule, i) => {
    const part = (name: string): string => {
      const value = rule[name];
      if (value === undefined) return NOTHING;
      if (typeof value === 'string') return value;
      problems.push({ attr: `auto_assign.${i}.${name}`, code: 'invalid', detail: 'A text is required.' });
      return NOTHING;
    };
    return { projectMatch: part('project_match'), componentMatch: part('component_match') };
  });
  call.problems.push(...problems);
  return input;
}

const change =
  (mode: RequestMode) =>
  async (call: Call): Promise<Reply> => {
    const input = await readList(call, mode);
    const request = { id: (await listOf(call)).id, componentList: input, replace: mode === 'replace' };
    const { componentList } = await call.clients.catalog.updateComponentList(request, call.options);
    return ok(presentComponentList(componentList!, call.links));
  };

const componentIdField = z.object({
  component_id: field.id('Id of the component.'),
});

const COMPONENT_LIST_PATH = '/api/component-lists/:list/';

export const componentListEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/component-lists/',
    response: pageSchema(componentListSchema),
    access: 'anyone',
    doc: 'Lists component lists that are empty or contain a component that the caller may see.',
    cached: true,
    handle: (call) =>
      list(
        call,
        pages,
        async (page) => {
          const answer = await call.clients.catalog.listComponentLists({ page }, call.options);
          return { items: answer.componentLists, total: answer.total };
        },
        (items) => items.map((l) => presentComponentList(l, call.links)),
      ),
  },
  {
    method: 'POST',
    path: '/api/component-lists/',
    success: [201],
    response: componentListSchema,
    access: { site: 'componentlist.edit' },
    doc: 'Creates a component list.',
    body: { fields: componentListSettings },
    async handle(call) {
      const request = { componentList: await readList(call, 'create') };
      const { componentList } = await call.clients.catalog.createComponentList(request, call.options);
      return created(presentComponentList(componentList!, call.links), call.links.componentList(componentList!.slug));
    },
  },
  {
    method: 'GET',
    path: COMPONENT_LIST_PATH,
    response: componentListSchema,
    access: 'anyone',
    doc: 'Shows a component list.',
    handle: async (call) => ok(presentComponentList(await listOf(call), call.links)),
  },
  {
    method: 'PUT',
    path: COMPONENT_LIST_PATH,
    response: componentListSchema,
    access: editors,
    doc: 'Replaces a component list.',
    body: { fields: componentListSettings },
    handle: change('replace'),
  },
  {
    method: 'PATCH',
    path: COMPONENT_LIST_PATH,
    response: componentListSchema,
    access: editors,
    doc: 'Changes a component list.',
    body: { fields: componentListSettings },
    handle: change('update'),
  },
  {
    method: 'DELETE',
    path: COMPONENT_LIST_PATH,
    access: editors,
    doc: 'Deletes a component list; its components are kept.',
    async handle(call) {
      await call.clients.catalog.deleteComponentList({ id: (await listOf(call)).id }, call.options);
      return noContent;
    },
  },
  {
    method: 'GET',
    path: `${COMPONENT_LIST_PATH}components/`,
    response: pageSchema(componentSchema),
    access: 'anyone',
    doc: 'Lists the components of a component list.',
    cached: true,
    async handle(call) {
      const { id: componentListId } = await listOf(call);
      return list(
        call,
        pages,
        async (page) => {
          const answer = await call.clients.catalog.listComponents({ page, componentListId }, call.options);
          return { items: toComponentViews(answer), total: answer.total };
        },
        (items) => items.map((item) => presentComponent(item, call.links, call.caller)),
      );
    },
  },
  {
    method: 'POST',
    path: `${COMPONENT_LIST_PATH}components/`,
    response: componentListSchema,
    access: editors,
    named: [{ field: 'component_id', needs: 'sight' }],
    doc: 'Adds a component to a component list.',
    body: { fields: componentIdField },
    async handle(call) {
      const request = { componentId: await requireId(call, 'component_id'), id: (await listOf(call)).id };
      const { componentList } = await call.clients.catalog.addToComponentList(request, call.options);
      return ok(presentComponentList(componentList!, call.links));
    },
  },
  {
    method: 'DELETE',
    path: `${COMPONENT_LIST_PATH}components/:component_slug/`,
    access: editors,
    doc: 'Removes a component from a component list.',
    async handle(call) {
      const request = { id: (await listOf(call)).id, componentSlug: call.params['component_slug']! };
      await call.clients.catalog.removeFromComponentList(request, call.options);
      return noContent;
    },
  },
  {
    method: 'GET',
    path: `${COMPONENT_LIST_PATH}statistics/`,
    shows: 'site',
    response: statisticsSchema,
    access: 'anyone',
    doc: 'Shows statistics of a component list.',
    renderers: ['json-flat'],
    async handle(call) {
      const { id: componentListId, name, slug } = await listOf(call);
      const ids = await componentIdsIn(call, { componentListId });
      const [sum] = await loadCounters(call, [{ kind: 'SCOPE_KIND_COMPONENTS', componentIds: ids }]);
      const url = call.links.web(`component-lists/${encodeURIComponent(slug)}/`);
      return ok(presentStatistics(sum!, { name, url, review: true }));
    },
  },
];
