// npm run bench:lists: pages of long lists of a running Parlance, cold (after a change) and warm.
import { parseArgs } from 'node:util';
import { makeApi } from '../support/api.mjs';
import { exchange } from './support/exchange.mjs';
import { adminToken, DEFAULT_URL } from './support/setup.mjs';
import { exampleFiles, TestRepository } from '../support/repository.mjs';
import { together } from '../support/together.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: DEFAULT_URL },
    token: { type: 'string' },
    projects: { type: 'string', default: '1000' },
    components: { type: 'string', default: '5000' },
    requests: { type: 'string', default: '100' },
  },
});
const token = options.token ?? adminToken();
const api = makeApi(options.url, token, exchange);
const [projects, components, requests] = [options.projects, options.components, options.requests].map(Number);

const BUDGET_MS = 25;

/** Creates projects and components up to the requested numbers. Existing ones count. */
async function fill() {
  const had = (await api.get('/api/projects/?page_size=1')).count;
  const run = Date.now().toString(36);
  await together(
    Array.from(
      { length: Math.max(0, projects - had) },
      (_, i) => () =>
        api.post('/api/projects/', { name: `List ${run} ${i}`, slug: `list-${run}-${i}`, web: 'https://example.com/' }),
    ),
    4,
  );
  const missing = components - (await api.get('/api/components/?page_size=1')).count;
  if (missing <= 0) return;
  const repository = new TestRepository({ 'po/cs.po': exampleFiles()['po/cs.po'] });
  const slugs = (await api.all('/api/projects/?page_size=1000'))
    .map((p) => p.slug)
    .filter((s) => s.startsWith('list-'));
  const component = (i, repo) => ({
    name: `C ${run} ${i}`,
    slug: `c-${run}-${i}`,
    vcs: 'git',
    repo,
    filemask: 'po/*.po',
    file_format: 'po',
    new_lang: 'none',
    manage_units: false,
  });
  const first = await api.post(`/api/projects/${slugs[0]}/components/`, {
    ...component(0, repository.url),
    branch: 'main',
  });
  await api.finished(first.task_url);
  let done = 1;
  await together(
    Array.from({ length: missing - 1 }, (_, i) => async () => {
      await api.post(
        `/api/projects/${slugs[(i + 1) % slugs.length]}/components/`,
        component(i + 1, `parlance://${slugs[0]}/${first.slug}`),
      );
      if (++done % 500 === 0) process.stderr.write(`${done} components\n`);
    }),
    4,
  );
  repository.remove();
}

/**
 * p50 in milliseconds.
 *
 * @param {(index: number) => Promise<unknown>} before runs before each request and is not measured
 */
async function p50(path, count, before = async () => undefined) {
  const times = [];
  for (let i = 0; i < count; i++) {
    await before(i);
    const begun = performance.now();
    await api.get(path);
    times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b)[Math.floor(count / 2)];
}

await fill();
const [project] = (await api.get('/api/projects/?page_size=1')).results;
/** Advances the catalog generation, which invalidates all caches. */
const change = (i) => api.patch(`/api/projects/${project.slug}/`, { instructions: `${i}` });

const rows = [];
for (const list of ['projects', 'components']) {
  const { count } = await api.get(`/api/${list}/?page_size=1`);
  const last = Math.ceil(count / 50);
  for (const page of [1, Math.ceil(last / 2), last]) {
    const path = `/api/${list}/?page=${page}`;
    rows.push({
      list: `${list} (${count})`,
      page,
      'warm p50 ms': await p50(path, requests),
      'cold p50 ms': await p50(path, Math.ceil(requests / 4), change),
    });
  }
}
for (const row of rows)
  for (const key of ['warm p50 ms', 'cold p50 ms'])
    row[key] = `${row[key].toFixed(1)}${row[key] > BUDGET_MS ? ' (over)' : ''}`;
console.table(rows);
