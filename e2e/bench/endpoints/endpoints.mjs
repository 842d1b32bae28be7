// npm run bench:endpoints: every read endpoint and the frequent writes of a running Parlance beside a bare server on the same store.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeApi } from '../../support/api.mjs';
import { startBare, startHop } from '../bare/start.mjs';
import { budgets, hotWrites, rows, shortPaths, shortPathsAfterEdits, tableProblems, writes } from './budgets.mjs';
import { regressionsOf } from './regressions.mjs';
import { inTurns, ratioToHop, selected } from './turns.mjs';
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
    only: { type: 'string', multiple: true, default: [] },
    'warm-up': { type: 'string' },
    rounds: { type: 'string', default: '1' },
    hop: { type: 'boolean' },
    short: { type: 'boolean', default: false },
    'after-edits': { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
  allowNegative: true,
});
if (options.help) {
  process.stdout
    .write(`npm run bench:endpoints -- [--url URL] [--token T] [--languages 20] [--strings 500] [--requests 100]
    [--warm-up N] [--rounds 1] [--only NAME]... [--no-hop] [--after-edits] [--check]
npm run bench:endpoints -- --short [--hop] [--check | --record]

Prints a row for each read endpoint and for frequent writes: p50 and p95 in milliseconds, calls to services, store statements and processor time per request,
and the ratio of the p50 to a bare express with the driver over the same store. --only measures the paths that contain SUBSTRING. With
--check the exit status is 1 if an endpoint takes more than twice its budget. --after-edits edits a string of the project before each
request, which is not measured: gateways then show no reply that they kept; calls, statements and processor time are not shown.
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
const warmUp = options['warm-up'] === undefined ? undefined : Number(options['warm-up']);
if (warmUp !== undefined && !(Number.isInteger(warmUp) && warmUp >= 0))
  throw new Error(`"--warm-up" must be a number of requests, not "${options['warm-up']}"`);
const rounds = Number(options.rounds);
if (!(Number.isInteger(rounds) && rounds > 0))
  throw new Error(`"--rounds" must be a positive number, not "${options.rounds}"`);
/** The regression stage (--short) does not need the hop, and must not take longer. */
const withHop = options.hop ?? !options.short;
/** End of the name of a measurement in which each request follows an edit of the project. */
const AFTER_EDIT = ' after an edit';
const ratiosFile = new URL('ratios.json', import.meta.url);

/** Requests to an endpoint before the measured ones: the JIT compiles hot code. A running system has served many more. */
const WARM_UP = 300;
/** Maximum time of the requests before the measured ones, in milliseconds; unlimited with --warm-up. */
const WARM_UP_MS = 2_000;
/** Maximum requests of an endpoint that returns whole files. */
const FILES = 4;
/** With --check, ratios beyond the budget times this number are errors. */
const TOLERANCE = 2;
/** Measurements of an endpoint at most, with --short --check: the first one without a regression counts. */
const ATTEMPTS = 3;

/** Sends a request and returns the body. @throws if the status is not one of success */
async function send(method, path, content) {
  const { status, body } = await api.send(method, path, content, { accept: '*/*' });
  if (status >= 200 && status < 300) return body;
  const hint = status === 429 ? '; start Parlance without rate limits (docs/performance.md)' : '';
  throw new Error(`${method} ${path} responded with ${status}: ${JSON.stringify(body).slice(0, 500)}${hint}`);
}

let edits = 0;
/** Edits the next unit without plural forms, each time with another text. @param {{ id: number, source: string[] }[]} units */
function edit(units) {
  const single = units.filter(({ source }) => source.length === 1);
  return send('PATCH', `/api/units/${single[edits % single.length]?.id}/`, { target: [`Edit ${edits++}`], state: 20 });
}

/** Number of entries of a feed; undefined for other bodies. */
const feedLength = (body) =>
  typeof body === 'string' && body.includes('<rss') ? body.split('<item>').length - 1 : undefined;

/** Number of the next write to a bare server: it runs on, so that each write changes something, as those of the endpoint do. */
let bareWrites = 0;

/** Requests to a bare server that compare with those of a row whose first response was `body`; `items`: objects on a page. */
function bareRequests({ kind }, body, units) {
  const unit = (i) => `/units/${units[i % units.length].id}`;
  if (kind === 'write')
    return { send: (bare, i) => bare.patch(unit(i), { target: [`Text ${bareWrites++}`], state: 20 }) };
  const list = body.results ?? body;
  const length = Array.isArray(list) ? list.length : feedLength(list);
  if (length === undefined) return { send: (bare, i) => bare.get(unit(i)) };
  const items = Math.min(100, Math.max(1, length));
  const pages = Math.max(1, Math.floor(strings / 100));
  return { items, send: (bare, i) => bare.get(`/units?page=${(i % pages) + 1}&size=${items}`) };
}

/** Processor time of processes in milliseconds, by role. @param {Record<string, number>} pids by role */
const processorTimes = (pids) =>
  Object.fromEntries(Object.entries(pids).map(([role, pid]) => [role, processorMs(pid)]));

/**
 * Measures an endpoint and the bare servers alternately.
 * @param title a path to read, perhaps with AFTER_EDIT, or method and path of a write
 * @param how the bare servers, of which `hop` is undefined if it is not measured, and whether the warm-up is done
 */
async function measure(title, { params: values, units }, { bare, hop, costsOf, isWarm = false }) {
  const isAfterEdit = title.endsWith(AFTER_EDIT);
  const name = isAfterEdit ? title.slice(0, -AFTER_EDIT.length) : title;
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
  const prepare = isAfterEdit ? () => edit(units) : undefined;
  // The number of a write runs on over measurements, so that each changes something.
  const request = (i) => send(method, address(i), row.body?.(sent++));
  const bareOf = bareRequests(row, await request(0), units);
  const sides = {
    endpoint: request,
    bare: (i) => bareOf.send(bare.api, i),
    ...(hop && { hop: (i) => bareOf.send(hop.api, i) }),
  };
  const isFile = row.kind === 'file';
  const count = isFile ? Math.min(requests, FILES) : requests;
  const warmUntil = warmUp === undefined ? performance.now() + WARM_UP_MS : Infinity;
  if (!isWarm)
    await inTurns(sides, isFile ? FILES : (warmUp ?? WARM_UP), {
      prepare,
      mayGoOn: () => performance.now() < warmUntil,
    });
  const pids = { ...bare.pids, ...hop?.pids };
  /** @type {Record<string, number[]>} */
  let times = {};
  /** @type {Record<string, number>} */
  let processor = {};
  const costs = await costsOf(method, path, async () => {
    const before = processorTimes(pids);
    times = await inTurns(sides, count, { prepare });
    const after = processorTimes(pids);
    processor = Object.fromEntries(Object.keys(pids).map((role) => [role, (after[role] - before[role]) / count]));
  });
  const medians = { p50: median(times.endpoint), bare: median(times.bare), hop: times.hop && median(times.hop) };
  return {
    path: title,
    items: bareOf.items,
    ...medians,
    p95: percentile(times.endpoint, 95),
    // Those of the edits would be included.
    costs: isAfterEdit ? undefined : costs,
    processor: isAfterEdit ? {} : processor,
    ratio: medians.p50 / medians.bare,
    ratioToHop: ratioToHop({ ...medians, costs }),
    budget: budgets[row.kind],
  };
}

/** Prints rows as a Markdown table with aligned columns. */
function print(table) {
  const widths = table[0].map((_, column) => Math.max(1, ...table.map((row) => row[column].length)));
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
const measurable = (options.short ? shortPaths : [...readable, ...Object.keys(hotWrites)]).filter(
  (path) => !writes.includes(path),
);
const found = selected(measurable, options.only).sort();
const afterEdits = options['after-edits']
  ? found.filter((path) => path.startsWith('/'))
  : options.short
    ? shortPathsAfterEdits
    : [];
const chosen = [...(options['after-edits'] ? [] : found), ...afterEdits.map((path) => path + AFTER_EDIT)];
if (options.short && options.check && !existsSync(ratiosFile))
  throw new Error(
    'There are no recorded ratios: run "npm run bench:endpoints -- --short --record" on a quiet machine.',
  );
const recorded = options.short && options.check ? JSON.parse(readFileSync(ratiosFile, 'utf8')) : {};

/** Two digits after the point where one would hide a tenth of a ratio's budget. */
const ms = (n) => n.toFixed(n < 10 ? 2 : 1);
const known = (n) => (n === undefined || Number.isNaN(n) ? '-' : ms(n));
const amount = (n) => (n === undefined || Number.isNaN(n) ? '-' : n.toFixed(1));
/** The processes that spend at least a tenth of a millisecond on a request. */
const processorText = (processor = {}) =>
  Object.entries(processor)
    .filter(([, n]) => n >= 0.1)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, n]) => `${kind} ${ms(n)}`)
    .join(', ') || '-';
/** Headings and cells of the bare server behind a hop, for results that have a ratio to it. */
const hopColumns = {
  'hop p50 ms': ({ hop }) => ms(hop),
  'hop processor ms': ({ processor: { front, service } }) => processorText({ front, service }),
  'ratio to hop': ({ ratioToHop }) => ms(ratioToHop),
};
const columns = {
  endpoint: ({ path }) => `\`${path}\``,
  items: ({ items }) => (items === undefined ? '' : String(items)),
  'p50 ms': ({ p50 }) => ms(p50),
  'p95 ms': ({ p95 }) => ms(p95),
  calls: ({ costs }) => amount(costs?.calls),
  statements: ({ costs }) => amount(costs?.statements),
  'processor ms': ({ costs }) => processorText(costs?.processor),
  'bare p50 ms': ({ bare }) => ms(bare),
  'bare processor ms': ({ processor }) => known(processor.bare),
  ...(withHop &&
    Object.fromEntries(
      Object.entries(hopColumns).map(([heading, cell]) => [
        heading,
        (result) => (result.ratioToHop === undefined ? '-' : cell(result)),
      ]),
    )),
  ratio: ({ ratio }) => ms(ratio),
  budget: ({ budget }) => (budget === undefined ? '' : String(budget)),
  '': ({ ratio, budget }) => (budget !== undefined && ratio > budget ? 'MISSED' : ''),
};

const isMissed = ({ ratio, budget }) => budget !== undefined && ratio > budget;
const isBeyond = ({ ratio, budget }) => budget !== undefined && ratio > TOLERANCE * budget;

/** Prints the results of one round. */
function report(results) {
  print([Object.keys(columns), ...results.map((result) => Object.values(columns).map((cell) => cell(result)))]);
  const [missed, beyond] = [isMissed, isBeyond].map((is) => results.filter(is).length);
  process.stdout.write(
    `\n${results.length} endpoints, ${missed} beyond their budget, ${beyond} beyond twice their budget\n`,
  );
}

process.stderr.write('filling\n');
const world = await makeWorld(api, languages, strings, options.short ? { many: 20, components: 3 } : {});
/** Of all rounds. */
const results = [];
const regressions = [];
try {
  const costsOf = await makeCostMeter();
  const bare = await startBare(world.units);
  /** @type {Awaited<ReturnType<typeof startHop>> | undefined} */
  let hop;
  try {
    if (withHop) hop = await startHop(world.units);
    const servers = { bare, hop, costsOf };
    for (let round = 1; round <= rounds; round++) {
      for (const path of chosen) {
        process.stderr.write(`${path}\n`);
        let result = await measure(path, world, { ...servers, isWarm: round > 1 });
        for (let attempt = 1; attempt < ATTEMPTS && regressionsOf(result, recorded[path]).length > 0; attempt++)
          result = await measure(path, world, servers);
        results.push(result);
        regressions.push(...regressionsOf(result, recorded[path]));
      }
      report(results.slice(-chosen.length));
    }
  } finally {
    await hop?.stop();
    await bare.stop();
  }
} finally {
  await world.remove();
}

if (options.record) {
  const round = (n) => Math.round(n * 10) / 10;
  const ratios = results.map(({ path, ratio, costs }) => [
    path,
    { ratio: round(ratio), ...(costs && { calls: round(costs.calls), statements: round(costs.statements) }) },
  ]);
  writeFileSync(ratiosFile, `${JSON.stringify(Object.fromEntries(ratios), null, 2)}\n`);
}
if (regressions.length > 0) process.stdout.write(`${regressions.join('\n')}\n`);
if (options.check && (options.short ? regressions : results.filter(isBeyond)).length > 0) process.exitCode = 1;
