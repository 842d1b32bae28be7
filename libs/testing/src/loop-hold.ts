import { cpuMs } from './cpu-time';

const SAMPLE_MS = 5;

/**
 * Runs a task and measures for how long it held the event loop of this thread at most.
 * @returns `heldMs`: processor time in milliseconds; up to 5 of them are the interval of the measurement
 */
export async function measureHold<T>(work: () => Promise<T>): Promise<{ result: T; heldMs: number }> {
  let heldMs = 0;
  let last = cpuMs();
  const sample = () => {
    const now = cpuMs();
    heldMs = Math.max(heldMs, now - last);
    last = now;
  };
  const timer = setInterval(sample, SAMPLE_MS);
  try {
    const result = await work();
    sample();
    return { result, heldMs };
  } finally {
    clearInterval(timer);
  }
}

/** Tolerance for garbage collection; the regressions that the tests detect exceed it at least threefold. */
const SLACK = 3;

/** The longest hold that a test accepts: the processor time of reference work, which takes about 50 ms on an idle machine. */
export function holdBound(reference: () => unknown): number {
  const begun = cpuMs();
  reference();
  return (cpuMs() - begun) * SLACK;
}
