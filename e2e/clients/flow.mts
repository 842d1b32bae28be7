// The main flow with a client that is generated from /api/schema/. Compiled by tests/api/clients.e2e.ts next to the generated types.
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

const [baseUrl, token, slug, repo] = process.argv.slice(2) as [string, string, string, string];
const options = { baseUrl, headers: { Authorization: `Bearer ${token}` } };
// The API also answers with CSV; this client asks for JSON.
const client = createClient<paths, 'application/json'>(options);
const files = createClient<paths, 'application/octet-stream'>(options);

/** The data of a response. @throws the body of an error response */
function dataOf<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const project = dataOf(
  await client.POST('/api/projects/', { body: { name: slug, slug, web: 'https://example.com/' } }),
);
const component = dataOf(
  await client.POST('/api/projects/{project}/components/', {
    params: { path: { project: project.slug } },
    body: {
      name: 'Example',
      slug: 'example',
      vcs: 'git',
      repo,
      branch: 'main',
      filemask: 'po/*.po',
      new_base: 'po/example.pot',
      file_format: 'po',
    },
  }),
);

const task = component.task_url?.split('/').at(-2);
if (task === undefined) throw new Error('the new component has no task');
for (;;) {
  const { completed } = dataOf(await client.GET('/api/tasks/{task}/', { params: { path: { task } } }));
  if (completed) break;
  await new Promise((resolve) => setTimeout(resolve, 100));
}

const path = { project: project.slug, component: component.slug, language: 'cs' };
const at = '/api/translations/{project}/{component}/{language}';
const { results } = dataOf(
  await client.GET(`${at}/units/` as const, { params: { path, query: { q: 'source:="Good bye."' } } }),
);
const [unit] = results;
if (!unit) throw new Error('the string is missing');
const changed = dataOf(
  await client.PATCH('/api/units/{unit}/', {
    params: { path: { unit: unit.id } },
    body: { target: ['Sbohem.'], state: 20 },
  }),
);
const statistics = dataOf(await client.GET(`${at}/statistics/` as const, { params: { path } }));
const file = dataOf(await files.GET(`${at}/file/` as const, { params: { path }, parseAs: 'text' }));
const missing = await client.GET('/api/units/{unit}/', { params: { path: { unit: 999_999_999 } } });

process.stdout.write(
  JSON.stringify({
    target: changed.target,
    translated: statistics.translated,
    line: String(file).match(/msgid "Good bye\."\nmsgstr ".*"/)?.[0],
    code: missing.error?.errors[0]?.code,
  }),
);
