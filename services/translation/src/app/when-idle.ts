import { setTimeout as pause } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';

/** Share of its time that a process may be at work and still count as quiet. */
const QUIET = 0.1;
/** Longest wait for a quiet moment, in milliseconds: background work gets on under load, too. */
const LONGEST_MS = 2_000;
/** A moment, in milliseconds. */
const MOMENT_MS = 50;

/**
 * Pauses background work: for the given time at least, in milliseconds, and until the process has nothing else to do. What is done
 * in between should take a small part of {@link LONGEST_MS}.
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
