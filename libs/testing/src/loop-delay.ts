import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';

/** Resolution of the measurement, in milliseconds; every measured delay includes it. */
const RESOLUTION_MS = 5;
const IDLE_THREAD = `
  const { monitorEventLoopDelay } = require('node:perf_hooks');
  const { parentPort } = require('node:worker_threads');
  const delays = monitorEventLoopDelay({ resolution: ${RESOLUTION_MS} });
  delays.enable();
  parentPort.once('message', () => parentPort.postMessage(delays.max / 1e6 - ${RESOLUTION_MS}));
  parentPort.postMessage('ready');
`;

/** Longest delays of event loops in milliseconds. */
export interface LoopDelay {
  /** Of this thread, while it worked. */
  delay: number;
  /** Of an idle thread at the same time; the load of the machine causes it. */
  noise: number;
}

/** Runs a task and measures the longest delay of this thread's event loop. */
export async function measureDelay<T>(work: () => Promise<T>): Promise<LoopDelay & { result: T }> {
  const idle = new Worker(IDLE_THREAD, { eval: true });
  const message = () => new Promise<unknown>((resolve) => idle.once('message', resolve));
  await message();
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  // The monitor starts at its first tick.
  await new Promise((resolve) => setTimeout(resolve, 4 * RESOLUTION_MS));
  try {
    const result = await work();
    await new Promise((resolve) => setTimeout(resolve, 4 * RESOLUTION_MS));
    delays.disable();
    const answer = message();
    idle.postMessage('end');
    return { result, delay: delays.max / 1e6 - RESOLUTION_MS, noise: (await answer) as number };
  } finally {
    delays.disable();
    await idle.terminate();
  }
}

/** Tolerance for garbage collection and other load; the regressions that the tests detect exceed it at least threefold. */
const SLACK = 3;

/** The longest delay, without the noise, that a test accepts: the duration of reference work, which takes about 50 ms on an idle machine. */
export function delayBound(reference: () => unknown): number {
  const startedAt = performance.now();
  reference();
  return (performance.now() - startedAt) * SLACK;
}
