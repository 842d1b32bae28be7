// A project with at least one of each object that the API can show, and a hundred of most, for endpoints.mjs.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { makeApi } from '../../support/api.mjs';
import { font, form, pixel } from '../../support/forms.mjs';
import { TestRepository } from '../../support/repository.mjs';
import { together } from '../../support/together.mjs';
import { exchange } from '../support/exchange.mjs';
import { importComponent } from '../support/setup.mjs';
import { makeTexts } from '../support/texts.mjs';

const CODES = 'cs de fr es it pl pt ru uk sk hu ro nl sv da fi nb el tr bg ja ko'.split(' ');
/** Objects of most kinds: a full page. */
const MANY = 100;
/** A project holds no more fonts. */
const FONTS = 50;
/** Components: each is an import. */
const COMPONENTS = 20;

const command = fileURLToPath(new URL('../../../deploy/local/parlance.mjs', import.meta.url));

const fontForm = () => form({}, { field: 'font', bytes: font, filename: 'sample.ttf' });

function screenshotForm(project, name) {
  const fields = { name, project_slug: project, component_slug: 'bench', language_code: CODES[0] };
  return form(fields, { field: 'image', bytes: pixel, filename: 'pixel.png' });
}

/** Creates a second factor. Its owner proves its presence with a password, which only the operator's command sets. */
async function makeFactor(api, username, token) {
  const password = execFileSync(process.execPath, [command, 'user', 'reset-password', username], { encoding: 'utf8' });
  const owner = makeApi(api.base, token, exchange);
  return owner.post(`/api/users/${username}/second-factors/`, { name: 'phone', password: password.trim() });
}

/**
 * Creates the world.
 * @param {any} api
 * @param {number} languages
 * @param {number} strings
 * @param {{ many?: number, components?: number }} [sizes] of most lists, and of the lists of components
 * @returns `params`: values of path parameters, of which a benchmark requests one after the other; `remove` deletes everything
 */
export async function makeWorld(api, languages, strings, sizes = {}) {
  const { many: size = MANY, components = COMPONENTS } = sizes;
  const project = `endpoints-${Date.now().toString(36)}`;
  const codes = CODES.slice(0, languages);
  const [code] = codes;
  const repository = new TestRepository({
    ...makeTexts(codes, strings),
    'locale/en.json': '{"title": "Title"}\n',
    [`locale/${code}.json`]: '{"title": ""}\n',
  });
  const owned = [`/api/projects/${project}/`];
  /** Creates an object that does not belong to the project. */
  const create = async (list, body, key) => {
    const object = await api.post(list, body);
    owned.push(`${list}${object[key]}/`);
    return object;
  };
  const many = (make, count = size) =>
    together(
      Array.from({ length: count }, (_, i) => () => make(i)),
      4,
    );

  const component = await importComponent(api, project, repository.url, (languages + 1) * strings);
  await api.finished(component.task_url);
  const ownPath = `/api/projects/${project}`;
  const componentPath = `/api/components/${project}/bench`;
  const { url: projectUrl } = await api.get(`${ownPath}/`);
  await many(async (i) => {
    const slug = `monolingual-${i}`;
    const linked = await api.post(`${ownPath}/components/`, {
      name: slug,
      slug,
      vcs: 'git',
      repo: `parlance://${project}/bench`,
      filemask: 'locale/*.json',
      template: 'locale/en.json',
      file_format: 'json',
      push_on_commit: false,
    });
    await api.finished(linked.task_url);
  }, components);

  const units = await api.all(`/api/translations/${project}/bench/${code}/units/?page_size=1000`);
  const [sourceUnit] = (await api.get(`/api/translations/${project}/bench/en/units/?page_size=1`)).results;
  const singular = units.filter((unit) => unit.source.length === 1);
  await many((i) => api.patch(`/api/units/${singular[i % singular.length].id}/`, { target: [`Edit ${i}`], state: 20 }));
  const discussed = singular[0].id;
  await many((i) => api.post(`/api/units/${discussed}/comments/`, { comment: `Comment ${i}`, scope: 'translation' }));
  await many((i) => api.post(`/api/units/${discussed}/suggestions/`, { target: [`Suggestion ${i}`] }));

  const labels = await many((i) => api.post(`${ownPath}/labels/`, { name: `label ${i}`, color: 'red' }));
  const categories = await many((i) =>
    api.post('/api/categories/', { name: `Category ${i}`, slug: `category-${i}`, project: projectUrl }),
  );
  const screenshots = await many((i) => api.post('/api/screenshots/', screenshotForm(project, `shot ${i}`)));
  const fonts = await many(() => api.post(`${ownPath}/fonts/`, fontForm()), Math.min(size, FONTS));
  const addon = await api.post(`${componentPath}/addons/`, {
    name: 'weblate.removal.suggestions',
    configuration: { age: 30, votes: 0 },
  });
  const projectTokens = await many((i) => api.post(`${ownPath}/tokens/`, { name: `token ${i}` }));
  const projects = await many((i) => {
    const slug = `${project}-${i}`;
    return create('/api/projects/', { name: slug, slug, web: 'https://example.com/' }, 'slug');
  });
  await many((i) => api.post(`${componentPath}/links/`, { project_slug: projects[i].slug }), components);
  const lists = await many((i) => {
    const slug = `${project}-list-${i}`;
    return create('/api/component-lists/', { name: slug, slug }, 'slug');
  });
  await api.post(`/api/component-lists/${lists[0].slug}/components/`, { component_id: component.id });
  const roles = await many((i) =>
    create('/api/roles/', { name: `${project} role ${i}`, permissions: ['unit.edit'] }, 'id'),
  );
  const groups = await many((i) => create('/api/groups/', { name: `${project} team ${i}` }, 'id'));
  const entries = await many((i) =>
    api.post('/api/memory/', {
      source: `Source ${i}`,
      target: `Target ${i}`,
      origin: project,
      project,
      source_language: 'en',
      target_language: code,
    }),
  );

  const users = await many((i) => {
    const username = `${project}-user-${i}`;
    return create('/api/users/', { username, full_name: username, email: `${username}@example.com` }, 'username');
  });
  const { username } = users[0];
  const notification = await api.post(`/api/users/${username}/notifications/`, {
    notification: 'RepositoryNotification',
    scope: 10,
    frequency: 1,
  });
  const personalTokens = await many((i) => api.post(`/api/users/${username}/tokens/`, { name: `token ${i}` }));
  const factor = await makeFactor(api, username, personalTokens[0].token);
  const changes = await api.get(`${ownPath}/changes/?page_size=${size}`);
  const ids = (objects) => objects.map(({ id }) => id);

  const remove = async () => {
    for (const path of owned.reverse()) await api.send('DELETE', path);
    repository.remove();
  };
  /** @type {Record<string, (string | number)[]>} */
  const params = {
    project: [project],
    component: ['bench'],
    monolingual: ['monolingual-0'],
    language: [code],
    code: [code],
    unit: ids(units),
    singularUnit: ids(singular),
    sourceUnit: [sourceUnit.id],
    discussedUnit: [discussed],
    label: ids(labels),
    category: ids(categories),
    screenshot: ids(screenshots),
    font: ids(fonts),
    addon: [addon.id],
    projectToken: ids(projectTokens),
    personalToken: ids(personalTokens),
    otherProject: [projects[0].slug],
    list: [lists[0].slug],
    role: ids(roles),
    group: ids(groups),
    memory: ids(entries),
    username: [username],
    subscription: [notification.id],
    factor: [factor.id],
    change: ids(changes.results),
    check: ['end_stop'],
    task: [component.task_url.split('/').at(-2)],
  };
  return { units, params, remove };
}
