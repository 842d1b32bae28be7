// npm run bench:searches: the effect of heavy searches by several callers on the edits of another caller.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeApi } from '../support/api.mjs';
import { TestRepository } from '../support/repository.mjs';
import { metricsOf, sumOfSamples } from '../support/telemetry/metrics.mjs';
import { exchange } from './support/exchange.mjs';
import { adminToken, DEFAULT_URL, importComponent, percentile, runState } from './support/setup.mjs';
import { makeTexts } from './support/texts.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: DEFAULT_URL },
    token: { type: 'string' },
    callers: { type: 'string', default: '4' },
    searches: { type: 'string', default: '20' },
    edits: { type: 'string', default: '400' },
    languages: { type: 'string', default: '20' },
    strings: { type: 'string', default: '3500' },
  },
});
const token = options.token ?? adminToken();
const api = makeApi(options.url, token, exchange);
const [callers, searches, edits, languages, strings] = [
  options.callers,
  options.searches,
  options.edits,
  options.languages,
  options.strings,
].map(Number);

/** Maximum ratio between the p99 of edits during heavy searches and the p99 of edits alone. */
const BUDGET = 3;
/** Longest time for which a search may occupy the event loop, in milliseconds. */
const LOOP_BUDGET = 50;
/** Interval at which processes sample their event loop (`libs/telemetry`), in milliseconds. Samples contain it. */
const LOOP_SAMPLE = 100;
const CODES = 'cs de fr es it pl pt ru uk sk hu ro nl sv da fi nb el tr bg ja ko'.split(' ');
/** Takes polynomial time in a backtracking engine and matches nothing. */
const PATTERN = '[^#]*[^@]*[^~]*[#@~]{3}';

const slug = `searches-${Date.now().toString(36)}`;
const repository = new TestRepository(makeTexts(CODES.slice(0, languages), strings));
await importComponent(api, slug, repository.url, (languages + 1) * strings);
const command = fileURLToPath(new URL('../../deploy/local/parlance.mjs', import.meta.url));
const others = Array.from({ length: callers }, () => {
  const made = execFileSync('node', [command, 'token', 'create', '--project', slug], { encoding: 'utf8' }).trim();
  return makeApi(options.url, made.split(/\s+/).at(-1), exchange);
});
const page = await api.get(`/api/translations/${slug}/bench/${CODES[0]}/units/?page_size=200`);
const ids = page.results.filter((unit) => unit.source.length === 1).map((unit) => unit.id);

let edit = 0;
async function edited(count) {
  const times = [];
  for (let i = 0; i < count; i++) {
    const begun = performance.now();
    await api.patch(`/api/units/${ids[i % ids.length]}/`, { target: [`Edit ${++edit}`], state: 20 });
    times.push(performance.now() - begun);
  }
  return times;
}

/** Longest delay of the translation service's event loop since the last call, in milliseconds; NaN without a local start. */
async function loopDelay() {
  const state = runState();
  if (!state) return NaN;
  const longest = sumOfSamples(await metricsOf(state.operations.translation), 'nodejs_eventloop_lag_max_seconds');
  return Math.max(0, longest * 1000 - LOOP_SAMPLE);
}

await edited(edits);
await loopDelay();
const alone = await edited(edits);
const delayAlone = await loopDelay();

let over = false;
const answers = {};
let longest = 0;
const searching = Array.from({ length: searches }, async (_, i) => {
  const other = others[i % others.length];
  for (let round = 0; !over; round++) {
    const q = `source:r"${PATTERN}${i}x${round}"`;
    const begun = performance.now();
    const { status, headers } = await other.send('GET', `/api/units/?q=${encodeURIComponent(q)}`);
    longest = Math.max(longest, performance.now() - begun);
    answers[status] = (answers[status] ?? 0) + 1;
    const wait = Number(headers.get('retry-after') ?? 0);
    // Rejected callers honor Retry-After.
    if (status === 429 || status === 503) await new Promise((resolve) => setTimeout(resolve, wait * 1000));
  }
});
const beside = await edited(edits);
over = true;
await Promise.all(searching);
const delayBeside = await loopDelay();

const [p99Alone, p99Beside] = [percentile(alone, 99), percentile(beside, 99)];
const round = (ms) => Math.round(ms * 10) / 10;
process.stdout.write(`${(languages + 1) * strings} units, ${searches} searches of ${callers} callers
PATCH alone       p50 ${round(percentile(alone, 50))} ms, p99 ${round(p99Alone)} ms
PATCH beside them p50 ${round(percentile(beside, 50))} ms, p99 ${round(p99Beside)} ms: ${round(p99Beside / p99Alone)}x (budget ${BUDGET}x)
event loop of the translation service: ${round(delayAlone)} ms at most alone, ${round(delayBeside)} ms beside them (budget ${LOOP_BUDGET} ms)
answers to searches by status: ${JSON.stringify(answers)}; the longest took ${Math.round(longest)} ms
`);
await api.send('DELETE', `/api/projects/${slug}/`);
repository.remove();
process.exit(p99Beside > BUDGET * p99Alone || delayBeside > LOOP_BUDGET ? 1 : 0);
