/**
 * Duration of the fastest of several runs, in milliseconds. The load of the machine only makes runs longer, so tests that compare
 * durations compare the fastest ones.
 */
export function fastestMs(work: () => void, runs = 5): number {
  let fastest = Infinity;
  for (let run = 0; run < runs; run++) {
    const begun = performance.now();
    work();
    fastest = Math.min(fastest, performance.now() - begun);
  }
  return fastest;
}
