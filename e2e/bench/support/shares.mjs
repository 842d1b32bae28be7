// Calls that each replica answered, from the metrics of the processes that `npm start` runs.
import { metricsOf, sumOfSamples } from '../../support/telemetry/metrics.mjs';
import { runState } from './setup.mjs';

const COUNTS = ['parlance_grpc_server_calls_total', 'parlance_http_requests_total'];

/** Calls that a process has answered since its start, from its metrics. */
export const callsIn = (text) => COUNTS.reduce((sum, name) => sum + sumOfSamples(text, name), 0);

const answered = async (operations) => callsIn(await metricsOf(operations));

/**
 * Calls per replica since the start, by kind of process.
 * @param {string} dataDir
 * @returns {Promise<Record<string, number[]>>} empty if the processes are not those of this data directory
 */
export async function callsPerReplica(dataDir) {
  const state = runState(dataDir);
  if (!state) return {};
  /** @type {Record<string, number[]>} */
  const calls = {};
  for (const [name, address] of Object.entries(state.operations))
    (calls[name.replace(/-\d+$/, '')] ??= []).push(await answered(address));
  return calls;
}

/** Share of an even one that a replica must have: 40 % of the calls with two replicas. */
const LEAST_OF_EVEN = 0.8;
/** Calls from which on shares count. */
const FEWEST_CALLS = 100;

const callsBetween = (before, after) =>
  Object.entries(after)
    .filter(([, counts]) => counts.length > 1)
    .map(([kind, counts]) => ({ kind, calls: counts.map((count, i) => count - (before[kind]?.[i] ?? 0)) }));

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Kinds of processes of which a replica got too few of the calls between two counts. */
export const unevenShares = (before, after) =>
  callsBetween(before, after)
    .filter(({ calls }) => sum(calls) >= FEWEST_CALLS)
    .filter(({ calls }) => Math.min(...calls) < (LEAST_OF_EVEN * sum(calls)) / calls.length)
    .map(({ kind }) => kind);

/** Kinds of processes with too few calls between two counts to judge their shares. */
export const rarelyCalled = (before, after) =>
  callsBetween(before, after)
    .filter(({ calls }) => sum(calls) < FEWEST_CALLS)
    .map(({ kind }) => kind);

/** A table of the shares between two counts; empty if every process has one replica. */
export function shares(before, after) {
  const rows = callsBetween(before, after).map(({ kind, calls }) => {
    const total = sum(calls);
    const share = calls.map((count) => `${total > 0 ? Math.round((100 * count) / total) : 0} %`);
    return `${kind.padEnd(12)} ${String(total).padStart(8)} calls   ${share.join('  ')}`;
  });
  return rows.length > 0 ? `\nshare of the calls per replica\n${rows.join('\n')}\n` : '';
}
