import fc from 'fast-check';
import {
  BLOCK_SIZE,
  decodeAmendments,
  decodePostings,
  decodeRuns,
  encodeAmendments,
  encodePostings,
  encodeRuns,
  UnitSet,
} from './postings';
import { ByteWriter } from './bytes';

const offsets = fc
  .uniqueArray(fc.integer({ min: 0, max: BLOCK_SIZE - 1 }), { maxLength: 200 })
  .map((of) => of.toSorted((a, b) => a - b));

function setOf(of: readonly number[]): UnitSet {
  const set = new UnitSet();
  for (const offset of of) set.add(offset);
  return set;
}

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

it('Sets of units agree with plain sets', () => {
  fc.assert(
    fc.property(offsets, offsets, fc.nat(50), fc.nat(50), (one, other, skip, limit) => {
      const [a, b] = [setOf(one), setOf(other)];
      const both = one.filter((offset) => other.includes(offset));
      expect(a.clone().intersect(b).offsets()).toEqual(both);
      expect(a.clone().subtract(b).offsets()).toEqual(one.filter((offset) => !other.includes(offset)));
      expect(a.clone().union(b).size).toBe(one.length + other.length - both.length);
      expect(a.offsets(skip, limit)).toEqual(one.slice(skip, skip + limit));
    }),
  );
  const range = new UnitSet();
  range.addRange(30, 70);
  range.delete(99);
  expect(range.offsets()).toEqual(Array.from({ length: 69 }, (_, i) => 30 + i));
});
