// npm run bench:endpoints: every read endpoint and the frequent writes of a running Parlance beside a bare server on the same store.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeApi } from '../../support/api.mjs';
import { startBare } from '../support/bare-server.mjs';
import { budgets, hotWrites, rows, shortPaths, tableProblems, writes } from './budgets.mjs';
import { regressionsOf } from './regressions.mjs';
import { makeWorld } from './world.mjs';
import { exchange } from '../support/exchange.mjs';
import { makeCostMeter, processorMs } from '../process-costs.mjs';
import { adminToken, DEFAULT_URL, median, percentile } from '../support/setup.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: DEFAULT_URL },
    token: { type: 'string' },
    languages: { type: 'string' },
    strings: { type: 'string' },
    requests: { type: 'string' },
    only: { type: 'string', default: '' },
    short: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout
    .write(`npm run bench:endpoints -- [--url URL] [--token T] [--languages 20] [--strings 500] [--requests 100] [--only SUBSTRING] [--check]
npm run bench:endpoints -- --short [--check | --record]

Prints a row for each read endpoint and for frequent writes: p50 and p95 in milliseconds, calls to services, store statements and processor time per request,
and the ratio of the p50 to a bare express with the driver over the same store. --only measures the paths that contain SUBSTRING. With
--check the exit status is 1 if an endpoint takes more than twice its budget.
--short measures a few endpoints of each kind in a small project. --record stores their ratios in ratios.json; with --check
the exit status is 1 if an endpoint got worse than recorded. docs/performance.md explains the budgets and the settings to start
Parlance with.
`);
  process.exit(0);
}
const api = makeApi(options.url, options.token ?? adminToken(), exchange);
const defaults = options.short
  ? { languages: 3, strings: 100, requests: 100 }
  : { languages: 20, strings: 500, requests: 100 };
const [languages, strings, requests] = ['languages', 'strings', 'requests'].map((name) =>
  Number(options[name] ?? defaults[name]),
);
const ratiosFile = new URL('ratios.json', import.meta.url);

/** Requests to an endpoint before the measured ones: the JIT compiles hot code. A running system has served many more. */
const WARM_UP = 300;
/** Maximum time of the requests before the measured ones, in milliseconds. */
const WARM_UP_MS = 2_000;
/** Maximum requests of an endpoint that returns whole files. */
const FILES = 4;
/** With --check, ratios beyond the budget times this number are errors. */
const TOLERANCE = 2;
/** Measurements of an endpoint at most, with --short --check: the first one without a regression counts. */
const ATTEMPTS = 3;

async function timed(request) {
  const begun = performance.now();
  await request();
  return performance.now() - begun;
}

/** Sends a request and returns the body. @throws if the status is not one of success */
async function send(method, path, content) {
  const { status, body } = await api.send(method, path, content, { accept: '*/*' });
  if (status >= 200 && status < 300) return body;
  const hint = status === 429 ? '; start Parlance without rate limits (docs/performance.md)' : '';
  throw new Error(`${method} ${path} responded with ${status}: ${JSON.stringify(body).slice(0, 500)}${hint}`);
}

/** Number of entries of a feed; undefined for other bodies. */
const feedLength = (body) =>
  typeof body === 'string' && body.includes('<rss') ? body.split('<item>').length - 1 : undefined;

/** Requests to the bare server that compare with those of a row whose first response was `body`; `items`: objects on a page. */
function bareRequests({ kind }, body, { api: bareApi }, units) {
  const unit = (i) => `/units/${units[i % units.length].id}`;
  if (kind === 'write') return { send: (i) => bareApi.patch(unit(i), { target: [`Text ${i}`], state: 20 }) };
  const list = body.results ?? body;
  const length = Array.isArray(list) ? list.length : feedLength(list);
  if (length === undefined) return { send: (i) => bareApi.get(unit(i)) };
  const items = Math.min(100, Math.max(1, length));
  const pages = Math.max(1, Math.floor(strings / 100));
  return { items, send: (i) => bareApi.get(`/units?page=${(i % pages) + 1}&size=${items}`) };
}

/** Measures an endpoint and the bare server alternately. @param name a path to read, or method and path of a write */
async function measure(name, { params: values, units }, bare, costsOf) {
  const row = rows[name] ?? hotWrites[name];
  const [method, path] = name.includes(' ') ? name.split(' ') : ['GET', name];
  const address = (i) => {
    const filled = path.replace(/\{(\w+)\}/g, (_, parameter) => {
      const choices = values[row.params?.[parameter] ?? parameter];
      if (!choices) throw new Error(`${path}: the world has no ${parameter}`);
      return encodeURIComponent(String(choices[i % choices.length]));
    });
    return row.query ? `${filled}?${row.query}` : filled;
  };
  let sent = 0;
  // The number of a write runs on over measurements, so that each changes something.
  const request = (i) => send(method, address(i), row.body?.(sent++));
  const bareOf = bareRequests(row, await request(0), bare, units);
  const isFile = row.kind === 'file';
  const count = isFile ? Math.min(requests, FILES) : requests;
  const warmUntil = performance.now() + WARM_UP_MS;
  for (let i = 0; i < (isFile ? FILES : WARM_UP) && performance.now() < warmUntil; i++) {
    await request(i);
    await bareOf.send(i);
  }
  /** @type {number[]} */
  const times = [];
  /** @type {number[]} */
  const bareTimes = [];
  const bareBefore = processorMs(bare.pid);
  const costs = await costsOf(method, path, async () => {
    for (let i = 0; i < count; i++) {
      times.push(await timed(() => request(i)));
      bareTimes.push(await timed(() => bareOf.send(i)));
    }
  });
  return {
    path: name,
    items: bareOf.items,
    p50: median(times),
    p95: percentile(times, 95),
    costs,
    bare: median(bareTimes),
    bareProcessor: (processorMs(bare.pid) - bareBefore) / count,
    ratio: median(times) / median(bareTimes),
    budget: budgets[row.kind],
  };
}

/** Prints rows as a Markdown table with aligned columns. */
function print(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  const line = (row, pad) => `| ${row.map((cell, i) => pad(cell, widths[i], i)).join(' | ')} |\n`;
  const align = (cell, width, i) => (i === 0 ? cell.padEnd(width) : cell.padStart(width));
  process.stdout.write(line(table[0], align));
  process.stdout.write(line(table[0], (_, width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)));
  for (const row of table.slice(1)) process.stdout.write(line(row, align));
}

const { paths } = await api.get('/api/schema/');
const readable = Object.keys(paths).filter((path) => 'get' in paths[path]);
const problems = tableProblems(readable);
if (problems.length > 0) throw new Error(problems.join('\n'));
const chosen = (options.short ? shortPaths : [...readable, ...Object.keys(hotWrites)])
  .filter((p) => p.includes(options.only) && !writes.includes(p))
  .sort();
if (options.short && options.check && !existsSync(ratiosFile))
  throw new Error(
    'There are no recorded ratios: run "npm run bench:endpoints -- --short --record" on a quiet machine.',
  );
const recorded = options.short && options.check ? JSON.parse(readFileSync(ratiosFile, 'utf8')) : {};

process.stderr.write('filling\n');
const world = await makeWorld(api, languages, strings, options.short ? { many: 20, components: 3 } : {});
const results = [];
const regressions = [];
try {
  const costsOf = await makeCostMeter();
  const bare = await startBare(world.units);
  try {
    for (const path of chosen) {
      process.stderr.write(`${path}\n`);
      let result = await measure(path, world, bare, costsOf);
      for (let attempt = 1; attempt < ATTEMPTS && regressionsOf(result, recorded[path]).length > 0; attempt++)
        result = await measure(path, world, bare, costsOf);
      results.push(result);
      regressions.push(...regressionsOf(result, recorded[path]));
    }
  } finally {
    await bare.stop();
  }
} finally {
  await world.remove();
}

const ms = (n) => n.toFixed(1);
const known = (n) => (n === undefined || Number.isNaN(n) ? '-' : ms(n));
/** The processes that spend at least a tenth of a millisecond on a request. */
const processorText = (processor = {}) =>
  Object.entries(processor)
    .filter(([, n]) => n >= 0.1)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, n]) => `${kind} ${ms(n)}`)
    .join(', ') || '-';
print([
  [
    'endpoint',
    'items',
    'p50 ms',
    'p95 ms',
    'calls',
    'statements',
    'processor ms',
    'bare p50 ms',
    'bare processor ms',
    'ratio',
    'budget',
    '',
  ],
  ...results.map(({ path, items, p50, p95, costs, bare, bareProcessor, ratio, budget }) => [
    `\`${path}\``,
    items === undefined ? '' : String(items),
    ms(p50),
    ms(p95),
    known(costs?.calls),
    known(costs?.statements),
    processorText(costs?.processor),
    ms(bare),
    known(bareProcessor),
    ms(ratio),
    budget === undefined ? '' : String(budget),
    budget !== undefined && ratio > budget ? 'MISSED' : '',
  ]),
]);
const missed = results.filter(({ ratio, budget }) => budget !== undefined && ratio > budget);
const beyond = missed.filter(({ ratio, budget }) => ratio > TOLERANCE * (budget ?? Infinity));
process.stdout.write(
  `\n${results.length} endpoints, ${missed.length} beyond their budget, ${beyond.length} beyond twice their budget\n`,
);
if (options.record) {
  const round = (n) => Math.round(n * 10) / 10;
  const ratios = results.map(({ path, ratio, costs }) => [
    path,
    { ratio: round(ratio), calls: round(costs?.calls), statements: round(costs?.statements) },
  ]);
  writeFileSync(ratiosFile, `${JSON.stringify(Object.fromEntries(ratios), null, 2)}\n`);
}
if (regressions.length > 0) process.stdout.write(`${regressions.join('\n')}\n`);
if (options.check && (options.short ? regressions : beyond).length > 0) process.exitCode = 1;
