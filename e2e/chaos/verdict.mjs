// Verdict of a run: outage of clients by kind of fault, and whether every acknowledged write exists.

import { OPERATION_PATIENCE_MS } from './actors.mjs';

/** Recovery timeout of clients, in milliseconds: a request that the fault interrupted may take all of its time, and the next one has to succeed. */
export const GIVE_UP_MS = 2.5 * OPERATION_PATIENCE_MS;
/** Actors whose requests take milliseconds without faults. */
export const INTERACTIVE = new Set(['edit', 'read', 'statistics']);

/** Longest gap between two successes of an actor that overlaps a time span. */
function longestGap(successes, from, to) {
  let longest = 0;
  for (let at = 1; at < successes.length && successes[at - 1] <= to; at++)
    if (successes[at] >= from) longest = Math.max(longest, successes[at] - successes[at - 1]);
  return longest;
}

/** Adds to each fault the longest gap of an interactive client, which is known only after the run. */
function lookBack(happened, actors) {
  const interactive = actors.filter(({ kind }) => INTERACTIVE.has(kind));
  for (const [at, { began, ended, times }] of happened.entries()) {
    const next = happened[at + 1]?.began ?? ended + GIVE_UP_MS;
    times.gap = Math.max(...interactive.map(({ successes }) => longestGap(successes, began, next)));
  }
}

/**
 * @param {{kind: string, began: number, ended: number, times: Record<string, number | undefined>}[]} happened
 * @param {import('./actors.mjs').Actor[]} actors
 */
export function summarize(happened, actors, found) {
  lookBack(happened, actors);
  const kinds = {};
  for (const { kind, times } of happened) {
    const row = (kinds[kind] ??= { faults: 0, worst: {} });
    row.faults++;
    for (const [who, time] of Object.entries(times)) row.worst[who] = Math.max(row.worst[who] ?? 0, time ?? 0);
  }
  const answers = {};
  for (const { kind, counts, examples } of actors) {
    const row = (answers[kind] ??= { counts: {}, examples: {} });
    for (const [status, count] of Object.entries(counts)) row.counts[status] = (row.counts[status] ?? 0) + count;
    Object.assign(row.examples, examples);
  }
  const unrecovered = happened.flatMap(({ kind, times }) =>
    Object.entries(times)
      .filter(([, time]) => time >= GIVE_UP_MS)
      .map(([who]) => `${who} did not recover within ${GIVE_UP_MS / 1000} s after ${kind}`),
  );
  const worst = Math.max(0, ...happened.map(({ times }) => times.gap));
  return { faults: happened.length, kinds, answers, worst, unrecovered, ...found };
}

/** Whether clients recovered from every fault, every acknowledged write exists exactly once, and the statistics are right. */
export const holds = ({ lost, doubled, wrong, unrecovered }) =>
  lost.length + doubled.length + wrong.length + unrecovered.length === 0;

const COLUMNS = ['edit', 'read', 'statistics', 'upload', 'hook', 'operation', 'ready', 'gap'];

/** The report as text. */
export function print({ faults, kinds, answers, worst, acknowledged, lost, doubled, wrong, unrecovered }) {
  const seconds = (time) => (time === undefined ? '-' : (time / 1000).toFixed(1));
  const row = (title, count, cells) =>
    `${title.padEnd(22)}${String(count).padStart(7)}${cells.map((cell) => cell.padStart(11)).join('')}`;
  return [
    'Longest time until a request succeeded again, by fault; gap: between two responses to an interactive client. In seconds.',
    row('fault', 'count', COLUMNS),
    ...Object.entries(kinds)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([kind, { faults: count, worst: times }]) =>
        row(
          kind,
          count,
          COLUMNS.map((column) => seconds(times[column])),
        ),
      ),
    '',
    'Responses by status:',
    ...Object.entries(answers).map(
      ([kind, { counts }]) =>
        `  ${kind.padEnd(12)}${Object.entries(counts)
          .map(([status, count]) => `${status}: ${count}`)
          .join(', ')}`,
    ),
    ...Object.entries(answers).flatMap(([kind, { examples }]) =>
      Object.entries(examples).map(([status, body]) => `  ${kind} ${status}: ${body}`),
    ),
    '',
    `${faults} faults, ${acknowledged} texts acknowledged, ${lost.length} lost, ${doubled.length} duplicated, ${wrong.length} wrong statistics`,
    `longest gap of an interactive client: ${seconds(worst)} s`,
    ...[...lost, ...doubled, ...wrong, ...unrecovered].slice(0, 30).map((line) => `  ${line}`),
  ].join('\n');
}
