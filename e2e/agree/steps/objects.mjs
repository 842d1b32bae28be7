// The whole life cycle of every object of the API: create, read, update, relate, list and delete, with invalid bodies in between.
import { makeWorld } from '../world.mjs';
import { addons } from './objects/projects/addons.mjs';
import { categories } from './objects/projects/categories.mjs';
import { componentLists } from './objects/projects/component-lists.mjs';
import { components } from './objects/projects/components.mjs';
import { endings } from './objects/endings.mjs';
import { groups } from './objects/accounts/groups.mjs';
import { hooks } from './objects/projects/hooks.mjs';
import { labels } from './objects/projects/labels.mjs';
import { languages } from './objects/projects/languages.mjs';
import { lists } from './objects/lists.mjs';
import { machinery } from './objects/projects/machinery.mjs';
import { memory } from './objects/strings/memory.mjs';
import { notifications } from './objects/accounts/notifications.mjs';
import { projects } from './objects/projects/projects.mjs';
import { roles } from './objects/accounts/roles.mjs';
import { screenshots } from './objects/strings/screenshots.mjs';
import { translations } from './objects/strings/translations.mjs';
import { users } from './objects/accounts/users.mjs';

const tables = {
  users,
  notifications,
  groups,
  roles,
  languages,
  labels,
  projects,
  categories,
  components,
  translations,
  'component lists': componentLists,
  screenshots,
  addons,
  machinery,
  hooks,
  memory,
  lists,
  endings,
};

const HEADERS = ['content-type', 'allow'];

/** Replaces `$name` with the value that the side stored under this name. */
function fill(value, names) {
  if (typeof value === 'string') {
    const whole = /^\$([a-z]\w*)$/.exec(value);
    if (whole) return names.get(whole[1]) ?? value;
    return value.replace(/\$\{?([a-z]\w*)\}?/g, (text, name) => names.get(name) ?? text);
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, names));
  if (value !== null && typeof value === 'object' && !(value instanceof FormData))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, names)]));
  return value;
}

/**
 * Runs the tables. A row is `[method, path, body?, remember?]`: `$name` is a stored value, `remember` maps names to keys of
 * the response. A body `{form: {...}, file?: {...}}` is sent as multipart form.
 */
export async function objects({ sides, remotes, project: p, only, done = console.log }) {
  await makeWorld({ sides, remotes, project: p }, ['po', 'json']);
  const stamp = p.split('-').at(-1);
  for (const side of sides.both) {
    side.names = new Map([
      ['p', p],
      ['s', stamp],
      ['base', side.base],
    ]);
    const first = await side.get(`/api/units/?page_size=1&q=${encodeURIComponent(`project:="${p}" AND language:en`)}`);
    side.names.set('unit', first.results[0].id);
    const other = await side.get(`/api/units/?page_size=1&q=${encodeURIComponent(`project:="${p}" AND language:cs`)}`);
    side.names.set('target', other.results[0].id);
    for (const slug of ['po', 'json'])
      side.names.set(`${slug}Id`, (await side.get(`/api/components/${p}/${slug}/`)).id);
    side.names.set('repo', (await side.get(`/api/components/${p}/po/`)).repo);
    side.names.set('projectId', (await side.get(`/api/projects/${p}/`)).id);
  }
  for (const [name, rows] of Object.entries(tables)) {
    if (only && !only.includes(name)) continue;
    for (const [method, path, body, remember = {}] of rows) {
      const title = `${name}: ${method} ${path} ${body === undefined ? '' : JSON.stringify(body)}`;
      const answers = await sides.step(
        'objects',
        title,
        method,
        (side) => fill(path, side.names),
        (side) => payload(fill(body, side.names)),
        { headers: HEADERS, sortBy: /\$unit\/translations\/$/.test(path) ? 'language_code' : '' },
      );
      for (const [key, field] of Object.entries(remember))
        for (const [index, side] of sides.both.entries()) side.names.set(key, answers[index].body?.[field]);
    }
    done(name);
  }
}

function payload(body) {
  if (!body?.form) return body;
  const data = new FormData();
  for (const [key, value] of Object.entries(body.form)) data.set(key, value);
  for (const [key, { name, bytes }] of Object.entries(body.files ?? {}))
    data.set(key, new Blob([Buffer.from(bytes, 'base64')]), name);
  return data;
}
