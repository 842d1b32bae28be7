// npm run bench:propagation: edits that are copied to the same string of other components, such as branches of one project.
import { parseArgs } from 'node:util';
import { eventually, makeApi } from '../support/api.mjs';
import { unique } from '../support/forms.mjs';
import { exchange } from './support/exchange.mjs';
import { processorTimes } from './support/processor-times.mjs';
import { serveTexts } from './support/serve-texts.mjs';
import { adminToken, checkRateLimit, dataDir, DEFAULT_URL, median, percentile } from './support/setup.mjs';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: DEFAULT_URL },
    token: { type: 'string', default: adminToken() },
    components: { type: 'string', default: '1,5,20' },
    edits: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help || !values.token) {
  process.stdout.write(`npm run bench:propagation -- [--url URL] [--token T] [--components 1,5,20] [--edits 60]

Edits strings of a project whose components share all strings, one request after the other. Prints the duration of PATCH, and the processor
time of Parlance's processes and the store for each edit with its background work. Run it on the machine of npm start.
`);
  process.exit(values.help ? 0 : 1);
}
const edits = Number(values.edits);
const api = makeApi(values.url, values.token, exchange);
await checkRateLimit('Parlance', api);

/** Creates a project with components of one repository. @returns the strings of the first one, without plurals */
async function importComponents(project, url, components) {
  await api.post('/api/projects/', { name: project, slug: project, web: 'https://example.com/' });
  for (let n = 0; n < components; n++) {
    const made = await api.post(`/api/projects/${project}/components/`, {
      name: `Branch ${n}`,
      slug: `branch-${n}`,
      vcs: 'git',
      ...(n === 0 ? { repo: url, branch: 'main' } : { repo: `parlance://${project}/branch-0` }),
      filemask: 'po/*.po',
      new_base: 'po/bench.pot',
      file_format: 'po',
      push_on_commit: false,
      license: 'MIT',
    });
    await api.finished(made.task_url);
  }
  const { results } = await api.get(`/api/translations/${project}/branch-0/cs/units/?page_size=1000`);
  return results.filter(({ source }) => source.length === 1);
}

/** Resolves when the last component has the text. */
const reached = (project, components, text) =>
  eventually(
    () =>
      api.get(
        `/api/translations/${project}/branch-${components - 1}/cs/units/?q=${encodeURIComponent(`target:="${text}"`)}`,
      ),
    ({ count }) => count === 1,
  );

const total = (times, names) => names.reduce((sum, name) => sum + (times[name] ?? 0), 0);
const SERVICES = ['gateway', 'identity', 'catalog', 'translation', 'vcs-worker', 'media', 'statistics', 'hooks'];

const served = await serveTexts(['cs'], 4 * edits);
for (const components of values.components.split(',').map(Number)) {
  const project = unique('propagation');
  const units = await importComponents(project, served.url, components);
  const durations = [];
  let before = {};
  // The first edits warm caches and are not counted.
  for (const [n, unit] of units.slice(0, edits + 10).entries()) {
    if (n === 10) before = processorTimes(dataDir);
    const text = `${project} ${n}`;
    const start = performance.now();
    await api.patch(`/api/units/${unit.id}/`, { target: [text], state: 20 });
    if (n >= 10) durations.push(performance.now() - start);
    if (n === edits + 9) await reached(project, components, text);
  }
  const after = processorTimes(dataDir);
  const perEdit = (names) => ((total(after, names) - total(before, names)) / edits).toFixed(1);
  process.stdout.write(
    `${components} components: PATCH p50 ${median(durations).toFixed(1)} ms, p95 ${percentile(durations, 95).toFixed(1)} ms; ` +
      `processor time of an edit: services ${perEdit(SERVICES)} ms, of which translation ${perEdit(['translation'])}, store ${perEdit(['mongo'])} ms\n`,
  );
  await api.send('DELETE', `/api/projects/${project}/`);
}
served.stop();
