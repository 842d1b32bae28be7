import { formatOf } from '@parlance/formats';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';

/** Reference work of about 50 ms on an idle machine. Its measured duration bounds the longest delay of the event loop. */
const UNIT_BYTES = 5 * 1024 * 1024;
/** Tolerance for garbage collection and other load; the regressions that the tests detect exceed it at least threefold. */
const SLACK = 3;

/** Resolution of the measurement, in milliseconds; every measured delay includes it. */
const RESOLUTION_MS = 5;
const IDLE_THREAD = `
  const { monitorEventLoopDelay } = require('node:perf_hooks');
  const { parentPort } = require('node:worker_threads');
  const delays = monitorEventLoopDelay({ resolution: ${RESOLUTION_MS} });
  delays.enable();
  parentPort.once('message', () => parentPort.postMessage(delays.max / 1e6));
  parentPort.postMessage('ready');
`;

/** A gettext file of at least this size, plus the entries of `more`. */
export function largePo(bytes: number, more = ''): Buffer {
  const parts = [`msgid ""\nmsgstr "Language: cs\\nContent-Type: text/plain; charset=UTF-8\\n"\n\n${more}`];
  const words = 'the quick brown fox jumps over the lazy dog while nobody looks at it';
  for (let size = 0, i = 0; size < bytes; i++) {
    const entry = `#: src/file${i % 100}.c:${i}\nmsgid "Line ${i}: ${words}"\nmsgstr "Řádek ${i}: ${words}"\n\n`;
    size += Buffer.byteLength(entry);
    parts.push(entry);
  }
  return Buffer.from(parts.join(''));
}

/**
 * Runs a task and measures the longest delay of this thread's event loop, in milliseconds. `noise` is the delay of an idle thread, which
 * the load of the machine causes.
 */
export async function measureDelay<T>(work: () => Promise<T>): Promise<{ result: T; delay: number; noise: number }> {
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

/** Expects the delay to be below the duration of the reference work on this machine. */
export function expectResponsive({ delay, noise }: { delay: number; noise: number }): void {
  const startedAt = performance.now();
  formatOf('po').parse(largePo(UNIT_BYTES));
  expect(delay - noise).toBeLessThan((performance.now() - startedAt) * SLACK);
}
