// Projects that contain one of each object, and callers of every kind, for tests that cover the whole API.
import { randomUUID } from 'node:crypto';
import { makeApi } from './api.mjs';
import { checkedExchange } from './checked-exchange.mjs';
import { font, form, pixel, unique } from './forms.mjs';
import { makeRemote } from './remotes.mjs';
import { exampleFiles } from './repository.mjs';
import { exampleSettings, parlance } from './system.mjs';

export { font, form, pixel, unique };

/**
 * A user with a subscription, a personal token and a second factor, and its client.
 * @param {{command?: (...args: string[]) => string | Promise<string>, exchange?: typeof checkedExchange}} [given] the operator's command,
 *   by default that of the system under test; sends the requests of the client
 */
export async function makeVictim(admin, given = {}) {
  const { command = parlance, exchange = checkedExchange } = given;
  const username = unique('victim');
  const user = await admin.post('/api/users/', { username, full_name: 'Victim', email: `${username}@example.com` });
  const subscription = await makeSubscription(admin, username);
  const token = await admin.post(`/api/users/${username}/tokens/`, { name: 'spare' });
  const client = makeApi(admin.base, token.token, exchange);
  const password = await command('user', 'reset-password', username);
  const factor = await client.post(`/api/users/${username}/second-factors/`, { name: 'spare', password });
  const ids = { id: user.id, subscription: subscription.id, token: token.id, factor: factor.id };
  return { username, password, ...ids, client };
}

/** Creates a subscription that the user does not have yet. */
export async function makeSubscription(admin, username) {
  const had = new Set(
    (await admin.all(`/api/users/${username}/notifications/`)).map((s) => `${s.notification} ${s.scope}`),
  );
  for (const notification of [
    'RepositoryNotification',
    'LockNotification',
    'NewSuggestionNotificaton',
    'NewAlertNotificaton',
  ])
    for (const scope of [0, 10, 20])
      if (!had.has(`${notification} ${scope}`))
        return admin.post(`/api/users/${username}/notifications/`, { notification, scope, frequency: 1 });
  throw new Error('the user has all subscriptions');
}

const component = (repository, { slug, ...change }) => ({
  ...exampleSettings(repository, slug),
  push: repository.url,
  new_lang: 'add',
  push_on_commit: false,
  manage_units: true,
  ...change,
});

/** Creates an entry of a project's translation memory. */
export async function makeMemoryEntry(admin, { project }) {
  const languages = { source_language: 'en', target_language: 'cs' };
  return admin.post('/api/memory/', { source: unique('text'), target: 'Text', origin: project, project, ...languages });
}

/** A comment on a string. */
export const makeComment = (admin, unit) =>
  admin.post(`/api/units/${unit}/comments/`, { comment: unique('remark'), scope: 'translation' });

/** A suggestion for a string. */
export const makeSuggestion = (admin, unit) =>
  admin.post(`/api/units/${unit}/suggestions/`, { target: [unique('suggested')] });

/** A screenshot of a translation. */
export const makeScreenshot = (admin, world, fields = {}) =>
  admin.post(
    '/api/screenshots/',
    form(
      { name: unique('shot'), project_slug: world.project, component_slug: 'example', language_code: 'cs', ...fields },
      { field: 'image', bytes: pixel, filename: 'pixel.png' },
    ),
  );

/** A font of a project. @param {Buffer} bytes */
export const makeFont = (admin, { project }, bytes = font) =>
  admin.post(`/api/projects/${project}/fonts/`, form({}, { field: 'font', bytes, filename: 'sample.ttf' }));

/** Creates a team of the world's project. */
export const makeTeam = (admin, world) =>
  admin.post('/api/groups/', { name: unique('team'), defining_project: world.projectUrl });

/**
 * Creates a project that contains one of each object.
 * @param access 0 public, 100 private
 * @param options `fonts`: false for versions without fonts
 * @returns its objects, and `params`: the values of path parameters
 */
export async function makeWorld(admin, access, victim, { fonts = true } = {}) {
  const files = exampleFiles();
  const word = unique('secret');
  files['po/cs.po'] = files['po/cs.po'].replace('Ahoj, světe!', `Ahoj, ${word}!`);
  files['locale/en.json'] = `{"title": "Title of ${word}"}\n`;
  files['locale/cs.json'] = '{"title": ""}\n';
  const repository = makeRemote(files);
  const project = unique(access === 100 ? 'hidden' : 'open');
  const made = await admin.post('/api/projects/', { name: project, slug: project, web: 'https://example.com/' });
  if (access !== 0) await admin.patch(`/api/projects/${project}/`, { access_control: access });
  const world = { access, project, projectId: made.id, projectUrl: made.url, word, repository, victim };
  const list = `/api/projects/${project}/components/`;
  const example = await admin.post(list, component(repository, { name: 'Example', slug: 'example' }));
  await admin.finished(example.task_url);
  const mono = await admin.post(
    list,
    component(repository, {
      name: 'Mono',
      slug: 'mono',
      repo: `parlance://${project}/example`,
      push: '',
      branch: '',
      filemask: 'locale/*.json',
      template: 'locale/en.json',
      new_base: '',
      file_format: 'json',
    }),
  );
  await admin.finished(mono.task_url);
  const units = await admin.all(`/api/translations/${project}/example/cs/units/`);
  const sources = await admin.all(`/api/translations/${project}/example/en/units/`);
  const [label, category, screenshot, team, token, addon, changes] = await Promise.all([
    admin.post(`/api/projects/${project}/labels/`, { name: unique('label'), color: 'red' }),
    admin.post('/api/categories/', { name: 'Category', slug: unique('c'), project: made.url }),
    makeScreenshot(admin, world),
    makeTeam(admin, world),
    admin.post(`/api/projects/${project}/tokens/`, { name: unique('spare') }),
    admin.post(`/api/components/${project}/example/addons/`, {
      name: 'weblate.removal.suggestions',
      configuration: { age: 30, votes: 0 },
    }),
    admin.get(`/api/projects/${project}/changes/`),
  ]);
  const memory = await makeMemoryEntry(admin, world);
  const projectFont = fonts ? await makeFont(admin, world) : { id: 0 };
  const suggestion = await makeSuggestion(admin, units[0].id);
  const comment = await makeComment(admin, units[0].id);
  const componentList = await admin.post('/api/component-lists/', { name: unique('list'), slug: unique('list') });
  await admin.post(`/api/component-lists/${componentList.slug}/components/`, { component_id: example.id });
  await admin.post(`/api/screenshots/${screenshot.id}/units/`, { unit_id: units[0].id });
  const role = await admin.post('/api/roles/', { name: unique('role'), permissions: ['unit.edit'] });
  for (const [kind, body] of Object.entries({
    roles: { role_id: role.id },
    projects: { project_id: made.id },
    components: { component_id: example.id },
    componentlists: { component_list_id: componentList.id },
    languages: { language_code: 'cs' },
    admins: { user_id: victim.id },
  }))
    await admin.post(`/api/groups/${team.id}/${kind}/`, body);
  const other = await admin.post('/api/projects/', {
    name: `${project}-2`,
    slug: `${project}-2`,
    web: 'https://example.com/',
  });
  if (access !== 0) await admin.patch(`/api/projects/${project}-2/`, { access_control: access });
  await admin.post(`/api/components/${project}/example/links/`, { project_slug: other.slug });
  return {
    ...world,
    componentId: example.id,
    monoId: mono.id,
    unitId: units[0].id,
    sourceUnitId: sources[0].id,
    roleId: role.id,
    teamId: team.id,
    other: other.slug,
    params: {
      project,
      component: 'example',
      language: 'cs',
      code: 'cs',
      unit: units[0].id,
      font: projectFont.id,
      label: label.id,
      category: category.id,
      screenshot: screenshot.id,
      addon: addon.id,
      change: changes.results[0].id,
      group: team.id,
      token: token.id,
      list: componentList.slug,
      component_slug: 'example',
      project_slug: other.slug,
      role: role.id,
      task: example.task_url.split('/').at(-2),
      provider: 'github',
      check: 'end_stop',
      suggestion: suggestion.id,
      comment: comment.id,
      memory: memory.id,
      username: victim.username,
      subscription: victim.subscription,
      factor: victim.factor,
      role_id: role.id,
      project_id: made.id,
      component_id: example.id,
      component_list_id: componentList.id,
      language_code: 'cs',
      user_id: victim.id,
    },
  };
}

/** Clients of every kind of caller of a world's project. */
export async function makeCallers(admin, world) {
  const [translate] = (await admin.all('/api/roles/')).filter((r) => r.name === 'Translate');
  const someone = async (kind) => {
    const username = unique(kind);
    const client = makeApi(
      admin.base,
      parlance('user', 'create', username, '--email', `${username}@example.com`, '--token'),
    );
    return { username, client };
  };
  const [stranger, member, manager, other] = await Promise.all([
    someone('stranger'),
    someone('member'),
    someone('manager'),
    admin.post('/api/projects/', { name: unique('far'), slug: unique('far'), web: 'https://example.com/' }),
  ]);
  const team = await makeTeam(admin, world);
  await admin.post(`/api/groups/${team.id}/roles/`, { role_id: translate.id });
  await admin.patch(`/api/groups/${team.id}/`, { language_selection: 1 });
  await admin.post(`/api/groups/${team.id}/projects/`, { project_id: world.projectId });
  await admin.post(`/api/users/${member.username}/groups/`, { group_id: team.id });
  const administration = (await admin.all('/api/groups/?page_size=1000')).find(
    (g) => g.defining_project === world.projectUrl && g.name === 'Administration',
  );
  await admin.post(`/api/users/${manager.username}/groups/`, { group_id: administration.id });
  const bot = async (project) => {
    const token = await admin.post(`/api/projects/${project}/tokens/`, { name: unique('bot') });
    const client = makeApi(admin.base, token.token, checkedExchange);
    const [user] = await client.all('/api/users/');
    return { username: user.username, client };
  };
  return {
    anonymous: { username: 'anonymous', client: makeApi(admin.base) },
    stranger,
    member,
    manager,
    'site admin': { username: 'admin', client: admin },
    'own bot': await bot(world.project),
    'foreign bot': await bot(other.slug),
  };
}

/** Ids that no object has. */
export const nothing = { number: 999_999_999, uuid: randomUUID() };
