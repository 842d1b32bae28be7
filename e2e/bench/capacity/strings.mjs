// What strings take: documents, bytes and memory.
import { importComponent } from '../support/setup.mjs';
import { serveTexts } from '../support/serve-texts.mjs';
import { growthTable, processTable, row, say } from './tables.mjs';

/** Counts after all work is done, then the memory after a restart. */
async function countsOf(installation, strings) {
  await installation.settled();
  const [memory, stream] = [await installation.memory(), await installation.streamBytes()];
  const stored = await installation.collections();
  await installation.restart();
  return { strings, memory, stream, stored, idle: await installation.memory() };
}

/**
 * Imports components until there are as many strings as each step says, and prints the growth of the last step.
 * @param {import('./installation.mjs').Installation} installation
 * @param {number[]} steps strings in all languages together
 * @param {string[]} codes languages besides the source language
 */
export async function countStrings(installation, steps, codes) {
  const counts = [await countsOf(installation, 0)];
  for (const [i, step] of steps.entries()) {
    const added = step - (counts.at(-1)?.strings ?? 0);
    const texts = await serveTexts(codes, Math.round(added / (codes.length + 1)));
    try {
      await importComponent(installation.api, `strings-${i}`, texts.url, added);
    } finally {
      texts.stop();
    }
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
}
