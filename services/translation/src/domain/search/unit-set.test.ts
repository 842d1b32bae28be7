import fc from 'fast-check';
import { BLOCK_SIZE } from './postings';
import { UnitSet } from './unit-set';

const setOf = (offsets: Iterable<number>): UnitSet => {
  const set = new UnitSet();
  for (const offset of offsets) set.add(offset);
  return set;
};

/** Sizes at which the memory of a set changes. */
const EDGES = [0, 1, 31, 32, 8_191, 8_192, 16_384, BLOCK_SIZE - 8_192, BLOCK_SIZE - 1];
const offset = fc.oneof(fc.constantFrom(...EDGES), fc.integer({ min: 0, max: BLOCK_SIZE - 1 }));
const range = fc
  .tuple(offset, fc.oneof(fc.constantFrom(...EDGES), fc.nat(30_000)))
  .map(([start, length]) => ({ start, length: Math.min(length, BLOCK_SIZE - start) }));

/** A byte for each offset: 1 if it is contained. */
type Flags = Uint8Array;

/** A set that was made from ranges, then additions, then deletions, and flags made likewise. */
const pair = fc
  .record({
    ranges: fc.array(range, { maxLength: 3 }),
    added: fc.array(offset, { maxLength: 20 }),
    deleted: fc.array(offset, { maxLength: 20 }),
  })
  .map(({ ranges, added, deleted }) => {
    const [set, flags] = [new UnitSet(), new Uint8Array(BLOCK_SIZE)];
    for (const { start, length } of ranges) {
      set.addRange(start, length);
      flags.fill(1, start, start + length);
    }
    for (const of of added) {
      set.add(of);
      flags[of] = 1;
    }
    for (const of of deleted) {
      set.delete(of);
      flags[of] = 0;
    }
    return { set, flags };
  });

const flagsOf = (offsets: readonly number[]): Flags => {
  const flags = new Uint8Array(BLOCK_SIZE);
  for (const of of offsets) flags[of] = 1;
  return flags;
};

/** `toEqual` takes seconds for so many numbers. */
const areEqual = (set: UnitSet, flags: Flags): boolean => Buffer.from(flags).equals(flagsOf(set.offsets()));

const offsetsIn = (flags: Flags): number[] => [...flags.keys()].filter((of) => flags[of] === 1);

describe('UnitSet', () => {
  it('agrees with a flag for each offset', () => {
    fc.assert(
      fc.property(pair, pair, fc.nat(20_000), fc.nat(50), offset, (one, other, skip, limit, any) => {
        const [a, b] = [one.flags, other.flags];
        const set = one.set.clone();
        expect(areEqual(set, a)).toBe(true);
        expect(
          areEqual(
            set.clone().intersect(other.set),
            a.map((of, at) => of & b[at]!),
          ),
        ).toBe(true);
        expect(
          areEqual(
            set.clone().subtract(other.set),
            a.map((of, at) => of & ~b[at]!),
          ),
        ).toBe(true);
        expect(
          areEqual(
            set.clone().union(other.set),
            a.map((of, at) => of | b[at]!),
          ),
        ).toBe(true);
        const offsets = offsetsIn(a);
        expect(set.offsets(skip, limit)).toEqual(offsets.slice(skip, skip + limit));
        expect([set.size, set.isEmpty, set.has(any)]).toEqual([offsets.length, offsets.length === 0, a[any] === 1]);
        expect(areEqual(one.set, a) && areEqual(other.set, b)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it('a change of a set changes no other set', () => {
    const whole = new UnitSet();
    whole.addRange(0, BLOCK_SIZE);
    const copies = [whole.clone(), new UnitSet().union(whole), whole.clone().intersect(whole)];
    for (const copy of copies) copy.delete(5);
    whole.clone().subtract(setOf([6]));
    expect(whole.size).toBe(BLOCK_SIZE);
    expect(copies.map(({ size }) => size)).toEqual(copies.map(() => BLOCK_SIZE - 1));
    const another = new UnitSet();
    another.addRange(0, BLOCK_SIZE);
    expect(another.has(5)).toBe(true);
  });

  it('without its last offset, it is empty', () => {
    const set = setOf([7, 9_000]);
    set.delete(7);
    expect(set.isEmpty).toBe(false);
    expect(set.subtract(setOf([9_000])).isEmpty).toBe(true);
  });

  it('few units, and whole blocks, take little memory', () => {
    const whole = new UnitSet();
    whole.addRange(0, BLOCK_SIZE);
    expect(whole.bytes).toBeLessThan(1_000);
    expect(setOf([1, BLOCK_SIZE - 1]).bytes).toBeLessThan(3_000);
    expect(setOf(Array.from({ length: 32 }, (_, page) => page * 8_192)).bytes).toBeGreaterThan(BLOCK_SIZE / 8);
  });
});
