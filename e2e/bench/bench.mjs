// npm run bench: measures a running Parlance over HTTP, and with --peer the peer (docs/glossary.md) in the same run.
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeApi } from '../support/api.mjs';
import { exchange } from './support/exchange.mjs';
import { serveTexts } from './support/serve-texts.mjs';
import { callsPerReplica, shares, unevenShares } from './support/shares.mjs';
import { learned, measure, measureBare } from './figures.mjs';
import { LANGUAGES, round } from './support/requests.mjs';
import { measureGrowth, readSizes } from './growth.mjs';
import { adminToken, DEFAULT_URL, dataDir, importComponent, runState } from './support/setup.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: DEFAULT_URL },
    token: { type: 'string' },
    peer: { type: 'string' },
    'peer-token': { type: 'string' },
    languages: { type: 'string', default: '20' },
    strings: { type: 'string', default: '3500' },
    requests: { type: 'string', default: '400' },
    loaded: { type: 'string', default: '0' },
    grow: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
    bare: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout
    .write(`npm run bench -- [--url URL] [--token T] [--peer URL --peer-token T] [--languages 20] [--strings 3500] [--requests 400] [--bare] [--loaded UNITS] [--grow 10k,100k,1m [--keep]]

With --bare it measures a bare express with the driver over the same store, too: what this machine gives at the moment.
With --loaded it measures twice, the second time beside a project of so many units, and prints by how much the figures changed.
With --grow it measures beside other projects until the installation has so many units, for each size, and prints a table and a chart;
with --keep it leaves these projects.
Start Parlance with PARLANCE_RATE_LIMIT_AUTHENTICATED=off first: a benchmark makes more requests than a user may.
`);
  process.exit(0);
}
const token = options.token ?? process.env.PARLANCE_TOKEN ?? adminToken();
const [languageCount, stringCount, requestCount, loaded] = [
  options.languages,
  options.strings,
  options.requests,
  options.loaded,
].map(Number);

/** Limit of each figure. Figures beyond their limit are marked. */
/** @type {Record<string, { atLeast?: number, atMost?: number }>} */
const budgets = {
  'import, units/s': { atLeast: 8000 },
  'GET unit, p50 ms': { atMost: 4 },
  'list of 100 units, p50 ms': { atMost: 15 },
  'list of 100 units at 16 clients, /s': { atLeast: 120 },
  'PATCH unit, p50 ms': { atMost: 10 },
  'PATCH unit at 8 clients, /s': { atLeast: 200 },
  'upload of a PO with 1% changed, p50 ms': { atMost: 150 },
  'download as XLIFF after a change, p50 ms': { atMost: 100 },
  'idle memory of all processes, MB': { atMost: 900 },
};

/** Figures of the baseline server on the machine that the limits were set on, to compare the speed of machines. */
const bareThen = {
  'list of 100 units, p50 ms': 11,
  'list of 100 units at 16 clients, /s': 159,
  'PATCH unit at 8 clients, /s': 860,
};

/** Resident memory of the local processes in MB; undefined if they run on another machine. */
function idleMemory() {
  const state = runState();
  if (!state) return undefined;
  let sum = 0;
  for (const pid of Object.values(state.processes ?? {})) {
    const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
    sum += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  }
  return sum || undefined;
}

const memory = idleMemory();
const codes = LANGUAGES.slice(0, languageCount);

/** Prints the figures of two columns side by side; a ratio above 1 means that the first one is better. */
function print(columns, [first, second], limits = budgets) {
  const rows = Object.keys(first).map((name) => {
    const [a, b, budget] = [first[name], second[name], limits[name]];
    const met = !budget
      ? ''
      : (budget.atLeast === undefined || a >= budget.atLeast) && (budget.atMost === undefined || a <= budget.atMost)
        ? 'met'
        : 'MISSED';
    const wanted = !budget ? '' : budget.atLeast ? `>= ${budget.atLeast}` : `<= ${budget.atMost}`;
    const ratio = b === undefined ? '' : `${round(name.includes('/s') ? a / b : b / a)}x`;
    return [name, String(round(a)), b === undefined ? '' : String(round(b)), ratio, wanted, met];
  });
  const table = [['figure', ...columns, 'ratio', 'budget', ''], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  process.stdout.write(`\n${languageCount} languages x ${stringCount} strings\n`);
  for (const row of table)
    process.stdout.write(
      `${row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
        .join('  ')
        .trimEnd()}\n`,
    );
}

const api = makeApi(options.url, token, exchange);
const { url, stop } = await serveTexts(codes, stringCount);
const plan = { url, codes, strings: stringCount, requests: requestCount };
if (options.grow) {
  try {
    process.stdout.write(await measureGrowth(api, plan, readSizes(options.grow), options.keep));
  } finally {
    stop();
  }
  process.exit();
}
const callsBefore = await callsPerReplica(dataDir);
try {
  const [ours, theirs, beside, bare] = [{}, {}, {}, {}];
  await measure('Parlance', api, plan, ours, async (address) => {
    if (options.bare) await measureBare(await api.all(`${address}?page_size=1000`), requestCount, bare);
  });
  const callsAfter = await callsPerReplica(dataDir);
  process.stdout.write(shares(callsBefore, callsAfter));
  for (const kind of unevenShares(callsBefore, callsAfter)) {
    process.stderr.write(`${kind}: a replica got less than 80 % of an even share of the calls\n`);
    process.exitCode = 1;
  }
  if (memory) ours['idle memory of all processes, MB'] = memory;
  if (options.peer)
    await measure('peer', makeApi(options.peer, options['peer-token'], exchange), plan, theirs).catch((error) => {
      // Figures are expensive; prints those measured before the failure.
      process.stderr.write(`peer: ${error.stack}\n`);
      process.exitCode = 1;
    });
  print(['Parlance', 'peer'], [ours, theirs]);
  if (options.bare) {
    print(['Parlance', 'bare'], [Object.fromEntries(Object.keys(bare).map((name) => [name, ours[name]])), bare]);
    print(
      ['bare here', 'bare there'],
      [Object.fromEntries(Object.keys(bareThen).map((name) => [name, bare[name]])), bareThen],
      {},
    );
  }
  if (loaded > 0) {
    const strings = Math.ceil(loaded / (codes.length + 1));
    const others = await serveTexts(codes, strings);
    const slug = `loaded-${Date.now().toString(36)}`;
    try {
      process.stderr.write(`Parlance: importing ${loaded} other units\n`);
      const { task_url: task } = await importComponent(api, slug, others.url, strings * (codes.length + 1));
      if (task) await api.finished(task);
      process.stderr.write('Parlance: filling the translation memory\n');
      await learned(api);
      await measure(`Parlance beside ${loaded} units`, api, plan, beside);
      print([`beside ${loaded} units`, 'alone'], [beside, ours]);
    } finally {
      await api.send('DELETE', `/api/projects/${slug}/`);
      others.stop();
    }
  }
} finally {
  stop();
}
