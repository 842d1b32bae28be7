// Processor time of Parlance's processes and of the engines of a local start (Linux only).
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { stateOf } from '../../support/installations/engines.mjs';
import { kindOf, processorMs } from '../process-costs.mjs';
import { timesInStat } from './process-stat.mjs';
import { runState } from './setup.mjs';

/** Processor time of a process and of its ended children, in milliseconds. */
function timesOf(pid) {
  const file = `/proc/${pid}/stat`;
  // A process may end between listing and reading; its parent then counts it.
  if (!existsSync(file)) return { own: 0, endedChildren: 0 };
  const { own, endedChildren } = timesInStat(readFileSync(file, 'utf8'));
  // The sum over the threads is exact, but misses the threads that ended, such as idle ones of a pool.
  return { own: Math.max(own, processorMs(pid)), endedChildren };
}

/**
 * Processor time of Parlance's processes by kind, of the git commands that they ran, of the engines and of this client, in milliseconds
 * since their start.
 * @param {string} dataDir
 * @returns {Record<string, number>}
 */
export function processorTimes(dataDir) {
  const { processes } = runState(dataDir);
  /** @type {Record<string, number>} */
  const times = {};
  const add = (name, ms) => (times[name] = (times[name] ?? 0) + ms);
  for (const [name, pid] of Object.entries(processes)) {
    const { own, endedChildren } = timesOf(Number(pid));
    add(kindOf(name), own);
    add('git', endedChildren);
  }
  // Engines that `npm start` did not start run elsewhere.
  const { instance, ports } = existsSync(join(dataDir, 'engines.json')) ? stateOf(dataDir) : { ports: {} };
  for (const engine of Object.keys(ports)) {
    const listed = execFileSync('docker', ['top', `parlance-${instance}-${engine}`, '-eo', 'pid'], {
      encoding: 'utf8',
    });
    for (const pid of listed.trim().split('\n').slice(1)) {
      const { own, endedChildren } = timesOf(Number(pid));
      add(engine, own + endedChildren);
    }
  }
  add('client', processorMs(process.pid));
  return times;
}

/** Times of all processors of this machine since its start. */
function machineTimes() {
  const times = cpus().map(({ times: each }) => each);
  const sum = (pick) => times.reduce((total, each) => total + pick(each), 0);
  return { idle: sum(({ idle }) => idle), all: sum((each) => Object.values(each).reduce((a, b) => a + b, 0)) };
}

/** Starts a measurement. @returns a function that returns the share of the machine's processors that was busy since then */
export function measureBusyShare() {
  const before = machineTimes();
  return () => {
    const after = machineTimes();
    return 1 - (after.idle - before.idle) / (after.all - before.all);
  };
}
