// An open loop: requests are sent when they are due, whether or not the earlier ones were answered.
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../support/setup.mjs';

/** Time between two edits of an active editor, in milliseconds. */
export const PERIOD_MS = 10_000;
/** The requests of an action, and when an editor sends them after its start, in milliseconds. */
const OFFSETS_MS = { list: 0, string: 1_000, statistics: 2_000, edit: 5_000 };

/**
 * A request that is due.
 * @typedef {object} Due
 * @property {number} due milliseconds after the start
 * @property {string} kind
 * @property {number} action number of the action that it belongs to
 */

/**
 * What became of a request.
 * @typedef {object} Outcome
 * @property {string} kind
 * @property {number} late milliseconds between the time when it was due and its sending
 * @property {number} ms between the time when it was due and its answer
 * @property {number} at milliseconds after the start when it was answered
 * @property {string} [failure] status or error
 */

/**
 * Requests of editors who have been at work for some time, each with a phase of their own, ordered by time.
 * @param {number} editors
 * @param {number} forMs
 * @param {() => number} random between 0 and 1
 * @returns {Due[]}
 */
export function scheduleOf(editors, forMs, random) {
  const schedule = [];
  let action = 0;
  for (let editor = 0; editor < editors; editor++) {
    // The first action may have begun before the start; the rest of its requests is due after it.
    for (let start = (random() - 1) * PERIOD_MS; start < forMs; start += PERIOD_MS) {
      for (const [kind, offset] of Object.entries(OFFSETS_MS)) {
        const due = start + offset;
        if (due >= 0 && due < forMs) schedule.push({ due, kind, action });
      }
      action++;
    }
  }
  return schedule.sort((a, b) => a.due - b.due);
}

/**
 * Sends each request when it is due.
 * @param {Due[]} schedule
 * @param {(due: Due) => Promise<string | undefined>} send resolves with the reason of a failure
 * @returns {Promise<Outcome[]>} after all have ended
 */
export async function sendWhenDue(schedule, send) {
  const startedAt = performance.now();
  const now = () => performance.now() - startedAt;
  const sent = [];
  const follow = async (item) => {
    const late = now() - item.due;
    const failure = await send(item);
    const at = now();
    return { kind: item.kind, late, ms: at - item.due, at, failure };
  };
  for (const item of schedule) {
    const wait = item.due - now();
    if (wait > 0) await pause(Math.ceil(wait));
    sent.push(follow(item));
  }
  return Promise.all(sent);
}

/**
 * Figures of a run. Times are those of the requests that succeeded.
 * @param {Outcome[]} outcomes
 * @param {number} forMs time in which requests were due
 */
export function summaryOf(outcomes, forMs) {
  const succeeded = outcomes.filter(({ failure }) => failure === undefined);
  /** @type {Record<string, number>} */
  const failures = {};
  for (const { failure } of outcomes) if (failure !== undefined) failures[failure] = (failures[failure] ?? 0) + 1;
  const times = succeeded.map(({ ms }) => ms);
  return {
    perSecond: (succeeded.filter(({ at }) => at <= forMs).length * 1_000) / forMs,
    percentiles: [50, 95, 99].map((p) => percentile(times, p)),
    editP99: percentile(
      succeeded.filter(({ kind }) => kind === 'edit').map(({ ms }) => ms),
      99,
    ),
    lateP99: percentile(
      outcomes.map(({ late }) => late),
      99,
    ),
    failures,
  };
}
