// npm run bench:pair: two running versions of Parlance, request by request in turns, so that load on the machine affects both.
import { parseArgs } from 'node:util';
import { makeApi } from '../support/api.mjs';
import { exchange } from './support/exchange.mjs';
import { atOnce, LANGUAGES } from './support/requests.mjs';
import { serveTexts } from './support/serve-texts.mjs';
import { importComponent, median } from './support/setup.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    against: { type: 'string' },
    'against-token': { type: 'string' },
    languages: { type: 'string', default: '5' },
    strings: { type: 'string', default: '3500' },
    rounds: { type: 'string', default: '400' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help || !options.url || !options.against) {
  process.stdout
    .write(`npm run bench:pair -- --url URL --token T --against URL --against-token T [--languages 5] [--strings 3500] [--rounds 400] [--only SUBSTRING]

Compares the system at --url with the one at --against. Prints the median of each, and the ratio of times with its 95 % interval:
above 1 means that --url is slower. Start both with PARLANCE_RATE_LIMIT_AUTHENTICATED=off and nothing else on the machine.
`);
  process.exit(options.help ? 0 : 1);
}
const [languages, strings, rounds] = [options.languages, options.strings, options.rounds].map(Number);
const codes = LANGUAGES.slice(0, languages);
/** Resamples of the bootstrap. */
const RESAMPLES = 1000;

/**
 * Figures by name: requests of a round, and `share`, the rounds of the figure as a part of all. Milliseconds per round.
 * @type {Record<string, { share: number, run: (system: System, round: number) => Promise<unknown> }>}
 */
const figures = {
  'GET unit': { share: 1, run: ({ api, ids }, i) => api.get(`/api/units/${ids[i % ids.length]}/`) },
  'list of 100 units': {
    share: 0.5,
    run: ({ api, path }, i) => api.get(`${path}/units/?page_size=100&page=${page(i)}`),
  },
  'list of 100 units, 32 requests at 16 clients': {
    share: 0.15,
    run: ({ api, path }, i) => atOnce(16, 32, (k) => api.get(`${path}/units/?page_size=100&page=${page(i + k)}`)),
  },
  'PATCH unit': { share: 0.5, run: (system, i) => edit(system, i) },
  'PATCH unit, 32 requests at 8 clients': {
    share: 0.15,
    run: (system, i) => atOnce(8, 32, (k) => edit(system, i * 32 + k)),
  },
  'statistics of a translation': { share: 0.5, run: ({ api, path }) => api.get(`${path}/statistics/`) },
  'statistics of a component': {
    share: 0.25,
    run: ({ api, slug }) => api.get(`/api/components/${slug}/bench/statistics/`),
  },
  'changes of a project': { share: 0.25, run: ({ api, slug }) => api.get(`/api/projects/${slug}/changes/`) },
  'text search in a translation': { share: 0.25, run: ({ api, path }, i) => api.get(`${path}/units/?q=${query(i)}`) },
  'text search in all units': { share: 0.1, run: ({ api }, i) => api.get(`/api/units/?q=${query(i)}`) },
  'PATCH and download as PO': {
    share: 0.1,
    run: async (system, i) => {
      await edit(system, i);
      await system.api.bytes(`${system.path}/file/`);
    },
  },
};

const page = (i) => (i % Math.floor(strings / 100)) + 1;
const query = (i) => encodeURIComponent(`source:"${i % 50 === 0 ? 'file' : 'printing'} ${i}"`);
let edits = 0;
const edit = ({ api, ids }, i) =>
  api.patch(`/api/units/${ids[i % ids.length]}/`, { target: [`Text ${++edits} of the pair`], state: 20 });

/**
 * Imports the texts into a system.
 * @typedef {Awaited<ReturnType<typeof prepare>>} System
 */
async function prepare(url, token, repositoryUrl) {
  const api = makeApi(url, token, exchange);
  const slug = `pair-${Date.now().toString(36)}`;
  const component = await importComponent(api, slug, repositoryUrl, (codes.length + 1) * strings);
  if (component.task_url) await api.finished(component.task_url);
  const path = `/api/translations/${slug}/bench/${codes[0]}`;
  const { results } = await api.get(`${path}/units/?page_size=1000`);
  return { api, slug, path, ids: results.filter((u) => u.source.length === 1).map((u) => u.id) };
}

async function timed(request) {
  const begun = performance.now();
  await request();
  return performance.now() - begun;
}

/** 95 % interval of the ratio of medians, by resampling pairs. @param {[number, number][]} pairs */
function interval(pairs) {
  const ratios = Array.from({ length: RESAMPLES }, () => {
    const sample = Array.from(pairs, () => pairs[Math.floor(Math.random() * pairs.length)]);
    return median(sample.map(([a]) => a)) / median(sample.map(([, b]) => b));
  }).sort((a, b) => a - b);
  return [ratios[Math.floor(RESAMPLES * 0.025)], ratios[Math.floor(RESAMPLES * 0.975)]];
}

const { url, stop } = await serveTexts(codes, strings);
/** @type {System[]} */
const systems = [];
try {
  for (const [address, token] of [
    [options.url, options.token],
    [options.against, options['against-token']],
  ])
    systems.push(await prepare(address, token, url));
  const [first, second] = systems;
  process.stdout.write(`${'figure'.padEnd(46)}  ${options.url}  ${options.against}  ratio  (95 % interval)\n`);
  for (const [name, { share, run }] of Object.entries(figures).filter(([n]) => n.includes(options.only))) {
    const count = Math.ceil(rounds * share);
    /** @type {[number, number][]} */
    const pairs = [];
    // As many rounds again before the measured ones: the JIT compiles hot code.
    for (let i = -count; i < count; i++) {
      const round = i + count;
      let [a, b] = [0, 0];
      if (round % 2 === 0) {
        a = await timed(() => run(first, round));
        b = await timed(() => run(second, round));
      } else {
        b = await timed(() => run(second, round));
        a = await timed(() => run(first, round));
      }
      if (i >= 0) pairs.push([a, b]);
    }
    const [ours, theirs] = [median(pairs.map(([a]) => a)), median(pairs.map(([, b]) => b))];
    const [low, high] = interval(pairs);
    process.stdout.write(
      `${name.padEnd(46)}  ${ours.toFixed(2)} ms  ${theirs.toFixed(2)} ms  ${(ours / theirs).toFixed(3)}  (${low.toFixed(3)}-${high.toFixed(3)})\n`,
    );
  }
} finally {
  for (const { api, slug } of systems) await api.send('DELETE', `/api/projects/${slug}/`);
  stop();
}
