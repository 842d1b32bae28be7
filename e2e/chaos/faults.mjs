// Faults: a process or an engine is killed, stopped, paused or restarted.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { processes as processNames } from '../../deploy/processes.mjs';

const docker = (...args) => promisify(execFile)('docker', args);

const ENGINES = ['mongo', 'nats', 'redis', 'minio'];
/** Duration of a pause in milliseconds: minimum, and maximum addition. */
const PAUSE_MS = [1500, 3000];
/** Down time of a killed engine in milliseconds. */
const DOWN_MS = 500;

/** Sends a signal; ignores a process that has already exited. */
function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

const onProcess = {
  kill: async (pid) => signal(pid, 'SIGKILL'),
  stop: async (pid) => signal(pid, 'SIGTERM'),
  async pause(pid, ms) {
    signal(pid, 'SIGSTOP');
    await sleep(ms);
    signal(pid, 'SIGCONT');
  },
};

const onEngine = {
  async kill(container) {
    await docker('kill', container);
    await sleep(DOWN_MS);
    await docker('start', container);
  },
  restart: (container) => docker('restart', '--time', '10', container),
  async pause(container, ms) {
    await docker('pause', container);
    await sleep(ms);
    await docker('unpause', container);
  },
};

/** All faults: {kind, target, action}. */
export const FAULTS = [
  ...processNames.flatMap((target) => Object.keys(onProcess).map((action) => ({ target, action, group: 'process' }))),
  ...ENGINES.flatMap((target) => Object.keys(onEngine).map((action) => ({ target, action, group: 'engine' }))),
].map((fault) => ({ ...fault, kind: `${fault.action} ${fault.target}` }));

/**
 * A fault of each process, which `random` chooses.
 * @param {ReturnType<typeof import('./random.mjs').makeRandom>} random
 */
export const oneOfEachProcess = (random) =>
  processNames.map((process) => random.pick(FAULTS.filter(({ target }) => target === process)));

/**
 * Draws an endless sequence of faults: all kinds in random order, then again.
 * @param {ReturnType<typeof import('./random.mjs').makeRandom>} random
 */
export function* drawFaults(random, faults = FAULTS) {
  for (;;) {
    const left = [...faults];
    while (left.length > 0) {
      const [fault] = left.splice(random.below(left.length), 1);
      yield { ...fault, ms: PAUSE_MS[0] + random.below(PAUSE_MS[1]) };
    }
  }
}

/**
 * Injects a fault; resolves when its cause has ended.
 * @param {{group: string, action: string, target: string, ms: number}} fault
 * @param {{processes: Record<string, number>, containers: Record<string, string>}} running
 */
export async function inflict({ group, action, target, ms }, { processes, containers }) {
  if (group === 'engine') await onEngine[action](containers[target], ms);
  // A process that is restarting has no id, so there is no target.
  else if (processes[target]) await onProcess[action](processes[target], ms);
}
