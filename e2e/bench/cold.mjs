// npm run bench:cold: the first requests of freshly started processes beside those of warm ones. Restarts the local `npm start`.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { eventually, makeApi } from '../support/api.mjs';
import { readinessOf } from '../support/readiness.mjs';
import { exchange } from './support/exchange.mjs';
import { serveTexts } from './support/serve-texts.mjs';
import { adminToken, DEFAULT_URL, importComponent, median, runState } from './support/setup.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: DEFAULT_URL },
    token: { type: 'string' },
    strings: { type: 'string', default: '1000' },
    requests: { type: 'string', default: '100' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout
    .write(`npm run bench:cold -- [--url URL] [--token T] [--strings 1000] [--requests 100] [--only SUBSTRING]

For each kind of request: stops all processes of the local start, which starts them again, and prints the median of the first requests
beside the median when warm, and the processor time of all processes per request. Start Parlance with PARLANCE_RATE_LIMIT_AUTHENTICATED=off on this machine first.
`);
  process.exit(0);
}
const api = makeApi(options.url, options.token ?? adminToken(), exchange);
const [strings, requests] = [options.strings, options.requests].map(Number);
const codes = ['cs', 'de', 'fr', 'es'];
/** Requests before the measured warm ones, as a multiple of them. */
const WARM_UP = 5;
const READY_MS = 120_000;
/** Linux reports processor time to programs in hundredths of a second. */
const MS_PER_TICK = 10;

/** Restarts all processes. Resolves when all new ones are ready. */
async function restart() {
  const { processes: before } = runState();
  for (const pid of Object.values(before)) process.kill(pid, 'SIGTERM');
  await eventually(
    async () => {
      const { processes, operations } = runState();
      if (Object.entries(before).some(([name, pid]) => !processes[name] || processes[name] === pid)) return false;
      const states = await Promise.all(Object.values(operations).map((address) => readinessOf(address)));
      return (
        states.every((status) => status === 200) &&
        (await fetch(`${options.url}/healthz`).then(
          (r) => r.ok,
          () => false,
        ))
      );
    },
    Boolean,
    READY_MS,
  );
}

/** Processor time of all processes so far, in milliseconds. */
function processorTime() {
  const ticks = Object.values(runState().processes).map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, t) => sum + t, 0) * MS_PER_TICK;
}

async function times(count, request, from = 0) {
  /** @type {number[]} */
  const measured = [];
  for (let i = 0; i < count; i++) {
    const begun = performance.now();
    await request(from + i);
    measured.push(performance.now() - begun);
  }
  return measured;
}

/** Runs work. @returns its result, and the processor time that the processes used meanwhile */
async function measured(work) {
  const before = processorTime();
  const result = await work();
  return { result, cpu: processorTime() - before };
}

const { url, stop } = await serveTexts(codes, strings);
const slug = `cold-${Date.now().toString(36)}`;
try {
  const component = await importComponent(api, slug, url, (codes.length + 1) * strings);
  if (component.task_url) await api.finished(component.task_url);
  const path = `/api/translations/${slug}/bench/${codes[0]}`;
  const { results } = await api.get(`${path}/units/?page_size=1000`);
  const ids = results.filter((u) => u.source.length === 1).map((u) => u.id);
  const id = (i) => ids[i % ids.length];
  let edits = 0;
  const patch = (i) => api.patch(`/api/units/${id(i)}/`, { target: [`Text ${++edits} of the cold start`], state: 20 });
  /** @type {Record<string, (i: number) => Promise<unknown>>} */
  const kinds = {
    'GET unit': (i) => api.get(`/api/units/${id(i)}/`),
    'list of 100 units': (i) => api.get(`${path}/units/?page_size=100&page=${(i % Math.floor(strings / 100)) + 1}`),
    'PATCH unit': patch,
    'text search in a translation': (i) => api.get(`${path}/units/?q=${encodeURIComponent(`source:"printing ${i}"`)}`),
    'statistics of a component': () => api.get(`/api/components/${slug}/bench/statistics/`),
    'changes of a component': () => api.get(`/api/components/${slug}/bench/changes/`),
    'GET translation': () => api.get(`${path}/`),
    'list of projects': () => api.get('/api/projects/'),
    'PO download': () => api.bytes(`${path}/file/`),
  };
  // History to list.
  await times(requests, patch);
  const rows = [['kind', 'first ms', 'cold p50 ms', 'warm p50 ms', 'ratio', 'cold cpu ms', 'warm cpu ms']];
  for (const [name, request] of Object.entries(kinds).filter(([n]) => n.includes(options.only))) {
    process.stderr.write(`${name}\n`);
    await times(requests * WARM_UP, request);
    const warm = await measured(() => times(requests, request, requests * WARM_UP));
    await restart();
    const cold = await measured(() => times(requests, request));
    const [p50, warmP50] = [median(cold.result), median(warm.result)];
    rows.push([
      name,
      ...[cold.result[0], p50, warmP50, p50 / warmP50, cold.cpu / requests, warm.cpu / requests].map((n) =>
        n.toFixed(1),
      ),
    ]);
  }
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    process.stdout.write(
      `${row.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join('  ')}\n`,
    );
} finally {
  await api.send('DELETE', `/api/projects/${slug}/`);
  stop();
}
