// What the requests of an editor take: processor time of each process and engine, and what an edit leaves in the stores.
import { setTimeout as pause } from 'node:timers/promises';
import { importComponent } from '../support/setup.mjs';
import { serveTexts } from '../support/serve-texts.mjs';
import { growthTable, processTable, row, say } from './tables.mjs';

/** Strings of a list that an editor reads. */
const PAGE = 20;
/** Time over which the processor time without requests is measured, in milliseconds. */
const IDLE_MS = 5_000;
/** Time after the last action in which its events are handled, in milliseconds. Looking for their end would cost more than they do. */
const EVENTS_MS = 3_000;
const PROJECT = 'edits';
/** The edited translation, and the one that the warm-up edits. */
const EDITED = 'cs';
const WARMED = 'de';

const pathOf = (code) => `/api/translations/${PROJECT}/bench/${code}`;

const edit = (api, units, i, text) => {
  const { id, source } = units[i % units.length];
  return api.patch(`/api/units/${id}/`, { target: [`${text} ${i}: ${source[0]}`], state: 20 });
};

/** One action of an editor. The edit comes last, so that the next list is not one that a cache has. */
async function act(api, code, units, i) {
  const pages = Math.max(1, Math.floor(units.length / PAGE));
  await api.get(`${pathOf(code)}/units/?page_size=${PAGE}&page=${1 + (i % pages)}`);
  await api.get(`/api/units/${units[i % units.length].id}/`);
  await api.get(`${pathOf(code)}/statistics/`);
  await edit(api, units, i, 'Edit');
}

/** Requests of an action. */
const REQUESTS = 4;

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

/**
 * Processor time by process of one of `count` actions, in milliseconds, without the background and with the work that their events cause.
 * @param idle costs without requests
 */
async function costOfAction(installation, idle, count, action) {
  const { ms, processor } = await costsOf(installation, async () => {
    for (let i = 0; i < count; i++) await action(i);
    await pause(EVENTS_MS);
  });
  const waiting = await installation.waitingEvents();
  if (waiting > 0) say(`The costs are too low: ${waiting} events were not handled yet.`);
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

/** What an installation holds that edits add to. */
const countsOf = async (installation) => ({
  stored: await installation.collections(),
  stream: await installation.streamBytes(),
  redis: await installation.redisBytes(),
});

function printCosts(idle, action, editAlone) {
  const withSum = (each) => ({ ...each, all: sumOf(each) });
  say('\nProcessor time in milliseconds, without the background');
  processTable(['action', 'edit alone'], [action, editAlone].map(withSum), 2);
  say(`\nBackground, in percent of a processor: ${((100 * sumOf(idle.processor)) / idle.ms).toFixed(1)}`);
}

function printGrowth(before, after, count) {
  const each = (field, objects) => ((after[field] - before[field]) / objects).toFixed(0);
  say(`\nPer edit, of ${count}`);
  growthTable(before.stored, after.stored, count);
  row('event stream', '', each('stream', count));
  say(`\nRedis, bytes per request in the window of the rate limit: ${each('redis', count * REQUESTS)}`);
}

/**
 * Measures actions of an editor one after the other, and counts what their edits leave.
 * @param {import('./installation.mjs').Installation} installation
 * @param {number} count actions; each edits another string
 * @param {number} warmUp actions before
 */
export async function measureEdits(installation, count, warmUp) {
  const { api } = installation;
  // One string in ten is plural and not edited.
  const strings = Math.ceil((count * 10) / 9) + 10;
  const texts = await serveTexts([EDITED, WARMED], strings);
  try {
    await importComponent(api, PROJECT, texts.url, strings * 3);
    const others = await singularUnits(api, WARMED);
    for (let i = 0; i < warmUp; i++) await act(api, WARMED, others, i);
    await installation.settled();
    const units = await singularUnits(api, EDITED);
    const before = await countsOf(installation);
    const idle = await costsOf(installation, () => pause(IDLE_MS));
    const action = await costOfAction(installation, idle, count, (i) => act(api, EDITED, units, i));
    const after = await countsOf(installation);
    const editAlone = await costOfAction(installation, idle, count, (i) => edit(api, others, i, 'Another edit'));
    printCosts(idle, action, editAlone);
    printGrowth(before, after, count);
  } finally {
    texts.stop();
  }
}
