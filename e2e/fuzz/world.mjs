// Objects that fuzzed requests name.
import { font, form, pixel } from '../support/forms.mjs';

/** Number of projects; requests change and delete some. */
const PROJECTS = 4;

/**
 * Creates projects with all kinds of objects.
 * @returns values by path parameter, and path parameters that belong together
 */
export async function makeWorld(api, repository) {
  const stamp = Date.now().toString(36);
  /** @type {Record<string, Record<string, string>[]>} */
  const together = { translation: [], component: [] };
  /** @type {Record<string, (string | number)[]>} */
  const values = {};
  const add = (name, ...found) => (values[name] ??= []).push(...found);
  for (let i = 0; i < PROJECTS; i++) {
    const project = `fuzz-${stamp}-${i}`;
    const component = 'web';
    const path = `${project}/${component}`;
    await api.post('/api/projects/', { name: project, slug: project, web: 'https://example.com/' });
    const made = await api.post(`/api/projects/${project}/components/`, {
      name: 'Web',
      slug: component,
      vcs: 'git',
      repo: repository.url,
      branch: 'main',
      filemask: 'po/*.po',
      new_base: 'po/example.pot',
      file_format: 'po',
      suggestion_voting: true,
    });
    add('task', made.task_url.split('/').at(-2));
    await api.finished(made.task_url);
    add('project', project);
    add('project_slug', project);
    together.component.push({ project, component });
    for (const language of ['cs', 'de']) together.translation.push({ project, component, language });
    const units = await api.all(`/api/translations/${path}/cs/units/`);
    add('unit', ...units.map(({ id }) => id));
    const { id } = units[0];
    add('suggestion', (await api.post(`/api/units/${id}/suggestions/`, { target: ['Nazdar'] })).id);
    add('comment', (await api.post(`/api/units/${id}/comments/`, { scope: 'translation', comment: 'Note' })).id);
    add(
      'category',
      (await api.post('/api/categories/', { project: `/api/projects/${project}/`, name: 'Sub', slug: 'sub' })).id,
    );
    add('label', (await api.post(`/api/projects/${project}/labels/`, { name: 'Label', color: 'red' })).id);
    const list = `list-${stamp}-${i}`;
    await api.post('/api/component-lists/', { name: list, slug: list, show_dashboard: true, auto_assign: [] });
    add('list', list);
    const place = { name: 'Shot', project_slug: project, component_slug: component, language_code: 'cs' };
    const shot = form(place, { field: 'image', bytes: pixel, filename: 'shot.png' });
    const screenshot = await api.send('POST', '/api/screenshots/', shot);
    if (screenshot.status === 201) add('screenshot', Number(screenshot.body.url.split('/').at(-2)));
    const face = form({}, { field: 'font', bytes: font, filename: 'sample.ttf' });
    add('font', (await api.post(`/api/projects/${project}/fonts/`, face)).id);
    const username = `user-${stamp}-${i}`;
    await api.post('/api/users/', { username, full_name: 'Ann', email: `${username}@example.com` });
    add('username', username);
    const group = await api.post('/api/groups/', { name: username, project_selection: 0, language_selection: 0 });
    add('group', group.id);
  }
  const id = ({ url }) => Number(url.split('/').at(-2));
  add('role', ...(await api.all('/api/roles/')).map(id));
  add('change', ...(await api.get('/api/changes/')).results.map((change) => change.id));
  const users = (await api.all('/api/users/')).map((user) => user.id);
  add('user_id', ...users.slice(-PROJECTS));
  Object.assign(values, {
    code: ['cs', 'de', 'en'],
    language: ['cs', 'de', 'en'],
    language_code: ['cs', 'de'],
    component: ['web'],
    component_slug: ['web'],
    component_id: [1, 2, 3],
    component_list_id: [1, 2, 3],
    project_id: [1, 2, 3],
    role_id: [1, 2],
    check: ['end_stop', 'same'],
    provider: ['github', 'gitlab'],
    addon: [1],
    factor: [1],
    memory: [1, 2],
    subscription: [1],
    token: [900],
  });
  return { values, together: [together.translation, together.component] };
}
