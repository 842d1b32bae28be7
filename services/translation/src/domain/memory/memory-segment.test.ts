import fc from 'fast-check';
import { gramsOf } from './grams';
import {
  chunkOf,
  directoryOf,
  decodeTexts,
  encodeSegment,
  placeOf,
  postingsIn,
  SegmentBuilder,
  type EncodedSegment,
  type Segment,
} from './memory-segment';
import { BestTexts, rankTexts } from './rank-texts';
import { similarity } from './similarity';

const OWNER = 4;

async function segmentOf(texts: readonly string[], from = 0): Promise<Segment> {
  const builder = new SegmentBuilder();
  texts.forEach((text, i) => builder.add(from + i, text, [OWNER]));
  return builder.build();
}

function decode({ texts, chunks }: EncodedSegment): Segment {
  const columns = decodeTexts(texts);
  const postings = chunks.flatMap((chunk, i) => [...postingsIn(columns.firsts[i]!, chunk)]);
  return { texts: columns, postings: new Map(postings) };
}

/** Positions of the texts that may be similar. */
function candidates(
  segments: readonly Segment[],
  text: string,
  percent: number,
  limit = 1000,
  owner = OWNER,
): number[] {
  const grams = [...gramsOf(text)];
  const best = new BestTexts(limit);
  for (const { texts, postings } of segments) {
    const lists = grams.flatMap((gram) => postings.get(gram) ?? []);
    const searched = { grams: grams.length, allGrams: grams.length, length: text.length };
    best.add(rankTexts(texts, lists, { ...searched, percent, limit, owners: new Set([owner]), above: best.least }));
  }
  return best.sources;
}

describe('segments of the memory index', () => {
  const word = fc.constantFrom('open', 'file', 'save', 'the', 'changes', 'now', 'all');
  const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((w) => w.join(' '));

  it('segments contain every text above the minimum similarity, also when encoded and merged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(text, { minLength: 2, maxLength: 40 }), text, async (texts, wanted) => {
        const half = texts.length >> 1;
        const parts = [await segmentOf(texts.slice(0, half)), await segmentOf(texts.slice(half), half)];
        const merged = new SegmentBuilder();
        for (const part of parts) await merged.merge(decode(await encodeSegment(part)), () => [OWNER]);
        const similar = texts.flatMap((t, at) => (similarity(t, wanted, 70) >= 70 ? [at] : []));
        for (const found of [candidates(parts, wanted, 70), candidates([await merged.build()], wanted, 70)])
          expect(similar.filter((at) => !found.includes(at))).toEqual([]);
      }),
    );
  });

  it('segments yield the most similar texts first, up to the limit', async () => {
    const segment = await segmentOf(['Save all files in the folder', 'Save the file', 'Save the files']);
    expect(candidates([segment], 'Save the file', 50, 2)).toEqual([1, 2]);
    expect(candidates([segment], 'Nothing alike', 90)).toEqual([]);
  });

  it('texts that the reader may not use are no candidates', async () => {
    const builder = new SegmentBuilder();
    for (let i = 0; i < 50; i++) builder.add(i, `Save the file ${i}`, [i === 30 ? OWNER : 6]);
    const segment = decode(await encodeSegment(await builder.build()));
    expect(candidates([segment], 'Save the file 1', 70, 1)).toEqual([30]);
    expect(candidates([segment], 'Save the file 1', 70, 1, 6)).toEqual([1]);
  });

  it('a text of several owners is one text, and a merge drops texts without owners', async () => {
    const builder = new SegmentBuilder();
    builder.add(1, 'Save the file', [OWNER]);
    builder.add(1, 'Save the file', [6]);
    builder.add(2, 'Save the files', [OWNER]);
    const segment = await builder.build();
    expect(segment.texts.sources).toHaveLength(2);
    expect(candidates([segment], 'Save the file', 70, 5, 6)).toEqual([1]);
    const merged = new SegmentBuilder();
    await merged.merge(segment, (source) => (source === 1 ? [8] : undefined));
    const left = [await merged.build()];
    expect(candidates(left, 'Save the file', 70, 5, 8)).toEqual([1]);
    expect(candidates(left, 'Save the file', 70)).toEqual([]);
  });

  it('chunks of postings are found by their first trigram', async () => {
    const texts = Array.from({ length: 3_000 }, (_, i) => `${(i * 7919).toString(36)} ${(i * 104_729).toString(36)}`);
    const encoded = await encodeSegment(await segmentOf(texts));
    const { firsts } = decodeTexts(encoded.texts);
    expect(encoded.chunks.length).toBeGreaterThan(3);
    encoded.chunks.forEach((chunk, i) => {
      for (const [gram] of postingsIn(firsts[i]!, chunk)) expect(chunkOf(firsts, gram)).toBe(i);
    });
    expect(chunkOf(firsts, -1)).toBe(-1);
  });

  it('the directory of a chunk has the places of its trigrams, and none of others', async () => {
    const texts = Array.from({ length: 300 }, (_, i) => `${(i * 7919).toString(36)} ${(i * 104_729).toString(36)}`);
    const encoded = await encodeSegment(await segmentOf(texts));
    const { firsts } = decodeTexts(encoded.texts);
    encoded.chunks.forEach((bytes, i) => {
      const directory = directoryOf(firsts[i]!, bytes);
      const stored = [...postingsIn(firsts[i]!, bytes)];
      const found = stored
        .map(([gram]) => placeOf(directory, gram)!)
        .map(({ start, end }) => bytes.subarray(start, end));
      expect(found).toEqual(stored.map(([, postings]) => postings));
      const absent = stored.map(([gram]) => gram + 1).filter((gram) => !stored.some(([other]) => other === gram));
      expect([firsts[i]! - 1, ...absent].filter((gram) => placeOf(directory, gram))).toEqual([]);
    });
    expect(() => directoryOf(firsts[0]!, encoded.chunks[0]!.subarray(0, -1))).toThrow(RangeError);
  });

  it('the owners of texts survive encoding', async () => {
    const builder = new SegmentBuilder();
    [[4, 6], [], [6]].forEach((owners, at) => builder.add(at, `Save the file ${at}`, owners));
    const { texts } = decode(await encodeSegment(await builder.build()));
    expect([...texts.byOwner].map(([owner, positions]) => [owner, [...positions]])).toEqual([
      [4, [0]],
      [6, [0, 2]],
    ]);
  });
});
