import { existsSync } from 'node:fs';
import LongestFirst, { LONGEST } from './sequencer.mjs';

/** A test file as jest describes it, without a cache of timings. */
const file = (path, size) => ({ path, context: { config: { cache: false }, hasteFS: { getSize: () => size } } });

describe('LongestFirst', () => {
  it('every file of the list exists', () => {
    expect(LONGEST.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('the longest files start first in the order of the list, and the others follow by size', () => {
    const [first, second] = LONGEST;
    const files = [file('/small', 10), file(second, 1), file('/large', 20), file(first, 1)];
    const sorted = new LongestFirst().sort(files);
    expect(sorted.map(({ path }) => path)).toEqual([first, second, '/large', '/small']);
  });
});
