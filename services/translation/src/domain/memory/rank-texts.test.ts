import { gramsOf } from './grams';
import { SegmentBuilder } from './memory-segment';
import { BestTexts, rankTexts, rarestGrams, type RankRequest } from './rank-texts';

/** Ranks the positions of texts of owner 1 by their similarity to a text. */
async function rank(texts: readonly string[], text: string, more: Partial<RankRequest> = {}) {
  const builder = new SegmentBuilder();
  texts.forEach((of, at) => builder.add(at, of, [1]));
  const segment = await builder.build();
  const grams = [...gramsOf(text)];
  const lists = grams.flatMap((gram) => segment.postings.get(gram) ?? []);
  const request = {
    grams: grams.length,
    allGrams: grams.length,
    length: text.length,
    percent: 70,
    limit: 10,
    owners: null,
    above: 0,
    ...more,
  };
  return rankTexts(segment.texts, lists, request);
}
const sourcesOf = (ranked: { source: number }[]) => ranked.map(({ source }) => source);

describe('rankTexts', () => {
  it('the score of equal texts is 1, of texts without common trigrams there is none', async () => {
    const [first, second] = await rank(['Save the file', 'Save the files', 'xyz'], 'save the FILE', { percent: 1 });
    expect(first).toEqual({ source: 0, score: 1 });
    expect(second!.source).toBe(1);
    expect(second!.score).toBeLessThan(1);
    expect(sourcesOf(await rank(['xyz'], 'Save the file', { percent: 1 }))).toEqual([]);
  });

  it('texts that are too short or too long for the similarity are omitted, those at the limits are not', async () => {
    const texts = [4, 5, 10, 20, 21].map((length) => `y${'x'.repeat(length - 1)}`);
    expect(sourcesOf(await rank(texts, 'x'.repeat(10), { percent: 50 })).sort()).toEqual([1, 2, 3]);
  });

  it('a text with other white space alone is found in any length, one with further words is not', async () => {
    const texts = ['Save\n                the file', 'Save the file, then close all of the windows'];
    expect(sourcesOf(await rank(texts, 'save the file', { percent: 90 }))).toEqual([0]);
    expect(sourcesOf(await rank(['Save the file'], 'Save        the        file', { percent: 90 }))).toEqual([0]);
  });

  it('texts that share too few trigrams for the similarity are omitted', async () => {
    const texts = ['abcdefghij', 'abcdexghij', 'axcxexgxij'];
    expect(sourcesOf(await rank(texts, 'abcdefghij', { percent: 90 }))).toEqual([0, 1]);
    expect(sourcesOf(await rank(texts, 'abcdefghij', { percent: 50 }))).toEqual([0, 1, 2]);
  });

  it('the limit keeps the best texts, wherever they are', async () => {
    const texts = Array.from({ length: 300 }, (_, i) => `Save the file number ${i}`);
    texts[250] = 'Save the file now';
    expect(sourcesOf(await rank(texts, 'Save the file now', { limit: 1 }))).toEqual([250]);
    expect(await rank(texts, 'Save the file now', { limit: 7 })).toHaveLength(7);
  });

  it('of very many texts with the same score, some are taken up to the limit after all better ones', async () => {
    const same = Array.from({ length: 20_100 }, () => 'Open the file');
    const builder = new SegmentBuilder();
    [...same, 'Open the door', 'Open the door'].forEach((of, at) => builder.add(at, of, [1]));
    const segment = await builder.build();
    const grams = [...gramsOf('Open the door')];
    const lists = grams.flatMap((gram) => segment.postings.get(gram) ?? []);
    const request = {
      grams: grams.length,
      allGrams: grams.length,
      length: 13,
      percent: 50,
      limit: 5,
      owners: null,
      above: 0,
    };
    const ranked = sourcesOf(rankTexts(segment.texts, lists, request));
    expect(ranked).toHaveLength(5);
    expect(ranked.slice(0, 2)).toEqual([20_100, 20_101]);
  });

  it('texts of owners that the reader may not use are omitted before the limit', async () => {
    const builder = new SegmentBuilder();
    ['Save', 'Save', 'Save'].forEach((of, at) => builder.add(at, of, at === 2 ? [4, 6] : [5]));
    const segment = await builder.build();
    const lists = [...segment.postings.values()];
    const seen = (...owners: number[]) =>
      sourcesOf(
        rankTexts(segment.texts, lists, {
          grams: 5,
          allGrams: 5,
          length: 4,
          percent: 70,
          limit: 1,
          owners: new Set(owners),
          above: 0,
        }),
      );
    expect([seen(6), seen(4, 9), seen(9), seen()]).toEqual([[2], [2], [], []]);
  });

  it('a text of two owners of the reader takes one place', async () => {
    const builder = new SegmentBuilder();
    ['Save the file', 'Save the files'].forEach((of, at) => builder.add(at, of, [4, 6]));
    const segment = await builder.build();
    const grams = [...gramsOf('Save the file')];
    const lists = grams.flatMap((gram) => segment.postings.get(gram) ?? []);
    const searched = { grams: grams.length, allGrams: grams.length, length: 13 };
    const request = { ...searched, percent: 70, limit: 2, owners: new Set([4, 6]), above: 0 };
    expect(sourcesOf(rankTexts(segment.texts, lists, request))).toEqual([0, 1]);
  });

  it('texts with the score of the request are omitted, those with a higher one are not', async () => {
    const texts = ['Save the file now', 'Save the files', 'Save the file', 'Save a file', 'Close'];
    const all = await rank(texts, 'Save the file', { percent: 30 });
    expect(new Set(all.map(({ score }) => score)).size).toBe(4);
    for (const { score: above } of all)
      expect(await rank(texts, 'Save the file', { percent: 30, above })).toEqual(
        all.filter(({ score }) => score > above),
      );
  });

  it('a ranking that fails leaves nothing for the next one', async () => {
    const builder = new SegmentBuilder();
    builder.add(1, 'Save', [1]);
    const segment = await builder.build();
    const lists = [...segment.postings.values()];
    const request = { grams: 5, allGrams: 5, length: 4, percent: 70, limit: 1, owners: null, above: 0 };
    const ranked = rankTexts(segment.texts, lists, request);
    expect(() => rankTexts(segment.texts, [...lists, Uint8Array.from([0, 0])], request)).toThrow(RangeError);
    expect(rankTexts(segment.texts, lists, request)).toEqual(ranked);
  });

  it('postings beyond the texts of the segment are an error', async () => {
    const builder = new SegmentBuilder();
    builder.add(1, 'Save', [1]);
    const { texts } = await builder.build();
    const request = { grams: 1, allGrams: 1, length: 4, percent: 70, limit: 1, owners: null, above: 0 };
    expect(() => rankTexts(texts, [Uint8Array.from([0, 0])], request)).toThrow(RangeError);
  });
});

describe('rarestGrams', () => {
  it('rarestGrams ignores the most frequent trigrams beyond the limit of a search', () => {
    const sizes = new Map([
      [1, 190_000],
      [2, 5],
      [3, 150_000],
    ]);
    expect([...rarestGrams(sizes)].sort()).toEqual([2, 3]);
    expect([...rarestGrams(new Map([[1, 500_000]]))]).toEqual([1]);
  });
});

describe('BestTexts', () => {
  const one = [
    { source: 1, score: 0.9 },
    { source: 2, score: 0.5 },
  ];
  const other = [
    { source: 3, score: 0.8 },
    { source: 1, score: 0.7 },
  ];
  const bestOf = (limit: number, ...rankings: { source: number; score: number }[][]) => {
    const best = new BestTexts(limit);
    for (const ranking of rankings) best.add(ranking);
    return best;
  };

  it('the best texts of several segments are merged, each once, up to the limit', () => {
    expect(bestOf(10, one, other).sources).toEqual([1, 3, 2]);
    expect(bestOf(2, one, other).sources).toEqual([1, 3]);
    expect(bestOf(2).sources).toEqual([]);
  });

  it('another text must exceed the last one, once there are as many as the limit', () => {
    expect(bestOf(3, one).least).toBe(0);
    expect(bestOf(2, one).least).toBe(0.5);
    expect(bestOf(2, one, other).least).toBe(0.8);
  });
});
