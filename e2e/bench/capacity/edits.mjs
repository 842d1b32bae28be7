// What the requests of an editor take: processor time of each process and engine, and what an edit leaves in the stores.
import { setTimeout as pause } from 'node:timers/promises';
import { importComponent } from '../support/setup.mjs';
import { serveTexts } from '../support/serve-texts.mjs';
import { growthTable, processTable, row, say } from './tables.mjs';

/** Strings of a list that an editor reads. */
const PAGE = 20;
/** Time over which the processor time without requests is measured, in milliseconds. */
const IDLE_MS = 5_000;
const PROJECT = 'edits';
/** The edited translation, and the one that the warm-up edits. */
const EDITED = 'cs';
const WARMED = 'de';

const pathOf = (code) => `/api/translations/${PROJECT}/bench/${code}`;

/** The requests of one action of an editor, by name. @param units strings of the translation `code` */
function requestsOf(api, code, units) {
  const pages = Math.max(1, Math.floor(units.length / PAGE));
  return {
    [`list of ${PAGE}`]: (i) => api.get(`${pathOf(code)}/units/?page_size=${PAGE}&page=${1 + (i % pages)}`),
    string: (i) => api.get(`/api/units/${units[i % units.length].id}/`),
    statistics: () => api.get(`${pathOf(code)}/statistics/`),
    edit: (i) => {
      const { id, source } = units[i % units.length];
      return api.patch(`/api/units/${id}/`, { target: [`Edit ${i}: ${source[0]}`], state: 20 });
    },
  };
}

/** Differences of processor times, in milliseconds. */
const between = (before, after) =>
  Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, ms - (before[name] ?? 0)]));

/** Runs work. @returns its duration and the processor time of everything meanwhile, in milliseconds */
async function costsOf(installation, work) {
  const before = installation.processorTimes();
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  return { ms, processor: between(before, installation.processorTimes()) };
}

/** Processor time of a request, in milliseconds, without that of the background; `work` sends `count` of them. */
async function costOfRequest(installation, idle, count, work) {
  const { ms, processor } = await costsOf(installation, work);
  const each = Object.entries(processor).map(([name, total]) => {
    const background = ((idle.processor[name] ?? 0) * ms) / idle.ms;
    return [name, Math.max(0, total - background) / count];
  });
  return Object.fromEntries(each);
}

/** The strings of a translation that have one text each. */
async function singularUnits(api, code) {
  const units = await api.all(`${pathOf(code)}/units/?page_size=1000`);
  return units.filter(({ source }) => source.length === 1);
}

const sumOf = (costs) => Object.values(costs).reduce((sum, ms) => sum + ms, 0);
const together = (list) =>
  Object.fromEntries(Object.keys(list[0]).map((name) => [name, list.reduce((sum, costs) => sum + costs[name], 0)]));

/** Processor time of each request by process, with the work that its events cause later. */
async function requestCosts(installation, requests, count) {
  const idle = await costsOf(installation, () => pause(IDLE_MS));
  /** @type {Record<string, Record<string, number>>} */
  const costs = {};
  for (const [name, request] of Object.entries(requests))
    costs[name] = await costOfRequest(installation, idle, count, async () => {
      for (let i = 0; i < count; i++) await request(i);
      if (name === 'edit') await installation.settled();
    });
  return { costs, idle };
}

function printCosts({ costs, idle }) {
  const columns = Object.values(costs);
  const withSum = (each) => ({ ...each, all: sumOf(each) });
  say('\nProcessor time of a request in milliseconds, without the background');
  processTable([...Object.keys(costs), 'all four'], [...columns, together(columns)].map(withSum), 2);
  say(`\nBackground, in percent of a processor: ${((100 * sumOf(idle.processor)) / idle.ms).toFixed(1)}`);
}

/**
 * Measures the requests of an editor one after the other, and counts what edits leave.
 * @param {import('./installation.mjs').Installation} installation
 * @param {number} count requests of each kind; each edit changes another string
 * @param {number} warmUp requests of each kind before
 */
export async function measureEdits(installation, count, warmUp) {
  const { api } = installation;
  // One string in ten is plural and not edited.
  const strings = Math.ceil((count * 10) / 9) + 10;
  const texts = await serveTexts([EDITED, WARMED], strings);
  try {
    await importComponent(api, PROJECT, texts.url, strings * 3);
    const warm = requestsOf(api, WARMED, await singularUnits(api, WARMED));
    for (let i = 0; i < warmUp; i++) for (const request of Object.values(warm)) await request(i);
    await installation.settled();
    const counts = async () => ({
      stored: await installation.collections(),
      stream: await installation.streamBytes(),
      redis: await installation.redisBytes(),
    });
    const units = await singularUnits(api, EDITED);
    const before = await counts();
    const measured = await requestCosts(installation, requestsOf(api, EDITED, units), count);
    const after = await counts();
    printCosts(measured);
    say(`\nPer edit, of ${count}`);
    growthTable(before.stored, after.stored, count);
    row('event stream', '', ((after.stream - before.stream) / count).toFixed(0));
    const requests = Object.keys(measured.costs).length * count;
    say(
      `\nRedis, bytes per request in the window of the rate limit: ${((after.redis - before.redis) / requests).toFixed(0)}`,
    );
  } finally {
    texts.stop();
  }
}
