import { readFileSync } from 'node:fs';
import { timesInStat } from './process-stat.mjs';

const AFTER_NAME = 'S 1 25727 25727 0 -1 4194304 283385 50037 4 2 3328 466 50 65 20 0 11 0 89495 863944704 29465';

describe('the processor times of /proc/PID/stat', () => {
  it('The times of a process and of its ended children are counted apart, in milliseconds', () => {
    expect(timesInStat(`25727 (node) ${AFTER_NAME}`)).toEqual({ own: 37_940, endedChildren: 1_150 });
  });

  it('The name of a process may contain spaces and parentheses', () => {
    expect(timesInStat(`25727 (a) (b c) ${AFTER_NAME}`)).toEqual({ own: 37_940, endedChildren: 1_150 });
  });

  it('The file of a running process has both times', () => {
    const { own, endedChildren } = timesInStat(readFileSync('/proc/self/stat', 'utf8'));
    expect(own).toBeGreaterThan(0);
    expect(endedChildren).toBeGreaterThanOrEqual(0);
  });
});
