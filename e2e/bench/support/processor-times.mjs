// Processor time of Parlance's processes and of the engines of a local start, for benchmarks that start their own system (Linux only).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateOf } from '../../support/installations/engines.mjs';
import { kindOf, processorMs } from '../process-costs.mjs';

/**
 * Processor time of Parlance's processes by kind, of the engines and of this client, in milliseconds since their start.
 * @param {string} dataDir
 * @returns {Record<string, number>}
 */
export function processorTimes(dataDir) {
  const { processes } = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'));
  /** @type {Record<string, number>} */
  const times = {};
  const add = (name, pid) => (times[name] = (times[name] ?? 0) + processorMs(Number(pid)));
  for (const [name, pid] of Object.entries(processes)) add(kindOf(name), pid);
  const { instance, ports } = stateOf(dataDir);
  for (const engine of Object.keys(ports)) {
    const listed = execFileSync('docker', ['top', `parlance-${instance}-${engine}`, '-eo', 'pid'], {
      encoding: 'utf8',
    });
    for (const pid of listed.trim().split('\n').slice(1)) add(engine, pid.trim());
  }
  add('client', process.pid);
  return times;
}
