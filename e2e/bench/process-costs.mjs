// What requests cost the processes of the local start: calls to services, store statements and processor time.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { eventually } from '../support/api.mjs';
import { metricsOf, sumOfSamples } from '../support/telemetry/metrics.mjs';
import { runState } from './support/setup.mjs';

/** Longest time that the consumers may take for the events of the filling, in milliseconds. */
const SETTLE_MS = 1_200_000;
/** Time over which the cost of background work is measured, in milliseconds. */
const IDLE_MS = 5_000;
/** Measurements of the background work at most. */
const MAX_MEASUREMENTS = 24;

/**
 * Processor time of a process in milliseconds, over all its threads; NaN where Linux's /proc does not give it.
 * @param {number} pid
 */
export function processorMs(pid) {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return NaN;
  let nanoseconds = 0;
  for (const task of readdirSync(tasks)) {
    // A thread may end between listing and reading.
    const file = join(tasks, task, 'schedstat');
    if (existsSync(file)) nanoseconds += Number(readFileSync(file, 'utf8').split(' ')[0]);
  }
  return nanoseconds / 1e6;
}

/** Kind of a process: `gateway-2` is a gateway. */
export const kindOf = (name) => name.replace(/-\d+$/, '');

/** Reads the counters of all processes of a local start; undefined if none runs on this data directory. */
function readerOf() {
  const state = runState();
  if (!state) return undefined;
  const { operations, processes } = state;
  const metrics = async (method, path) => {
    const route = `route="${path.replace(/\{(\w+)\}/g, ':$1')}"`;
    let [calls, requests, statements] = [0, 0, 0];
    for (const address of Object.values(operations)) {
      const text = await metricsOf(address);
      calls += sumOfSamples(text, 'parlance_http_service_calls_sum', [`method="${method}"`, route]);
      requests += sumOfSamples(text, 'parlance_http_service_calls_count', [`method="${method}"`, route]);
      statements += sumOfSamples(text, 'parlance_store_command_duration_seconds_count');
    }
    return { calls, requests, statements };
  };
  /** Events that consumers have not handled yet. */
  const lag = async () => {
    const texts = await Promise.all(Object.values(operations).map(metricsOf));
    return sumOfSamples(texts.join('\n'), 'parlance_consumer_lag_events');
  };
  const processor = () =>
    Object.entries(processes).map(([name, pid]) => ({ kind: kindOf(name), ms: processorMs(Number(pid)) }));
  return { metrics, lag, processor };
}

/**
 * Measures until the amount falls by less than a fifth from one measurement to the next: work that is about to end, such as indexing after an
 * import, would be subtracted from requests that come after its end.
 * @template T
 * @param {() => Promise<T>} measure
 * @param {(measured: T) => number} amountOf
 * @returns {Promise<T>} the last measurement
 */
export async function steady(measure, amountOf) {
  let last = await measure();
  for (let number = 2; number <= MAX_MEASUREMENTS; number++) {
    const next = await measure();
    const hasSettled = amountOf(next) >= 0.8 * amountOf(last);
    last = next;
    if (hasSettled) break;
  }
  return last;
}

/**
 * Costs of one endpoint's requests, each the mean of a request.
 * @typedef {object} Costs
 * @property {number} calls to services
 * @property {number} statements of all processes to the store
 * @property {Record<string, number>} processor milliseconds by kind of process
 */

/**
 * Waits until all events are handled (the translation memory learns strings for minutes), then measures the background work of the
 * processes, which is subtracted from the costs of requests.
 * @returns a function that runs requests of a path and returns their costs, or undefined if no local start is reachable
 */
export async function makeCostMeter() {
  const reader = readerOf();
  if (!reader) return async (_method, _path, work) => void (await work());
  /** Runs work and returns the difference of all counters. Reading the metrics itself is not part of the processor time. */
  const differences = async (method, path, work) => {
    const metrics = await reader.metrics(method, path);
    const processor = reader.processor();
    const begun = performance.now();
    await work();
    const ms = performance.now() - begun;
    const processorAfter = reader.processor();
    const metricsAfter = await reader.metrics(method, path);
    /** @type {Record<string, number>} */
    const byKind = {};
    for (const [i, { kind, ms: before }] of processor.entries())
      byKind[kind] = (byKind[kind] ?? 0) + processorAfter[i].ms - before;
    return {
      ms,
      calls: metricsAfter.calls - metrics.calls,
      requests: metricsAfter.requests - metrics.requests,
      statements: metricsAfter.statements - metrics.statements,
      byKind,
    };
  };
  await eventually(reader.lag, (events) => events === 0, SETTLE_MS);
  const idle = await steady(
    () => differences('', '', () => pause(IDLE_MS)),
    ({ statements }) => statements,
  );
  /** @returns {Promise<Costs>} */
  return async (method, path, work) => {
    const { ms, calls, requests, statements, byKind } = await differences(method, path, work);
    const perRequest = (total, idleTotal) => Math.max(0, total - (idleTotal * ms) / idle.ms) / requests;
    return {
      calls: calls / requests,
      statements: perRequest(statements, idle.statements),
      processor: Object.fromEntries(
        Object.entries(byKind).map(([kind, total]) => [kind, perRequest(total, idle.byKind[kind])]),
      ),
    };
  };
}
