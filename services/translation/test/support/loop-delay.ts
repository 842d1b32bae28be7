import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';

/** Bound of the event loop's longest delay, in milliseconds. */
const BOUND_MS = 50;
/** Slack for machines that run other tests at the same time and for major garbage collections: the fault took seconds. */
const SLACK = 5;

/** Resolution of the measurement, in milliseconds: part of every delay. */
const RESOLUTION_MS = 5;
const IDLE_THREAD = `
  const { monitorEventLoopDelay } = require('node:perf_hooks');
  const { parentPort } = require('node:worker_threads');
  const delays = monitorEventLoopDelay({ resolution: ${RESOLUTION_MS} });
  delays.enable();
  parentPort.once('message', () => parentPort.postMessage(delays.max / 1e6));
  parentPort.postMessage('ready');
`;

/**
 * Does something and measures the longest delay of this thread's event loop meanwhile, in milliseconds. `noise` is the same of an
 * idle thread: what the machine alone is to blame for.
 */
export async function measureDelay<T>(work: () => Promise<T>): Promise<{ result: T; delay: number; noise: number }> {
  const idle = new Worker(IDLE_THREAD, { eval: true });
  const message = () => new Promise<unknown>((resolve) => idle.once('message', resolve));
  await message();
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  // The monitor counts from its first tick.
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

/** The loop was held for no longer than allowed. */
export function expectResponsive({ delay, noise }: { delay: number; noise: number }): void {
  expect(delay - noise).toBeLessThan(BOUND_MS * SLACK);
}
