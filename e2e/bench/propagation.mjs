// npm run bench:propagation: edits that are copied to the same string of other components, such as branches of one project.
import { parseArgs } from 'node:util';
import { processes } from '../../deploy/local/processes.mjs';
import { eventually, makeApi } from '../support/api.mjs';
import { unique } from '../support/forms.mjs';
import { exchange } from './support/exchange.mjs';
import { processorTimes } from './support/processor-times.mjs';
import { serveTexts } from './support/serve-texts.mjs';
import {
  adminToken,
  benchComponent,
  checkRateLimit,
  dataDir,
  DEFAULT_URL,
  median,
  percentile,
} from './support/setup.mjs';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: DEFAULT_URL },
    token: { type: 'string', default: adminToken() },
    peer: { type: 'string' },
    'peer-token': { type: 'string' },
    components: { type: 'string', default: '1,5,20' },
    edits: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help || !values.token) {
  process.stdout
    .write(`npm run bench:propagation -- [--url URL] [--token T] [--peer URL --peer-token T] [--components 1,5,20] [--edits 60]

Edits strings of a project whose components share all strings, one request after the other. Prints the duration of PATCH, and the processor
time of Parlance's processes and the store for each edit with its background work. Run it on the machine of npm start. With --peer, the
same edits follow on the peer (docs/glossary.md).
`);
  process.exit(values.help ? 0 : 1);
}
const edits = Number(values.edits);
/** First edits, which warm caches and are not counted. */
const WARM_UP = 10;
/** Longest time in which a server imports a component, or finishes copies, in milliseconds. */
const PATIENCE_MS = 300_000;

const stringsOf = (api, project, n) => (query) =>
  api.get(`/api/translations/${project}/branch-${n}/cs/units/?${query}`);

/** Creates a project with components of one repository. @returns the strings of the first one, without plurals */
async function importComponents(api, project, repo, components) {
  await api.post('/api/projects/', { name: project, slug: project, web: 'https://example.com/' });
  for (let n = 0; n < components; n++) {
    await api.post(`/api/projects/${project}/components/`, benchComponent(`Branch-${n}`, repo));
    const imported = async () =>
      (await api.get(`/api/components/${project}/branch-${n}/statistics/?page_size=100`)).results;
    await eventually(imported, (rows) => rows.some(({ code, total }) => code === 'cs' && total > 0), PATIENCE_MS);
  }
  const { results } = await stringsOf(api, project, 0)('page_size=1000');
  return results.filter(({ source }) => source.length === 1);
}

/**
 * Edits strings one after the other. Resolves when the last component has the last text.
 * @param {() => void} onWarm called before the first edit that counts
 * @returns the durations in milliseconds
 */
async function measureEdits(api, project, units, components, onWarm) {
  const durations = [];
  let text = '';
  for (const [n, { id }] of units.slice(0, WARM_UP + edits).entries()) {
    if (n === WARM_UP) onWarm();
    text = `${project} ${n}`;
    const start = performance.now();
    await api.patch(`/api/units/${id}/`, { target: [text], state: 20 });
    if (n >= WARM_UP) durations.push(performance.now() - start);
  }
  const copies = stringsOf(api, project, components - 1);
  await eventually(
    () => copies(`q=${encodeURIComponent(`target:="${text}"`)}`),
    ({ count }) => count === 1,
    PATIENCE_MS,
  );
  return durations;
}

const total = (times, names) => names.reduce((sum, name) => sum + (times[name] ?? 0), 0);
const duration = (times) => `PATCH p50 ${median(times).toFixed(1)} ms, p95 ${percentile(times, 95).toFixed(1)} ms`;

/** Measures with a number of components in a project of its own. @param {boolean} local whether its processes run on `npm start`'s data */
async function measure(name, api, repo, components, local) {
  const project = unique('propagation');
  const units = await importComponents(api, project, repo, components);
  let before = {};
  const durations = await measureEdits(api, project, units, components, () => {
    if (local) before = processorTimes(dataDir);
  });
  const after = local ? processorTimes(dataDir) : {};
  const perEdit = (names) => ((total(after, names) - total(before, names)) / edits).toFixed(1);
  const cost = local
    ? `; processor time of an edit: services ${perEdit(Object.keys(processes))} ms, of which translation ${perEdit(['translation'])}, store ${perEdit(['mongo'])} ms`
    : '';
  process.stdout.write(`${name}, ${components} components: ${duration(durations)}${cost}\n`);
  await api.send('DELETE', `/api/projects/${project}/`);
}

const api = makeApi(values.url, values.token, exchange);
await checkRateLimit('Parlance', api);
const served = await serveTexts(['cs'], 4 * (WARM_UP + edits));
try {
  for (const components of values.components.split(',').map(Number)) {
    await measure('Parlance', api, served.url, components, true);
    if (values.peer)
      await measure('peer', makeApi(values.peer, values['peer-token'], exchange), served.url, components, false);
  }
} finally {
  served.stop();
}
