// Processor time that work costs each process and engine.
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../support/api.mjs';
import { say } from './tables.mjs';

/**
 * Processor time by process of some work, and its duration, in milliseconds.
 * @typedef {object} Costs
 * @property {number} ms
 * @property {Record<string, number>} processor
 */

/** Time over which the processor time without requests is measured, in milliseconds. */
const IDLE_MS = 10_000;
/** Time after the work in which its events are handled, in milliseconds. Looking for their end would cost more than they do. */
const EVENTS_MS = 3_000;

export const sumOf = (costs) => Object.values(costs).reduce((sum, ms) => sum + ms, 0);

/** Differences of processor times, in milliseconds. A process that started meanwhile counts from its start. */
export const between = (before, after) =>
  Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, ms - (before[name] ?? 0)]));

/**
 * Processor time of one of `count` actions by process, without the background.
 * @param {Costs} costs of all actions
 * @param {Costs} idle costs without requests
 * @param {number} count
 * @returns {Record<string, number>}
 */
export const costOfOne = (costs, idle, count) =>
  Object.fromEntries(
    Object.entries(costs.processor).map(([name, total]) => {
      const background = ((idle.processor[name] ?? 0) * costs.ms) / idle.ms;
      return [name, Math.max(0, total - background) / count];
    }),
  );

/** Processor time of the background, in percent of a processor. @param {Costs} idle */
export const backgroundPercent = ({ processor, ms }) => (100 * sumOf(processor)) / ms;

/**
 * Runs work.
 * @param {import('./installation.mjs').Installation} installation
 * @param {() => Promise<unknown>} work
 * @returns {Promise<Costs>}
 */
export async function costsOf(installation, work) {
  const before = installation.processorTimes();
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  return { ms, processor: between(before, installation.processorTimes()) };
}

/** Costs without requests. @param {import('./installation.mjs').Installation} installation */
export const idleCosts = (installation) => costsOf(installation, () => pause(IDLE_MS));

/** Processor time above that of an idle installation with which work counts as done, in percent of a processor. */
const DONE_PERCENT = 5;

/**
 * Waits for all events, and for the passes over new strings that follow them and that no metric of events shows.
 * @param {import('./installation.mjs').Installation} installation
 * @param {Costs} idle
 */
export async function untilIdle(installation, idle) {
  await installation.settled();
  await eventually(
    async () => backgroundPercent(await idleCosts(installation)),
    (percent) => percent <= backgroundPercent(idle) + DONE_PERCENT,
    600_000,
  );
}

/**
 * Runs work and waits for its events.
 * @param {import('./installation.mjs').Installation} installation
 * @param {() => Promise<unknown>} work
 */
export async function costsWithEvents(installation, work) {
  const costs = await costsOf(installation, async () => {
    await work();
    await pause(EVENTS_MS);
  });
  const waiting = await installation.waitingEvents();
  if (waiting > 0) say(`The costs are too low: ${waiting} events were not handled yet.`);
  return costs;
}
