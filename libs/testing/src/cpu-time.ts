import { readFileSync } from 'node:fs';

/** Processor time that the scheduler gave to the calling thread, in nanoseconds, as its first number. Linux only. */
const SCHEDULER_STATISTICS = '/proc/thread-self/schedstat';

/**
 * Processor time of this thread in milliseconds. Unlike the clock it does not run while other programs have the processor, so tests
 * that compare durations do not depend on the load of the machine. Elsewhere than on Linux it is the clock.
 */
export function cpuMs(): number {
  if (process.platform !== 'linux') return performance.now();
  return Number(readFileSync(SCHEDULER_STATISTICS, 'latin1').split(' ', 1)[0]) / 1e6;
}

/** Processor time in milliseconds of the fastest of several runs; caches and garbage collection only make runs longer. */
export function fastestMs(work: () => void, runs = 5): number {
  let fastest = Infinity;
  for (let run = 0; run < runs; run++) {
    const begun = cpuMs();
    work();
    fastest = Math.min(fastest, cpuMs() - begun);
  }
  return fastest;
}
