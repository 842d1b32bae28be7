// Calls that each replica answered, from the metrics of the processes that `npm start` runs.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sumOfSamples } from '../../support/metrics.mjs';

const COUNTS = ['parlance_grpc_server_calls_total', 'parlance_http_requests_total'];

/** Calls that a process has answered since its start. */
async function answered(operations) {
  const text = await (await fetch(`http://${operations}/metrics`)).text();
  return COUNTS.reduce((sum, name) => sum + sumOfSamples(text, name), 0);
}

/**
 * Calls per replica since the start, by kind of process.
 * @param {string} dataDir
 * @returns {Promise<Record<string, number[]>>} empty if the processes are not those of this data directory
 */
export async function callsPerReplica(dataDir) {
  const file = join(dataDir, 'run.json');
  if (!existsSync(file)) return {};
  const { operations } = JSON.parse(readFileSync(file, 'utf8'));
  /** @type {Record<string, number[]>} */
  const calls = {};
  for (const [name, address] of Object.entries(operations))
    (calls[name.replace(/-\d+$/, '')] ??= []).push(await answered(address));
  return calls;
}

/** A table of the shares between two counts; empty if every process has one replica. */
export function shares(before, after) {
  const rows = Object.entries(after)
    .filter(([, counts]) => counts.length > 1)
    .map(([kind, counts]) => {
      const calls = counts.map((count, i) => count - (before[kind]?.[i] ?? 0));
      const total = calls.reduce((sum, count) => sum + count, 0);
      const share = calls.map((count) => `${total > 0 ? Math.round((100 * count) / total) : 0} %`);
      return `${kind.padEnd(12)} ${String(total).padStart(8)} calls   ${share.join('  ')}`;
    });
  return rows.length > 0 ? `\nshare of the calls per replica\n${rows.join('\n')}\n` : '';
}
