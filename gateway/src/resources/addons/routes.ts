import { canOnSite } from '@parlance/access';
import { addonSettings, type catalog, type RequestMode } from '@parlance/contracts';
import { componentTarget, denied, projectTarget, requireOn } from '../../access/access';
import type { Call, Reply } from '../../routing/call';
import { created, noContent, ok, type Endpoint } from '../../routing/endpoint';
import { notFound } from '../../responses/errors';
import { idParam, perCall, readFields } from '../../bodies/input';
import { list } from '../../responses/lists';
import { presentAddon } from './present';
import { pages } from '../shared';
import { pageSchema } from '../../responses/schema';
import { addonSchema } from './schema';

/** The add-on named by the path. @throws NOT_FOUND */
const addonOf = perCall(async (call): Promise<catalog.Addon__Output> => {
  const { addon } = await call.clients.catalog.getAddon({ id: idParam(call, 'addon') }, call.options);
  if (!addon) throw notFound();
  return addon;
});

async function mayEdit(call: Call): Promise<void> {
  const addon = await addonOf(call);
  if (addon.component) {
    const view = (await call.directory.componentsById([addon.component.id])).get(addon.component.id);
    if (view) return requireOn(call, 'component.edit', componentTarget(view));
  } else if (addon.projectId) {
    const project = (await call.directory.projectsById([addon.projectId])).get(addon.projectId);
    if (project) return requireOn(call, 'project.edit', projectTarget(project));
  } else if (canOnSite(call.caller, 'management.addons')) return;
  throw denied(call);
}

/** Permission by installation target. */
const editors = {
  decide: mayEdit,
  ways: [
    { permission: 'component.edit', on: 'object' },
    { permission: 'project.edit', on: 'object' },
    { permission: 'management.addons', on: 'site' },
  ],
} as const;

const install =
  (place: (call: Call) => { componentId?: number; projectId?: number }) =>
  async (call: Call): Promise<Reply> => {
    const request = { ...(await readFields(call, addonSettings, 'create')), ...place(call) };
    const { addon } = await call.clients.catalog.createAddon(request, call.options);
    return created(presentAddon(addon!, call.links), call.links.addon(addon!.id));
  };

const change =
  (mode: RequestMode) =>
  async (call: Call): Promise<Reply> => {
    const fields = await readFields(call, addonSettings, mode);
    const request = { ...fields, id: (await addonOf(call)).id, replace: mode === 'replace' };
    const { addon } = await call.clients.catalog.updateAddon(request, call.options);
    return ok(presentAddon(addon!, call.links));
  };

const ADDON_PATH = '/api/addons/:addon/';

export const addonEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/addons/',
    response: pageSchema(addonSchema),
    access: 'anyone',
    doc: 'Lists the add-ons of the components and projects that the caller may see.',
    cached: true,
    handle: (call) =>
      list(
        call,
        pages,
        async (page) => {
          const answer = await call.clients.catalog.listAddons({ page }, call.options);
          return { items: answer.addons, total: answer.total };
        },
        (items) => items.map((a) => presentAddon(a, call.links)),
      ),
  },
  {
    method: 'POST',
    path: '/api/addons/',
    success: [201],
    response: addonSchema,
    access: { site: 'management.addons' },
    doc: 'Installs an add-on for all components of the site.',
    body: { fields: addonSettings },
    handle: install(() => ({})),
  },
  {
    method: 'POST',
    path: '/api/components/:project/:component/addons/',
    success: [201],
    response: addonSchema,
    access: { any: ['component.edit'] },
    doc: 'Installs an add-on in a component.',
    body: { fields: addonSettings },
    handle: install((call) => ({ componentId: call.component.component.id })),
  },
  {
    method: 'POST',
    path: '/api/projects/:project/addons/',
    success: [201],
    response: addonSchema,
    access: { any: ['project.edit'] },
    doc: 'Installs an add-on for all components of a project.',
    body: { fields: addonSettings },
    handle: install((call) => ({ projectId: call.project.id })),
  },
  {
    method: 'GET',
    path: ADDON_PATH,
    response: addonSchema,
    access: 'anyone',
    doc: 'Shows an add-on.',
    cached: true,
    handle: async (call) => ok(presentAddon(await addonOf(call), call.links)),
  },
  {
    method: 'PUT',
    path: ADDON_PATH,
    response: addonSchema,
    access: editors,
    doc: 'Replaces the configuration of an add-on.',
    body: { fields: addonSettings },
    handle: change('replace'),
  },
  {
    method: 'PATCH',
    path: ADDON_PATH,
    response: addonSchema,
    access: editors,
    doc: 'Replaces the configuration of an add-on.',
    body: { fields: addonSettings },
    handle: change('update'),
  },
  {
    method: 'DELETE',
    path: ADDON_PATH,
    access: editors,
    doc: 'Removes an add-on.',
    async handle(call) {
      await call.clients.catalog.deleteAddon({ id: (await addonOf(call)).id }, call.options);
      return noContent;
    },
  },
];
