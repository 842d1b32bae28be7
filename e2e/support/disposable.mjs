// Objects created in order to be deleted, by the endpoint that deletes them.
import { makeApi } from './api.mjs';
import { checkedExchange } from './checked-exchange.mjs';
import {
  makeComment,
  makeFont,
  makeMemoryEntry,
  makeScreenshot,
  makeSubscription,
  makeSuggestion,
  makeTeam,
  unique,
} from './worlds.mjs';

const T = '/api/components/{project}/{component}/';

/** Each language is added and removed once in a world. */
const languages = ['fr', 'it', 'pl', 'pt', 'es', 'nl', 'sv', 'da', 'fi', 'nb', 'hu', 'ro', 'sk', 'sl', 'hr', 'et'];
const addons = {
  manager: { name: 'weblate.gettext.mo' },
  'site admin': { name: 'weblate.flags.source_edit' },
  'own bot': { name: 'weblate.flags.target_edit' },
};

/** @returns a suggestion that a row can use up */
const suggestion = async (admin, world) => ({ suggestion: (await makeSuggestion(admin, world.unitId)).id });

/** Rows that use up what their path names, beside those of the method DELETE. */
const consuming = {
  '/api/units/{unit}/suggestions/{suggestion}/accept/': suggestion,
  '/api/units/{unit}/suggestions/{suggestion}/reject/': suggestion,
};

/** Whether what the path of a row names is there no longer after a success. */
export const consumes = (method, path) => method === 'DELETE' || path in consuming;

/** What to put into the path of a row, freshly made; {} where the world's own will do. */
const makers = {
  ...consuming,
  '/api/users/{username}/': async (admin) => {
    const username = unique('gone');
    await admin.post('/api/users/', { username, full_name: 'Gone', email: `${username}@example.com` });
    return { username };
  },
  '/api/users/{username}/notifications/{subscription}/': async (admin) => {
    const username = unique('gone');
    await admin.post('/api/users/', { username, full_name: 'Gone', email: `${username}@example.com` });
    return { username, subscription: (await makeSubscription(admin, username)).id };
  },
  '/api/users/{username}/tokens/{token}/': async (admin, world) => ({
    token: (await admin.post(`/api/users/${world.victim.username}/tokens/`, { name: unique('gone') })).id,
  }),
  // Without a password, deletion fails with 400, so the factor is reused.
  '/api/users/{username}/second-factors/{factor}/': (_admin, { victim }) => ({ factor: victim.factor }),
  '/api/users/{username}/groups/': () => ({}),
  '/api/groups/{group}/': async (admin, world) => ({ group: (await makeTeam(admin, world)).id }),
  '/api/roles/{role}/': async (admin) => ({
    role: (await admin.post('/api/roles/', { name: unique('gone'), permissions: ['unit.edit'] })).id,
  }),
  '/api/languages/{code}/': async (admin) => {
    const code = unique('xx');
    await admin.post('/api/languages/', {
      code,
      name: code,
      direction: 'ltr',
      population: 0,
      plural: { source: 0, number: 2, formula: 'n != 1' },
    });
    return { code };
  },
  // A separate project, which every caller who may delete the world's project may delete as well.
  '/api/projects/{project}/': async (admin, _world, kind, caller) => {
    const slug = unique('gone');
    const made = await admin.post('/api/projects/', { name: slug, slug, web: 'https://example.com/' });
    if (kind === 'own bot') {
      const token = await admin.post(`/api/projects/${slug}/tokens/`, { name: 'bot' });
      return { project: slug, client: makeApi(admin.base, token.token, checkedExchange) };
    }
    const administration = (await admin.all('/api/groups/?page_size=1000')).find(
      (g) => g.defining_project === made.url,
    );
    await admin.post(`/api/users/${caller.username}/groups/`, { group_id: administration.id });
    return { project: slug };
  },
  '/api/projects/{project}/fonts/{font}/': async (admin, world) => ({ font: (await makeFont(admin, world)).id }),
  '/api/projects/{project}/labels/{label}/': async (admin, world) => ({
    label: (await admin.post(`/api/projects/${world.project}/labels/`, { name: unique('gone'), color: 'red' })).id,
  }),
  '/api/projects/{project}/tokens/{token}/': async (admin, world) => ({
    token: (await admin.post(`/api/projects/${world.project}/tokens/`, { name: unique('gone') })).id,
  }),
  [T]: async (admin, world) => ({ component: await makeComponent(admin, world) }),
  [`${T}links/{project_slug}/`]: async (admin, world) => {
    const slug = unique('gone');
    await admin.post('/api/projects/', { name: slug, slug, web: 'https://example.com/' });
    await admin.post(`/api/components/${world.project}/example/links/`, { project_slug: slug });
    return { project_slug: slug };
  },
  [`${T}linked_components/{component_id}/`]: async (admin, world) => {
    const slug = await makeComponent(admin, world);
    return { component_id: (await admin.get(`/api/components/${world.project}/${slug}/`)).id };
  },
  '/api/projects/{project}/shared_components/{component_id}/': async (admin, world) => {
    const slug = await makeComponent(admin, { ...world, project: world.other }, world.project);
    await admin.post(`/api/components/${world.other}/${slug}/links/`, { project_slug: world.project });
    return { component_id: (await admin.get(`/api/components/${world.other}/${slug}/`)).id };
  },
  '/api/translations/{project}/{component}/{language}/': async (admin, world) => {
    const language = languages.shift();
    await admin.post(`/api/components/${world.project}/example/translations/`, { language_code: language });
    return { language };
  },
  '/api/tasks/{task}/': async (admin, world) => {
    const made = await startComponent(admin, world);
    return { task: made.task_url.split('/').at(-2) };
  },
  '/api/units/{unit}/': async (admin, world) => ({
    unit: (
      await admin.post(`/api/translations/${world.project}/example/cs/units/`, {
        source: [unique('gone')],
        target: ['x'],
        state: 20,
      })
    ).id,
  }),
  '/api/units/{unit}/comments/{comment}/': async (admin, world) => ({
    comment: (await makeComment(admin, world.unitId)).id,
  }),
  '/api/addons/{addon}/': async (admin, world, kind) => {
    const path = `/api/components/${world.project}/example/addons/`;
    return { addon: (await admin.post(path, addons[kind])).id };
  },
  '/api/categories/{category}/': async (admin, world) => ({
    category: (
      await admin.post('/api/categories/', { name: unique('gone'), slug: unique('gone'), project: world.projectUrl })
    ).id,
  }),
  '/api/component-lists/{list}/': async (admin) => {
    const slug = unique('gone');
    await admin.post('/api/component-lists/', { name: slug, slug });
    return { list: slug };
  },
  '/api/component-lists/{list}/components/{component_slug}/': async (admin, world) => {
    const slug = unique('gone');
    await admin.post('/api/component-lists/', { name: slug, slug });
    await admin.post(`/api/component-lists/${slug}/components/`, { component_id: world.componentId });
    return { list: slug };
  },
  '/api/memory/{memory}/': async (admin, world) => ({ memory: (await makeMemoryEntry(admin, world)).id }),
  '/api/screenshots/{screenshot}/': async (admin, world) => ({ screenshot: (await makeScreenshot(admin, world)).id }),
  '/api/screenshots/{screenshot}/units/{unit}/': async (admin, world) => {
    const { id } = await makeScreenshot(admin, world);
    await admin.post(`/api/screenshots/${id}/units/`, { unit_id: world.unitId });
    return { screenshot: id };
  },
};

/** Associations of a fresh team. */
/** @type {Record<string, [kind: string, value: (world: any) => unknown]>} */
const associations = {
  role_id: ['roles', (world) => world.roleId],
  project_id: ['projects', (world) => world.projectId],
  component_id: ['components', (world) => world.componentId],
  component_list_id: ['componentlists', (world) => world.params.component_list_id],
  language_code: ['languages', () => 'cs'],
  user_id: ['admins', (world) => world.victim.id],
};
for (const [field, [kind, value]] of Object.entries(associations))
  makers[`/api/groups/{group}/${kind}/{${field}}/`] = async (admin, world) => {
    const team = await makeTeam(admin, world);
    await admin.post(`/api/groups/${team.id}/${kind}/`, { [field]: value(world) });
    return { group: team.id };
  };

/** Creates a component without waiting for its import. It may share the repository of another project's example. */
async function startComponent(admin, world, owner = world.project) {
  const slug = unique('gone');
  return admin.post(`/api/projects/${world.project}/components/`, {
    name: slug,
    slug,
    vcs: 'git',
    repo: `parlance://${owner}/example`,
    filemask: 'po/*.po',
    new_base: 'po/example.pot',
    file_format: 'po',
  });
}

async function makeComponent(admin, world, owner = world.project) {
  const made = await startComponent(admin, world, owner);
  await admin.finished(made.task_url);
  return made.slug;
}

/**
 * Path parameters of an object to delete; `client` is set if another client than the caller's own must send the request.
 * @throws if the table has no entry for the endpoint
 */
export async function disposable(admin, world, path, kind, caller) {
  const make = makers[path];
  if (!make) throw new Error(`${path}: add an entry that creates an object to delete`);
  return make(admin, world, kind, caller);
}
