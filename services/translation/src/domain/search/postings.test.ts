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
import { BlockWriter } from './block-writer';
import { ByteWriter } from './bytes';
import { addPostings, DictionaryPart } from './dictionary';
import { IRREGULAR } from './tokens';

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

it('A dictionary finds tokens by each kind of test, and their postings', async () => {
  const documents = new Map<string, { data: Buffer; starts?: number[] }>();
  const writer = new BlockWriter(async (key, data, starts) => {
    documents.set(key, { data, ...(starts ? { starts } : {}) });
  });
  const words = Array.from({ length: 40_000 }, (_, i) => `WORD${String(i).padStart(5, '0')}`);
  for (const [at, word] of [`${IRREGULAR}STRASSE`, 'AB', 'ABC', 'CAB', ...words, 'Ž'].entries())
    await writer.addOffsets(word, [at, at + 1]);
  await writer.end();
  expect(writer.parts).toBeGreaterThan(1);
  const found = (at: 'anywhere' | 'start' | 'end' | 'whole', text: string) => {
    const set = new UnitSet();
    let irregularHits = 0;
    for (let n = 0; n < writer.parts; n++) {
      const { data, starts } = documents.get(String(n))!;
      const part = new DictionaryPart({ words: data, starts: starts! });
      const { regular, irregular } = part.select({ at, text });
      irregularHits += irregular.size;
      for (const rank of [...regular, ...irregular]) {
        const { chunk, position } = part.locate(rank);
        addPostings(documents.get(`${n}.${chunk}`)!.data, [position], set);
      }
    }
    return { offsets: set.offsets(), irregularHits };
  };
  expect(found('anywhere', 'AB')).toEqual({ offsets: [1, 2, 3, 4], irregularHits: 0 });
  expect(found('start', 'AB').offsets).toEqual([1, 2, 3]);
  expect(found('end', 'AB').offsets).toEqual([1, 2, 3, 4]);
  expect(found('whole', 'AB').offsets).toEqual([1, 2]);
  expect(found('start', 'STR')).toEqual({ offsets: [0, 1], irregularHits: 1 });
  expect(found('anywhere', 'D3123').offsets).toEqual(Array.from({ length: 11 }, (_, i) => 31_234 + i));
  expect(found('whole', 'Ž').offsets).toEqual([40_004, 40_005]);
});
