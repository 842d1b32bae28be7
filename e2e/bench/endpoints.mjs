// npm run bench:endpoints: every read endpoint of a running Parlance beside a bare server on the same store.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeApi } from '../support/api.mjs';
import { sumOfSamples } from '../support/metrics.mjs';
import { startBare } from './bare-server.mjs';
import { budgets, rows, tableProblems, writes } from './endpoint-budgets.mjs';
import { makeWorld } from './endpoint-world.mjs';
import { exchange } from './exchange.mjs';
import { adminToken, DEFAULT_URL, dataDir, median, percentile } from './setup.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: DEFAULT_URL },
    token: { type: 'string' },
    languages: { type: 'string', default: '20' },
    strings: { type: 'string', default: '500' },
    requests: { type: 'string', default: '100' },
    only: { type: 'string', default: '' },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout
    .write(`npm run bench:endpoints -- [--url URL] [--token T] [--languages 20] [--strings 500] [--requests 100] [--only SUBSTRING] [--check]

Prints a row for each read endpoint: p50 and p95 in milliseconds, calls to services per request, and the ratio of the p50 to a bare
express with the driver over the same store. --only measures the paths that contain SUBSTRING. With --check the exit status is 1 if
an endpoint takes more than twice its budget. docs/performance.md explains the budgets and the settings to start Parlance with.
`);
  process.exit(0);
}
const api = makeApi(options.url, options.token ?? adminToken(), exchange);
const [languages, strings, requests] = [options.languages, options.strings, options.requests].map(Number);

/** Requests before the measured ones, as a part of them: the JIT compiles hot code. */
const WARM_UP = 0.5;
/** Maximum requests of an endpoint that returns whole files. */
const FILES = 4;
/** With --check, ratios beyond the budget times this number are errors. */
const TOLERANCE = 2;

/** Samples of the histogram of calls to services, summed over the gateways of the local start; undefined if unreachable. */
async function serviceCalls(path) {
  const file = join(dataDir, 'run.json');
  if (!existsSync(file)) return undefined;
  const { operations } = JSON.parse(readFileSync(file, 'utf8'));
  const addresses = Object.entries(operations).filter(([name]) => /^gateway(-\d+)?$/.test(name));
  const route = `route="${path.replace(/\{(\w+)\}/g, ':$1')}"`;
  let [calls, count] = [0, 0];
  for (const [, address] of addresses) {
    const text = await (await fetch(`http://${address}/metrics`)).text();
    calls += sumOfSamples(text, 'parlance_http_service_calls_sum', ['method="GET"', route]);
    count += sumOfSamples(text, 'parlance_http_service_calls_count', ['method="GET"', route]);
  }
  return { calls, count };
}

async function timed(request) {
  const begun = performance.now();
  await request();
  return performance.now() - begun;
}

/** Sends a request and returns the body. @throws if the status is not 200 */
async function read(path) {
  const { status, body } = await api.send('GET', path, undefined, { accept: '*/*' });
  if (status === 200) return body;
  const hint = status === 429 ? '; start Parlance without rate limits (docs/performance.md)' : '';
  throw new Error(`GET ${path} responded with ${status}: ${JSON.stringify(body).slice(0, 500)}${hint}`);
}

/** Measures an endpoint and the bare server alternately. */
async function measure(path, { params: values, units }, bare) {
  const { kind, query, params: names = {} } = rows[path];
  const address = (i) => {
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
      const choices = values[names[name] ?? name];
      if (!choices) throw new Error(`${path}: the world has no ${name}`);
      return encodeURIComponent(String(choices[i % choices.length]));
    });
    return query ? `${filled}?${query}` : filled;
  };
  const body = await read(address(0));
  const items = body.results ?? body;
  const size = Array.isArray(items) ? Math.min(100, Math.max(1, items.length)) : undefined;
  const pages = Math.max(1, Math.floor(strings / 100));
  const bareAddress = (i) =>
    size === undefined ? `/units/${units[i % units.length].id}` : `/units?page=${(i % pages) + 1}&size=${size}`;
  const count = kind === 'file' ? Math.min(requests, FILES) : requests;
  for (let i = 0; i < count * WARM_UP; i++) {
    await read(address(i));
    await bare.get(bareAddress(i));
  }
  const before = await serviceCalls(path);
  /** @type {number[]} */
  const times = [];
  /** @type {number[]} */
  const bareTimes = [];
  for (let i = 0; i < count; i++) {
    times.push(await timed(() => read(address(i))));
    bareTimes.push(await timed(() => bare.get(bareAddress(i))));
  }
  const after = await serviceCalls(path);
  const calls = before && after ? (after.calls - before.calls) / (after.count - before.count) : NaN;
  return {
    path,
    items: size,
    p50: median(times),
    p95: percentile(times, 95),
    calls,
    bare: median(bareTimes),
    ratio: median(times) / median(bareTimes),
    budget: budgets[kind],
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

process.stderr.write('filling\n');
const world = await makeWorld(api, languages, strings);
const results = [];
try {
  const bare = await startBare(world.units);
  try {
    for (const path of readable.filter((p) => p.includes(options.only) && !writes.includes(p)).sort()) {
      process.stderr.write(`${path}\n`);
      results.push(await measure(path, world, bare.api));
    }
  } finally {
    await bare.stop();
  }
} finally {
  await world.remove();
}

const ms = (n) => n.toFixed(1);
print([
  ['endpoint', 'items', 'p50 ms', 'p95 ms', 'calls', 'bare p50 ms', 'ratio', 'budget', ''],
  ...results.map(({ path, items, p50, p95, calls, bare, ratio, budget }) => [
    `\`${path}\``,
    items === undefined ? '' : String(items),
    ms(p50),
    ms(p95),
    Number.isNaN(calls) ? '-' : ms(calls),
    ms(bare),
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
if (options.check && beyond.length > 0) process.exitCode = 1;
