import fc from 'fast-check';
import {
  BLOCK_SIZE,
  decodeAmendments,
  decodePostings,
  decodeRuns,
  encodeAmendments,
  encodePostings,
  encodeRuns,
} from './postings';
import { ByteWriter } from './bytes';

const offsets = fc
  .uniqueArray(fc.integer({ min: 0, max: BLOCK_SIZE - 1 }), { maxLength: 200 })
  .map((of) => of.toSorted((a, b) => a - b));

it('Postings, runs and amendments are decoded as they were encoded', () => {
  fc.assert(
    fc.property(offsets, (of) => {
      const writer = new ByteWriter();
      encodePostings(of, writer);
      const decoded: number[] = [];
      decodePostings(writer.take(), (offset) => decoded.push(offset));
      expect(decoded).toEqual(of);
      const runs = of.map((start, i) => ({
        start,
        length: Math.min(2, (of[i + 1] ?? BLOCK_SIZE) - start),
        translation: 2 ** 40 + i,
      }));
      expect(decodeRuns(encodeRuns(runs))).toEqual(runs);
      const amendments = of.map((offset) => ({ offset, tokens: offset % 2 ? [] : ['A', `日${offset}`] }));
      expect(decodeAmendments(encodeAmendments(amendments))).toEqual(amendments);
    }),
  );
});

it('Truncated postings are detected', () => {
  expect(() => decodeRuns(encodeRuns([{ start: 1000, length: 1, translation: 1 }]).subarray(0, 2))).toThrow(RangeError);
});

it('A run that ends beyond its block is detected', () => {
  const run = { start: BLOCK_SIZE - 1, translation: 1 };
  expect(decodeRuns(encodeRuns([{ ...run, length: 1 }]))).toHaveLength(1);
  expect(() => decodeRuns(encodeRuns([{ ...run, length: 2 }]))).toThrow(RangeError);
});
