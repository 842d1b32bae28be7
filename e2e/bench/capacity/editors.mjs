// The load of many active editors on a running installation.
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { ApiError, makeApi } from '../../support/api.mjs';
import { together } from '../../support/together.mjs';
import { exchange } from '../support/exchange.mjs';
import { measureBusyShare } from '../support/processor-times.mjs';
import { serveTexts } from '../support/serve-texts.mjs';
import { checkRateLimit, importComponent } from '../support/setup.mjs';
import { kindOf, processorMs } from '../process-costs.mjs';
import { act, requestsOf, singularUnits } from './actions.mjs';
import { backgroundPercent, costOfOne, costsOf, costsWithEvents, idleCosts, sumOf } from './costs.mjs';
import { Installation } from './installation.mjs';
import { PERIOD_MS, scheduleOf, sendWhenDue, summaryOf } from './load.mjs';
import { costTable, markdownRow, markdownTitles, processTable, say } from './tables.mjs';

const CODES = ['cs', 'de', 'fr', 'it'];
/** Strings of a language. So many that editors rarely work on the same one. */
const STRINGS = 2_000;
/** Time after which an editor gives up, in milliseconds. */
const GIVE_UP_MS = 30_000;
const WARM_UP_CLIENTS = 4;

/** Sends a request. @returns the reason of its failure */
async function outcomeOf(request) {
  try {
    await request();
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? String(error.status) : (error.code ?? error.name);
  }
}

/** The requests of each action: editors work in all languages, and each action edits the next string of its language. */
function actionsOf(api, project, languages, text) {
  return (action) => {
    const { code, units } = languages[action % languages.length];
    const i = Math.floor(action / languages.length);
    return requestsOf(api, `/api/translations/${project}/bench/${code}`, units, i, text);
  };
}

/** Measures the load of some editors. @returns figures of its requests, and of the processors */
async function measureLoad(installation, idle, { editors, forMs, requests, firstAction }) {
  const schedule = scheduleOf(editors, forMs, Math.random);
  const processors = cpus().length;
  let [busy, own, client] = [0, 0, 0];
  let outcomes = /** @type {import('./load.mjs').Outcome[]} */ ([]);
  const costs = await costsWithEvents(installation, async () => {
    const clientBefore = processorMs(process.pid);
    const { ms, processor } = await costsOf(installation, async () => {
      const busyShare = measureBusyShare();
      outcomes = await sendWhenDue(schedule, ({ kind, action }) => outcomeOf(requests(firstAction + action)[kind]));
      busy = busyShare();
    });
    own = sumOf(processor) / ms / processors;
    client = (processorMs(process.pid) - clientBefore) / ms / processors;
  });
  const actions = schedule.filter(({ kind }) => kind === 'edit').length;
  const due = (schedule.length * 1_000) / forMs;
  return { ...summaryOf(outcomes, forMs), due, busy, own, client, action: costOfOne(costs, idle, actions) };
}

const rounded = (ms) => (ms === undefined ? '-' : ms.toFixed(0));
const percent = (share) => `${(100 * share).toFixed(0)} %`;

const TITLES = [
  'active editors',
  'requests/s due',
  'answered',
  'p50, p95, p99 in ms',
  'p99 of edits in ms',
  'failures',
  'processors busy: all, installation, client',
  'p99 of the delay of the client in ms',
];

function printLoad(editors, { due, perSecond, percentiles, editP99, failures, busy, own, client, lateP99 }) {
  const failed = Object.entries(failures).map(([reason, count]) => `${count} × ${reason}`);
  markdownRow(
    editors,
    due.toFixed(0),
    perSecond.toFixed(0),
    percentiles.map(rounded).join(', '),
    rounded(editP99),
    failed.join(', ') || 'none',
    [busy, own, client].map(percent).join(', '),
    rounded(lateP99),
  );
}

/** Number of replicas by kind of process. */
function replicasOf(installation) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const name of Object.keys(installation.running.processes))
    counts[kindOf(name)] = (counts[kindOf(name)] ?? 0) + 1;
  return Object.entries(counts)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ');
}

/** Imports the strings that editors work on. @returns the strings of each language */
async function importLanguages(api, project) {
  const texts = await serveTexts(CODES, STRINGS);
  try {
    await importComponent(api, project, texts.url, STRINGS * (CODES.length + 1));
  } finally {
    texts.stop();
  }
  const languages = [];
  for (const code of CODES)
    languages.push({ code, units: await singularUnits(api, `/api/translations/${project}/bench/${code}`) });
  return languages;
}

/**
 * Measures each number of editors for some time on an installation that `npm start` runs, and prints what they got and what they cost.
 * @param {{ url: string, token: string, dataDir: string }} system
 * @param {number[]} steps numbers of editors
 * @param {number} seconds
 * @param {number} warmUp actions before, one after the other by a few clients
 */
export async function measureEditors({ url, token, dataDir }, steps, seconds, warmUp) {
  if (!existsSync(join(dataDir, 'run.json')))
    throw new Error(`${dataDir} has no run.json: set PARLANCE_DATA_DIR to the data directory of a running "npm start"`);
  if ((seconds * 1_000) % PERIOD_MS !== 0) throw new Error('--seconds must be a multiple of 10, the time of an action');
  const api = makeApi(url, token, (address, request) =>
    exchange(address, { ...request, signal: AbortSignal.timeout(GIVE_UP_MS) }),
  );
  await checkRateLimit('Parlance', api);
  const installation = new Installation(dataDir);
  const project = `editors-${Date.now().toString(36)}`;
  try {
    const languages = await importLanguages(api, project);
    const warm = actionsOf(api, project, languages, 'Warm-up');
    await together(
      Array.from({ length: warmUp }, (_, action) => () => act(warm(action))),
      WARM_UP_CLIENTS,
    );
    await installation.settled();
    const idle = await idleCosts(installation);
    say(`\nActive editors for ${seconds} s each; ${cpus().length} processors; replicas: ${replicasOf(installation)}`);
    markdownTitles(...TITLES);
    /** @type {Record<string, Record<string, number>>} */
    const costs = {};
    const memory = [await installation.memory()];
    let firstAction = 0;
    for (const editors of steps) {
      const requests = actionsOf(api, project, languages, `Edit of ${editors} editors`);
      const result = await measureLoad(installation, idle, { editors, forMs: seconds * 1_000, requests, firstAction });
      firstAction += editors * (1 + (seconds * 1_000) / PERIOD_MS);
      printLoad(editors, result);
      costs[editors] = result.action;
      memory.push(await installation.memory());
      await installation.settled();
    }
    say('\nProcessor time of an action in milliseconds, without the background');
    costTable(costs, ['translation', 'gateway', 'mongo', 'statistics', 'nats', 'redis']);
    say(`\nBackground, in percent of a processor: ${backgroundPercent(idle).toFixed(1)}`);
    say('\nResident memory in MiB: after the warm-up, and at the end of each load');
    processTable(['warm-up', ...steps.map(String)], memory);
  } finally {
    await api.send('DELETE', `/api/projects/${project}/`);
  }
}
