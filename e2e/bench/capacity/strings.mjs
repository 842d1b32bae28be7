// What strings take: documents, bytes and memory.
import { importComponent } from '../support/setup.mjs';
import { serveTexts } from '../support/serve-texts.mjs';
import { backgroundPercent, costOfOne, costsOf, idleCosts, untilIdle } from './costs.mjs';
import { costTable, growthTable, processTable, row, say } from './tables.mjs';

/** Strings of the import that warms the processes up before the costs of one are measured. */
const WARM_UP_STRINGS = 8_000;

/** Counts after all work is done, then the memory after a restart. */
async function countsOf(installation, strings) {
  await installation.settled();
  const [memory, stream] = [await installation.memory(), await installation.streamBytes()];
  const stored = await installation.collections();
  await installation.restart();
  return { strings, memory, stream, stored, idle: await installation.memory() };
}

/** Imports a component with about so many strings in all languages together. @returns their exact number */
async function importStrings(api, project, codes, strings) {
  const each = Math.round(strings / (codes.length + 1));
  const texts = await serveTexts(codes, each);
  try {
    await importComponent(api, project, texts.url, each * (codes.length + 1));
  } finally {
    texts.stop();
  }
  return each * (codes.length + 1);
}

/** Prints the processor time of an import by warm processes. */
async function measureImport(installation, codes, strings) {
  const { api } = installation;
  await installation.settled();
  // The first seconds after a start are no background.
  await idleCosts(installation);
  const idle = await idleCosts(installation);
  await importStrings(api, 'warm-up', codes, WARM_UP_STRINGS);
  await untilIdle(installation, idle);
  let added = 0;
  const imported = await costsOf(installation, async () => (added = await importStrings(api, 'costs', codes, strings)));
  const after = await costsOf(installation, () => untilIdle(installation, idle));
  // A millisecond for a string is 1 000 seconds for a million.
  const perMillion = (costs) =>
    Object.fromEntries(Object.entries(costOfOne(costs, idle, added)).map(([name, ms]) => [name, ms * 1_000]));
  const rows = { 'until the strings are there': perMillion(imported), 'after it': perMillion(after) };
  say(`\nProcessor time of an import in seconds per million strings, counted with ${added}, without the background`);
  costTable(rows, ['translation', 'mongo', 'vcs-worker', 'git', 'gateway', 'statistics', 'nats']);
  say(`\nBackground, in percent of a processor: ${backgroundPercent(idle).toFixed(1)}`);
  say(`Strings a second: ${((added * 1_000) / imported.ms).toFixed(0)}`);
}

/**
 * Imports components until there are as many strings as each step says, and prints the growth of the last step and the processor time of one
 * more import of its size.
 * @param {import('./installation.mjs').Installation} installation
 * @param {number[]} steps strings in all languages together
 * @param {string[]} codes languages besides the source language
 */
export async function countStrings(installation, steps, codes) {
  const counts = [await countsOf(installation, 0)];
  for (const [i, step] of steps.entries()) {
    const added = step - (counts.at(-1)?.strings ?? 0);
    await importStrings(installation.api, `strings-${i}`, codes, added);
    counts.push(await countsOf(installation, step));
  }
  const [before, last] = counts.slice(-2);
  say('\nMemory in MiB: idle after a start, and at the end of the import');
  processTable(
    [...counts.map(({ strings }) => `${strings} idle`), ...counts.slice(1).map(({ strings }) => `${strings} import`)],
    [...counts.map(({ idle }) => idle), ...counts.slice(1).map(({ memory }) => memory)],
  );
  const added = last.strings - before.strings;
  say(`\nPer string, between ${before.strings} and ${last.strings}`);
  growthTable(before.stored, last.stored, added);
  row('event stream', '', ((last.stream - before.stream) / added).toFixed(0));
  await measureImport(installation, codes, added);
}
