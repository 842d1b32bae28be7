// Puts markup into every text field of every request of the API. The fields come from /api/schema/, so new ones are covered.
import { consumes, disposable } from './disposable.mjs';
import { exampleSettings } from './system.mjs';
import { form, makeSuggestion, pixel, unique } from './worlds.mjs';

/** Scripts and elements that must remain text; the longest one that fits is used. */
export const payloads = [
  `"'><img src=x onerror=alert(1) data-hostile><script data-hostile>alert(2)</script><a data-hostile href="javascript:alert(3)">`,
  `"'><img src=x onerror=alert(1) data-hostile>`,
  '<b data-hostile>',
];
/** The beginning of every payload as a page must show it, and as an element of a page would match it. */
export const MARK = 'data-hostile';

const plain = (schema) => (schema.anyOf ? (schema.anyOf.find(({ type }) => type !== 'null') ?? schema) : schema);

/** Whether a value of the field is a text of the caller's choice. */
const isText = ({ type, enum: choices, readOnly }) => !readOnly && type === 'string' && !choices;

/** A unique text with markup. @param shorter how many of the longest payloads are left out */
function hostile({ maxLength = 1000 }, shorter) {
  const word = unique('h');
  const texts = payloads.slice(shorter).map((payload) => word + payload);
  return texts.find((text) => text.length <= maxLength) ?? payloads.at(-1);
}

/** A value with markup for a field; undefined if the field takes no texts. */
function hostileValue(schema, shorter = 0) {
  const value = plain(schema);
  if (isText(value)) return hostile(value, shorter);
  const item = value.type === 'array' && value.items ? plain(value.items) : undefined;
  return item && isText(item) ? [hostile(item, shorter)] : undefined;
}

/** Values of fields that take no markup but are required. */
function ordinaryValues({ params, project, projectUrl, projectId, componentId, repository, unitId, roleId, victim }) {
  const { name, ...settings } = exampleSettings(repository, unique('c'));
  return {
    ...settings,
    name: unique(name),
    username: unique('u'),
    full_name: 'U',
    email: `${unique('u')}@example.com`,
    code: unique('l'),
    plural: { source: 0, number: 2, formula: 'n != 1' },
    web: 'https://example.com/',
    permissions: ['unit.edit'],
    project: projectUrl,
    defining_project: projectUrl,
    project_slug: project,
    component_slug: 'example',
    language_code: 'cs',
    source_language: 'en',
    target_language: 'cs',
    origin: project,
    group_id: params.group,
    role_id: roleId,
    project_id: projectId,
    component_id: componentId,
    component_list_id: params.component_list_id,
    user_id: victim.id,
    unit_id: unitId,
    scope: 'translation',
    state: 20,
    color: 'red',
    password: victim.password,
  };
}

const placeholders = /\{(\w+)\}/g;
/** The path of a row with the objects of a world. */
export const pathOf = (pattern, params) =>
  pattern.replaceAll(placeholders, (_, name) => {
    if (!(name in params)) throw new Error(`${pattern}: no world has a ${name}`);
    return encodeURIComponent(String(params[name]));
  });

/** Requests with a body of JSON; PUT only where the path has no PATCH. */
function* writesOf(paths) {
  for (const [path, methods] of Object.entries(paths)) {
    if (!path.startsWith('/api/')) continue;
    for (const method of ['post', 'put', 'patch']) {
      const schema = methods[method]?.requestBody?.content['application/json']?.schema;
      if (schema && !(method === 'put' && methods.patch)) yield { method: method.toUpperCase(), path, schema };
    }
  }
}

/** Files of requests that are uploads; their names hold markup, too. */
const uploads = {
  image: { field: 'image', bytes: pixel, filename: `${payloads[1]}.png` },
  file: { field: 'file', bytes: Buffer.from('msgid ""\nmsgstr ""\n'), filename: `${payloads[1]}.po` },
};
const uploadOf = (path) =>
  path.startsWith('/api/screenshots/') ? uploads.image : path.endsWith('/file/') ? uploads.file : undefined;

/** A body as JSON, or as a form with a file if the request is an upload. */
const encoded = ({ method, path }, body) => (uploadOf(path) && method !== 'PATCH' ? form(body, uploadOf(path)) : body);

/** Fields that have a second name in messages. */
const aliases = { author_name: 'author', author_email: 'email' };

const COMPONENT = '/api/components/{project}/{component}/';
const UNIT = '/api/units/{unit}/';
const DECISIONS = '/api/translations/{project}/{component}/{language}/suggestions/';

/** The objects, callers and values of requests that are unlike the others. */
async function exceptionOf(admin, world, { method, path }) {
  // Only the owner makes second factors, with the password or a code.
  if (path.startsWith('/api/users/{username}/second-factors/'))
    return { client: world.victim.client, values: { code: undefined } };
  // Short names in place of addresses.
  if (path === '/api/memory/') return { values: { project: world.project } };
  // Explanations and flags belong to source strings.
  if (method === 'PATCH' && path === UNIT) return { omitted: ['explanation', 'extra_flags'] };
  if (path !== DECISIONS) return {};
  const { id } = await makeSuggestion(admin, world.unitId);
  return { values: { action: 'reject', suggestions: [id] } };
}

/** Sends a body until every field of it is taken or replaced. Returns the fields that hold markup, and the last answer. */
async function fill(client, write, address, ordinary, omitted = []) {
  const { method, schema } = write;
  const { properties = {}, required = [] } = schema;
  const body = {};
  const held = new Set();
  const shortened = new Map();
  for (const [field, rules] of Object.entries(properties)) {
    const value = omitted.includes(field) ? undefined : hostileValue(rules);
    if (value !== undefined) held.add(field);
    if (value !== undefined) body[field] = value;
    else if (required.includes(field)) body[field] = ordinary[field] ?? plain(rules).enum?.[0];
  }
  for (let attempts = 0; ; attempts++) {
    const answer = await client.send(method, address, encoded(write, body));
    if (answer.status !== 400 || attempts > 8) return { held, answer };
    const wrong = new Map();
    for (const { attr, code } of answer.body.errors ?? []) {
      const [field] = attr?.split('.', 1) ?? [];
      wrong.set(held.has(field) ? field : (aliases[field] ?? field), code);
    }
    const known = [...wrong].filter(([field]) => held.has(field));
    if (known.length === 0) return { held, answer };
    for (const [field, code] of known) {
      const shorter = (shortened.get(field) ?? 0) + 1;
      shortened.set(field, shorter);
      // Not every limit is documented.
      if (code === 'max_length' && shorter < payloads.length) {
        body[field] = hostileValue(properties[field], shorter);
        continue;
      }
      held.delete(field);
      if (ordinary[field] !== undefined && method !== 'PATCH') body[field] = ordinary[field];
      else delete body[field];
    }
  }
}

/**
 * Writes markup into every text field of the objects of a world.
 * @returns fields that took it (`POST /api/projects/ name`), requests that failed for another reason, with the answer, and the slug of a
 *   component of its own, because settings such as `language_regex` change what is imported
 */
export async function fillWithHostileTexts(admin, world) {
  const { paths } = await admin.get('/api/schema/');
  const spare = await disposable(admin, world, COMPONENT, 'site admin', { username: 'admin' });
  const taken = [];
  const failed = [];
  for (const write of writesOf(paths)) {
    const key = `${write.method} ${write.path}`;
    if (!Object.values(write.schema.properties ?? {}).some((rules) => hostileValue(rules) !== undefined)) continue;
    const made = consumes(write.method, write.path)
      ? await disposable(admin, world, write.path, 'site admin', { username: 'admin' })
      : write.path === COMPONENT
        ? spare
        : {};
    const address = pathOf(write.path, { ...world.params, ...made });
    const { client = admin, values = {}, omitted } = await exceptionOf(admin, world, write);
    const { held, answer } = await fill(client, write, address, { ...ordinaryValues(world), ...values }, omitted);
    if (answer.status < 300) taken.push(...[...held].map((field) => `${key} ${field}`));
    else if (held.size > 0) failed.push(`${key}: ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 200)}`);
  }
  return { taken, failed, paths, component: spare.component };
}
