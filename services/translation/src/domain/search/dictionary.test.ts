import { BlockWriter } from './block-writer';
import { addPostings, DictionaryPart, postingsOf, tokensOf } from './dictionary';
import { IRREGULAR, LONG } from './tokens';
import { UnitSet } from './unit-set';

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

const storedPartOf = (...words: string[]) => ({
  words: Buffer.from(words.length > 0 ? `\n${words.join('\n')}\n` : ''),
  starts: [0, 2],
});
const partOf = (...words: string[]) => new DictionaryPart(storedPartOf(...words));

describe('DictionaryPart', () => {
  it('words are listed by rank, and an empty part has none', () => {
    expect(tokensOf(storedPartOf('A', 'ŽB', 'C'))).toEqual(['A', 'ŽB', 'C']);
    expect(tokensOf(storedPartOf())).toEqual([]);
    expect(partOf().select({ at: 'anywhere', text: 'A' }).regular.size).toBe(0);
  });

  it('a word is located in the last chunk that starts before it', () => {
    const part = partOf('A', 'B', 'C', 'D');
    expect([0, 1, 2, 3].map((rank) => part.locate(rank))).toEqual([
      { chunk: 0, position: 0 },
      { chunk: 0, position: 1 },
      { chunk: 1, position: 0 },
      { chunk: 1, position: 1 },
    ]);
  });

  it('bigrams of very long words are noticed, also those of irregular words', () => {
    expect(partOf('A', 'B').hasLongWords).toBe(false);
    expect(partOf('A', `${LONG}AB`).hasLongWords).toBe(true);
    expect(partOf(`${IRREGULAR}${LONG}AB`, 'B').hasLongWords).toBe(true);
  });

  it('a test without a text selects no word', () => {
    const { regular, irregular } = partOf('A', 'null').select({ at: 'whole', text: null });
    expect(regular.size + irregular.size).toBe(0);
  });

  it('the place of the text in a word matters', () => {
    const part = partOf('AB', 'ABC', 'CAB', 'CABC');
    const ranks = (at: 'anywhere' | 'start' | 'end' | 'whole') => [...part.select({ at, text: 'AB' }).regular];
    expect([ranks('anywhere'), ranks('start'), ranks('end'), ranks('whole')]).toEqual([
      [0, 1, 2, 3],
      [0, 1],
      [0, 2],
      [0],
    ]);
  });

  it('a word that contains the text several times is selected once', () => {
    const { regular, irregular } = partOf('ABABAB', `${IRREGULAR}AB`).select({ at: 'anywhere', text: 'AB' });
    expect([[...regular], [...irregular]]).toEqual([[0], [1]]);
  });
});

describe('postings of a chunk', () => {
  it('the units of the selected words alone are added', async () => {
    const chunks: Buffer[] = [];
    const writer = new BlockWriter(async (_key, data) => void chunks.push(data));
    const offsets = [[0, 200_000], [3], [4, 5], [6]];
    for (const [i, of] of offsets.entries()) await writer.addOffsets(`W${i}`, of);
    await writer.end();
    const set = new UnitSet();
    addPostings(chunks[0]!, [0, 2], set);
    expect(set.offsets()).toEqual([0, 4, 5, 200_000]);
    expect([...postingsOf(chunks[0]!)]).toHaveLength(4);
  });
});
