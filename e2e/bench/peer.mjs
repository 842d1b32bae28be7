// npm run bench:peer: Parlance and the peer (docs/glossary.md) with the same strings and the same short warm-up, figure by figure in turns.
import { parseArgs } from 'node:util';
import { makeApi } from '../support/api.mjs';
import { exchange } from './support/exchange.mjs';
import { atOnce, changedFile, isClosedConnection, LANGUAGES, round } from './support/requests.mjs';
import { serveTexts } from './support/serve-texts.mjs';
import { adminToken, checkRateLimit, DEFAULT_URL, importComponent, median } from './support/setup.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: DEFAULT_URL },
    token: { type: 'string' },
    peer: { type: 'string' },
    'peer-token': { type: 'string' },
    languages: { type: 'string', default: '20' },
    strings: { type: 'string', default: '3500' },
    rounds: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help || !options.peer) {
  process.stdout
    .write(`npm run bench:peer -- --peer URL --peer-token T [--url URL] [--token T] [--languages 20] [--strings 3500] [--rounds 20]

Prints the medians of both in milliseconds and their ratio: above 1, Parlance is faster. Both are warmed up with 400 reads and 80 edits.
Each figure is measured in two blocks of --rounds requests for each system, in turns.
`);
  process.exit(options.help ? 0 : 1);
}
const [languages, strings, rounds] = [options.languages, options.strings, options.rounds].map(Number);
const codes = LANGUAGES.slice(0, languages);
/** Warm-up of each system, in requests. */
const [READS, EDITS] = [400, 80];

/** A system with the imported texts. @typedef {Awaited<ReturnType<typeof prepare>>} System */
async function prepare(name, url, token, repositoryUrl) {
  const api = makeApi(url, token, exchange);
  await checkRateLimit(name, api);
  const slug = `peer-${Date.now().toString(36)}`;
  const begun = performance.now();
  const component = await importComponent(api, slug, repositoryUrl, (codes.length + 1) * strings);
  const imported = performance.now() - begun;
  if (component.task_url) await api.finished(component.task_url);
  const path = `/api/translations/${slug}/bench/${codes[0]}`;
  const { results } = await api.get(`${path}/units/?page_size=1000`);
  const ids = results.filter(({ source }) => source.length === 1).map(({ id }) => id);
  return { api, slug, path, ids, imported };
}

const get = ({ api, ids }, i) => api.get(`/api/units/${ids[i % ids.length]}/`);
const list = ({ api, path }, i, size = 100) =>
  api.get(`${path}/units/?page_size=${size}&page=${(i % Math.floor(strings / size)) + 1}`);
let edits = 0;
const edit = ({ api, ids }, i) =>
  api.patch(`/api/units/${ids[i % ids.length]}/`, { target: [`Text ${++edits} of the peers`], state: 20 });
const search = (address, q) => `${address}?q=${encodeURIComponent(q)}`;

/**
 * Requests of a figure, and what comes before each and is not measured.
 * @typedef {{ before?: (system: System, i: number) => Promise<unknown>, run: (system: System, i: number) => Promise<unknown> }} Figure
 */

/** @type {Record<string, Figure>} */
const figures = {
  'list 1 000 units': { run: (system, i) => list(system, i, 1000) },
  'list 100 units, 32 requests at 16 clients': { run: (s, i) => atOnce(16, 32, (k) => list(s, i * 32 + k)) },
  'list 100 units': { run: (system, i) => list(system, i) },
  'list 100 units after an edit': { before: edit, run: (system, i) => list(system, i) },
  'GET unit': { run: get },
  'GET unit after an edit': { before: edit, run: get },
  'XLIFF download after a change': { before: edit, run: ({ api, path }) => api.bytes(`${path}/file/?format=xliff`) },
  'PO download after a change': { before: edit, run: ({ api, path }) => api.bytes(`${path}/file/`) },
  'upload of a whole file': {
    before: async (system, i) => {
      const text = (await system.api.bytes(`${system.path}/file/`)).toString('utf8');
      system.form = changedFile(text, i).form;
    },
    run: ({ api, path, form }) => api.post(`${path}/file/`, form),
  },
  'PATCH unit': { run: edit },
  'PATCH unit, 16 requests at 8 clients': { run: (s, i) => atOnce(8, 16, (k) => edit(s, i * 16 + k)) },
  'statistics right after a PATCH': { before: edit, run: ({ api, path }) => api.get(`${path}/statistics/`) },
  'search by state and check, in a translation': {
    run: ({ api, path }) => api.get(search(`${path}/units/`, 'state:translated AND has:check')),
  },
  'search by text, in a translation': {
    run: ({ api, path }, i) => api.get(search(`${path}/units/`, `source:"document ${i}"`)),
  },
  'history of a component after an edit': {
    before: edit,
    run: ({ api, slug }) => api.get(`/api/components/${slug}/bench/changes/`),
  },
  'history of a component': { run: ({ api, slug }) => api.get(`/api/components/${slug}/bench/changes/`) },
  'statistics of a component': { run: ({ api, slug }) => api.get(`/api/components/${slug}/bench/statistics/`) },
  'languages of a project': { run: ({ api, slug }) => api.get(`/api/projects/${slug}/languages/`) },
  'common word in all units': { run: ({ api }) => api.get(search('/api/units/', 'document')) },
};

/** Attempts of a measurement: a server may close a kept-alive connection while a request is in flight. */
const ATTEMPTS = 5;

/**
 * @param {System} system
 * @param {Figure} figure
 * @param {number} i
 * @returns milliseconds
 */
async function timed(system, { before, run }, i) {
  for (let attempt = 1; ; attempt++)
    try {
      await before?.(system, i);
      const begun = performance.now();
      await run(system, i);
      return performance.now() - begun;
    } catch (error) {
      if (attempt === ATTEMPTS || !isClosedConnection(error)) throw error;
    }
}

const row = (...cells) => process.stdout.write(`| ${cells.join(' | ')} |\n`);
const { url, stop } = await serveTexts(codes, strings);
/** @type {System[]} */
const systems = [];
try {
  for (const [name, address, token] of [
    ['Parlance', options.url, options.token ?? adminToken()],
    ['peer', options.peer, options['peer-token']],
  ]) {
    process.stderr.write(`${name}: importing\n`);
    systems.push(await prepare(name, address, token, url));
  }
  for (const system of systems) {
    for (let i = 0; i < READS; i++) await timed(system, { run: get }, i);
    for (let i = 0; i < EDITS; i++) await timed(system, { run: edit }, i);
  }
  row('operation', 'Parlance, ms', 'peer, ms', 'ratio');
  row('---', '---:', '---:', '---:');
  /** @param {number[]} medians of both systems */
  const print = (name, medians) => {
    const [ours = NaN, theirs = NaN] = medians;
    row(name, round(ours), round(theirs), round(theirs / ours));
  };
  print(
    'import from git',
    systems.map(({ imported }) => imported),
  );
  for (const [name, figure] of Object.entries(figures)) {
    const times = systems.map(() => /** @type {number[]} */ ([]));
    // In blocks: on virtual machines, requests after a pause take two to three times as long.
    for (const half of [0, 1])
      for (const [at, system] of systems.entries())
        for (let i = 0; i < rounds; i++) times[at]?.push(await timed(system, figure, half * rounds + i));
    print(name, times.map(median));
  }
} finally {
  for (const { api, slug } of systems) await api.send('DELETE', `/api/projects/${slug}/`);
  stop();
}
