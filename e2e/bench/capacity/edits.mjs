// What the requests of an editor take: processor time of each process and engine, and what an edit leaves in the stores.
import { importComponent } from '../support/setup.mjs';
import { serveTexts } from '../support/serve-texts.mjs';
import { act, REQUESTS, requestsOf, singularUnits } from './actions.mjs';
import { backgroundPercent, costOfOne, costsWithEvents, idleCosts } from './costs.mjs';
import { costTable, growthTable, row, say } from './tables.mjs';

const PROJECT = 'edits';
/** The edited translation, and the one that the warm-up edits. */
const EDITED = 'cs';
const WARMED = 'de';

const pathOf = (code) => `/api/translations/${PROJECT}/bench/${code}`;

/** Processor time by process of one of `count` actions, with the work that their events cause. */
async function costOfAction(installation, idle, count, action) {
  const costs = await costsWithEvents(installation, async () => {
    for (let i = 0; i < count; i++) await action(i);
  });
  return costOfOne(costs, idle, count);
}

/** What an installation holds that edits add to. */
const countsOf = async (installation) => ({
  stored: await installation.collections(),
  stream: await installation.streamBytes(),
  redis: await installation.redisBytes(),
});

function printCosts(idle, action, editAlone) {
  const rows = { action, 'of it, edit alone': editAlone };
  say('\nProcessor time in milliseconds, without the background');
  costTable(rows, ['translation', 'gateway', 'mongo', 'statistics', 'nats', 'redis']);
  say(`\nBackground, in percent of a processor: ${backgroundPercent(idle).toFixed(1)}`);
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
    const others = await singularUnits(api, pathOf(WARMED));
    for (let i = 0; i < warmUp; i++) await act(requestsOf(api, pathOf(WARMED), others, i, 'Edit'));
    await installation.settled();
    const units = await singularUnits(api, pathOf(EDITED));
    const before = await countsOf(installation);
    const idle = await idleCosts(installation);
    const action = await costOfAction(installation, idle, count, (i) =>
      act(requestsOf(api, pathOf(EDITED), units, i, 'Edit')),
    );
    const after = await countsOf(installation);
    const editAlone = await costOfAction(installation, idle, count, (i) =>
      requestsOf(api, pathOf(WARMED), others, i, 'Another edit').edit(),
    );
    printCosts(idle, action, editAlone);
    printGrowth(before, after, count);
  } finally {
    texts.stop();
  }
}
