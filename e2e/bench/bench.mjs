// npm run bench: measures a running Parlance over HTTP, and with --peer the peer (docs/glossary.md) in the same run.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeApi } from '../support/api.mjs';
import { startBare } from './bare-server.mjs';
import { exchange } from './exchange.mjs';
import { serveTexts } from './serve-texts.mjs';
import { callsPerReplica, shares } from './shares.mjs';
import { adminToken, DEFAULT_URL, dataDir, importComponent, median } from './setup.mjs';

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
    bare: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout
    .write(`npm run bench -- [--url URL] [--token T] [--peer URL --peer-token T] [--languages 20] [--strings 3500] [--requests 400] [--bare] [--loaded UNITS]

With --bare it measures a bare express with the driver over the same store, too: what this machine gives at the moment.
With --loaded it measures twice, the second time beside a project of so many units, and prints by how much the figures changed.
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

const round = (n) => (n >= 100 ? Math.round(n) : Math.round(n * 10) / 10);

async function serial(count, request) {
  const times = [];
  for (let i = 0; i < count; i++) {
    const begun = performance.now();
    await request(i);
    times.push(performance.now() - begun);
  }
  return median(times);
}

async function timed(request) {
  const begun = performance.now();
  await request();
  return performance.now() - begun;
}

/** A form with a PO file in which every hundredth singular text is changed. */
function changedFile(text, round) {
  let seen = 0;
  let changed = 0;
  // The first entry is the header.
  const content = text.replace(/^msgstr "([^"\n]+)"$/gm, (line) => {
    if (seen++ % 100 !== round) return line;
    changed++;
    return `msgstr "Uploaded ${round}, ${changed}"`;
  });
  const form = new FormData();
  form.append('conflicts', 'replace-translated');
  form.append('file', new Blob([content]), 'texts.po');
  return { form, changed };
}

async function concurrent(clients, count, request) {
  let next = 0;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < count) await request(next++);
    }),
  );
  return (count * 1000) / (performance.now() - begun);
}

/** Resolves when the translation memory, which imports fill in the background, stops growing. */
async function learned(api) {
  for (let before = -1; ;) {
    const { count } = await api.get('/api/memory/?page_size=1');
    if (count === before) return;
    before = count;
    await new Promise((resolve) => setTimeout(resolve, 10_000));
  }
}

/** Figures of the baseline server on the machine that the limits were set on, to compare the speed of machines. */
const bareThen = {
  'list of 100 units, p50 ms': 11,
  'list of 100 units at 16 clients, /s': 159,
  'PATCH unit at 8 clients, /s': 860,
};

/**
 * Measures reads and edits, serial and concurrent. Warm-up requests are not measured: the JIT compiles hot code, and an
 * import is still processed in the background.
 */
async function measureRequests(say, { get, list, patch }, figures) {
  say('reading');
  await serial(2000, get);
  figures['GET unit, p50 ms'] = await serial(requestCount, get);
  await serial(50, list);
  figures['list of 100 units, p50 ms'] = await serial(Math.min(requestCount, 200), list);
  figures['list of 100 units at 16 clients, /s'] = await concurrent(16, requestCount, list);
  say('editing');
  await serial(1000, patch);
  figures['PATCH unit, p50 ms'] = await serial(Math.min(requestCount, 200), patch);
  figures['PATCH unit at 8 clients, /s'] = await concurrent(8, requestCount, patch);
}

/** Measures the baseline server with the same units in the same store. @param units units as returned by the API */
async function measureBare(units, figures) {
  const say = (text) => process.stderr.write(`bare express and driver: ${text}\n`);
  const { api: bare, stop } = await startBare(units);
  try {
    const pages = Math.floor(units.length / 100);
    const get = (i) => bare.get(`/units/${units[i % units.length].id}`);
    const list = (i) => bare.get(`/units?page=${(i % pages) + 1}`);
    const patch = (i) => bare.patch(`/units/${units[i % units.length].id}`, { target: [`Text ${i}`], state: 20 });
    await measureRequests(say, { get, list, patch }, figures);
  } finally {
    await stop();
  }
}

/**
 * Measures one system. Adds each figure to `figures` as soon as it is known.
 *
 * @param {(address: string) => Promise<unknown>} meanwhile runs while the units at this address exist
 */
async function measure(name, api, repositoryUrl, codes, figures, meanwhile = async () => undefined) {
  const say = (text) => process.stderr.write(`${name}: ${text}\n`);
  const slug = `bench-${Date.now().toString(36)}`;
  const limited = await api.send('GET', '/api/projects/');
  const limit = Number(limited.headers.get('x-ratelimit-limit') ?? Infinity);
  if (limited.status !== 200)
    throw new Error(`${name} responds with ${limited.status}: ${JSON.stringify(limited.body)}`);
  if (limit < 100_000)
    throw new Error(`${name} allows only ${limit} requests; start it with PARLANCE_RATE_LIMIT_AUTHENTICATED=off`);

  say('importing');
  const total = (codes.length + 1) * stringCount;
  const begun = performance.now();
  const component = await importComponent(api, slug, repositoryUrl, total);
  const seconds = (performance.now() - begun) / 1000;
  figures['import, units/s'] = total / seconds;
  if (component.task_url) await api.finished(component.task_url);

  const path = `/api/translations/${slug}/bench/${codes[0]}`;
  const ids = [];
  for (let page = 1; ids.length < Math.min(stringCount, 1000); page++) {
    const answer = await api.get(`${path}/units/?page_size=100&page=${page}`);
    ids.push(...answer.results.filter((u) => u.source.length === 1).map((u) => u.id));
    if (!answer.next) break;
  }
  const pages = Math.floor(stringCount / 100);
  const get = (i) => api.get(`/api/units/${ids[i % ids.length]}/`);
  const list = (i) => api.get(`${path}/units/?page_size=100&page=${(i % pages) + 1}`);
  let edit = 0;
  const patch = (i) =>
    api.patch(`/api/units/${ids[i % ids.length]}/`, { target: [`Text ${++edit} from the benchmark`], state: 20 });
  await measureRequests(say, { get, list, patch }, figures);
  figures['statistics of a translation, p50 ms'] = await serial(30, () => api.get(`${path}/statistics/`));
  figures['changes of a project, p50 ms'] = await serial(30, () => api.get(`/api/projects/${slug}/changes/`));
  await meanwhile(`${path}/units/`);
  say('searching and downloading');
  const search = (where) => (i) => api.get(`${where}?q=${encodeURIComponent(`target:"Text ${i + 1} from"`)}`);
  await serial(10, search(`${path}/units/`));
  figures['text search in a translation, p50 ms'] = await serial(30, search(`${path}/units/`));
  // The first searches fill caches that the measured ones use.
  await serial(30, search('/api/units/'));
  figures['text search in all units, p50 ms'] = await serial(30, search('/api/units/'));
  const afterEdits = async (request) => {
    const times = [];
    for (let i = 0; i < 10; i++) {
      await patch(i);
      times.push(await timed(request));
    }
    return median(times);
  };
  figures['download of a PO after a change, p50 ms'] = await afterEdits(() => api.bytes(`${path}/file/`));
  figures['download of an unchanged PO, p50 ms'] = await serial(30, () => api.bytes(`${path}/file/`));
  figures['download as XLIFF after a change, p50 ms'] = await afterEdits(() => api.bytes(`${path}/file/?format=xliff`));
  say('uploading');
  const stored = (await api.bytes(`${path}/file/`)).toString('utf8');
  const uploads = [];
  for (let i = 0; i < 10; i++) {
    const { form, changed } = changedFile(stored, i);
    const begun = performance.now();
    const answer = await api.post(`${path}/file/`, form).catch((error) => {
      // A server may close a kept-alive connection while a body is in flight.
      if (['EPIPE', 'ECONNRESET'].includes(error.code)) return null;
      throw error;
    });
    if (!answer) continue;
    uploads.push(performance.now() - begun);
    if (answer.accepted < changed) throw new Error(`${name} accepted ${answer.accepted} of ${changed} texts`);
  }
  figures['upload of a PO with 1% changed, p50 ms'] = median(uploads);
  const changes = await api.get(`${path}/statistics/`);
  if (changes.total !== stringCount)
    throw new Error(`${name} counts ${changes.total} strings, expected ${stringCount}`);
  await api.send('DELETE', `/api/projects/${slug}/`);
}

/** Resident memory of the local processes in MB; undefined if they run on another machine. */
function idleMemory() {
  const file = join(dataDir, 'run.json');
  if (!existsSync(file)) return undefined;
  const { processes } = JSON.parse(readFileSync(file, 'utf8'));
  let sum = 0;
  for (const pid of Object.values(processes ?? {})) {
    const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
    sum += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  }
  return sum || undefined;
}

const memory = idleMemory();
const codes = [
  'cs',
  'de',
  'fr',
  'es',
  'it',
  'pl',
  'pt',
  'nl',
  'sv',
  'da',
  'fi',
  'hu',
  'ro',
  'sk',
  'sl',
  'hr',
  'uk',
  'bg',
  'el',
  'tr',
  'et',
  'lv',
  'lt',
  'ca',
].slice(0, languageCount);

/** Prints the figures of two columns side by side; a ratio above 1 means that the first one is better. */
function print(columns, [first, second], wishes = budgets) {
  const rows = Object.keys(first).map((name) => {
    const [a, b, budget] = [first[name], second[name], wishes[name]];
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
const callsBefore = await callsPerReplica(dataDir);
try {
  const [ours, theirs, beside, bare] = [{}, {}, {}, {}];
  await measure('Parlance', api, url, codes, ours, async (address) => {
    if (options.bare) await measureBare(await api.all(`${address}?page_size=1000`), bare);
  });
  process.stdout.write(shares(callsBefore, await callsPerReplica(dataDir)));
  if (memory) ours['idle memory of all processes, MB'] = memory;
  if (options.peer)
    await measure('peer', makeApi(options.peer, options['peer-token'], exchange), url, codes, theirs).catch((error) => {
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
      await measure(`Parlance beside ${loaded} units`, api, url, codes, beside);
      print([`beside ${loaded} units`, 'alone'], [beside, ours]);
    } finally {
      await api.send('DELETE', `/api/projects/${slug}/`);
      others.stop();
    }
  }
} finally {
  stop();
}
