import { setTimeout as pause } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';

/** Event loop utilization below which the process counts as idle. */
const QUIET = 0.1;
/** Longest wait, in milliseconds: background work makes progress under load, too. */
const LONGEST_MS = 2_000;
/** Interval of measurement, in milliseconds. */
const MOMENT_MS = 50;

/**
 * Pauses background work for at least the given milliseconds and until the process is idle. Work between two pauses should take a
 * fraction of {@link LONGEST_MS}.
 */
export async function whenQuiet(ms = 0): Promise<void> {
  const latest = performance.now() + Math.max(ms, LONGEST_MS);
  for (let wait = Math.max(ms, MOMENT_MS); ; wait = MOMENT_MS) {
    const before = performance.eventLoopUtilization();
    await pause(wait);
    const { utilization } = performance.eventLoopUtilization(before);
    if (utilization < QUIET || performance.now() >= latest) return;
  }
}
