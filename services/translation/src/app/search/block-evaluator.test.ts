import fc from 'fast-check';
import type { Required } from '@parlance/search';
import { MemorySearchIndexStore } from '../../../test/support/memory/indexes/search-index-store';
import { AmendedUnits } from '../../domain/search/amended-units';
import { BlockWriter } from '../../domain/search/block-writer';
import { BrokenIndexError, documentId } from '../../domain/search/ports';
import { addTokens, MAX_WORD } from '../../domain/search/tokens';
import { UnitSet } from '../../domain/search/unit-set';
import { SearchIndexCache, type CachedBlock } from '../caches/search-index-cache';
import { BlockEvaluator } from './block-evaluator';

function tokensOf(text: string): string[] {
  const tokens = new Set<string>();
  addTokens(text, tokens);
  return [...tokens];
}

/** @param texts by offset */
const amendedUnits = (texts: Readonly<Record<number, string>>) =>
  new AmendedUnits(Object.entries(texts).map(([offset, text]) => ({ offset: Number(offset), tokens: tokensOf(text) })));

/** A block whose unit at each offset has one of the texts, some of them amended after the postings were written. */
async function start(texts: readonly string[], amended: Readonly<Record<number, string>> = {}) {
  const store = new MemorySearchIndexStore();
  const block: CachedBlock = {
    id: 3,
    version: 'v1',
    generation: 'g1',
    parts: 0,
    runs: [],
    amended: amendedUnits(amended),
  };
  const writer = new BlockWriter(async (key, data, starts) =>
    store.addDocuments([{ id: documentId(block, key), data, ...(starts ? { starts } : {}) }]),
  );
  const postings = new Map<string, number[]>();
  for (const [offset, text] of texts.entries())
    for (const token of tokensOf(text)) postings.set(token, [...(postings.get(token) ?? []), offset]);
  for (const [token, offsets] of [...postings].sort(([a], [b]) => (a < b ? -1 : 1)))
    await writer.addOffsets(token, offsets);
  await writer.end();
  block.parts = writer.parts;
  const universe = new UnitSet();
  universe.addRange(0, texts.length);
  const documents = new SearchIndexCache(store);
  /** Documents that were read, also from the cache of documents. */
  const read: string[] = [];
  const evaluator = new BlockEvaluator({
    part: (of, part) => {
      read.push(String(part));
      return documents.part(of, part);
    },
    chunks: (of, keys) => {
      read.push(...keys);
      return documents.chunks(of, keys);
    },
  });
  const evaluate = (required: Required | null) => evaluator.evaluate(block, required, universe);
  /** Offsets of the sure units, and of the possible ones. */
  const offsets = async (required: Required | null) => {
    const { sure, possible } = await evaluate(required);
    return [sure.offsets(), possible?.offsets() ?? null];
  };
  return { store, block, read, evaluate, offsets };
}

const text = (value: string, exact = true): Required => ({ type: 'text', value, exact });
const TEXTS = ['Open the file', 'Close the window', 'Reopen all files'];

describe('BlockEvaluator', () => {
  it('a word selects the units that contain it for certain, a phrase only units that may contain it', async () => {
    const { offsets } = await start(TEXTS);
    expect(await offsets(text('open'))).toEqual([
      [0, 2],
      [0, 2],
    ]);
    expect(await offsets(text('the file'))).toEqual([[], [0]]);
    expect(await offsets(text('door'))).toEqual([[], []]);
  });

  it('no unit is certain when the search compares in another way than the index', async () => {
    const { offsets } = await start(TEXTS);
    expect(await offsets(text('open', false))).toEqual([[], [0, 2]]);
  });

  it('without a condition every unit is certain; a condition without words excludes none', async () => {
    const { offsets } = await start(TEXTS);
    expect(await offsets(null)).toEqual([[0, 1, 2], []]);
    expect(await offsets({ type: 'any' })).toEqual([[], null]);
    expect(await offsets(text('...'))).toEqual([[], null]);
  });

  it('all parts of a conjunction have to hold; one without words leaves the restriction of the others', async () => {
    const { offsets } = await start(TEXTS);
    const and = (...children: Required[]) => offsets({ type: 'and', children });
    expect(await and(text('open'), text('file'))).toEqual([
      [0, 2],
      [0, 2],
    ]);
    expect(await and(text('open'), text('the'))).toEqual([[0], [0]]);
    expect(await and(text('open'), { type: 'any' })).toEqual([[], [0, 2]]);
    expect(await and({ type: 'any' }, text('window'))).toEqual([[], [1]]);
    expect(await and({ type: 'any' }, { type: 'any' })).toEqual([[], null]);
  });

  it('one part of a disjunction has to hold; one without words allows every unit', async () => {
    const { offsets } = await start(TEXTS);
    const or = (...children: Required[]) => offsets({ type: 'or', children });
    expect(await or(text('window'), text('all', false))).toEqual([[1], [1, 2]]);
    expect(await or(text('window'), { type: 'any' })).toEqual([[1], null]);
    expect(await or({ type: 'any' }, text('window'))).toEqual([[1], null]);
  });

  it('a repeated condition reads neither dictionary nor postings, and its units stay the same', async () => {
    const { read, offsets } = await start(TEXTS);
    const both: Required = { type: 'and', children: [text('open'), text('the')] };
    const either: Required = { type: 'or', children: [text('open'), text('window')] };
    const once = async () => [await offsets(both), await offsets(either), await offsets(text('open'))];
    const first = await once();
    expect(read.splice(0)).not.toEqual([]);
    expect(await once()).toEqual(first);
    expect(read).toEqual([]);
  });

  it('the units that other tests of the same word select are other ones', async () => {
    const { offsets } = await start(TEXTS);
    for (const [value, found] of [
      ['ope', [0, 2]],
      [' ope', [0]],
      ['ope ', []],
      ['-ope-', []],
      ['open ', [0, 2]],
    ] as const)
      expect((await offsets(text(value)))[1]).toEqual(found);
  });

  it('conditions that select nothing do not fill the memory', async () => {
    const { read, evaluate } = await start(TEXTS);
    await evaluate(text('first'));
    expect(read.splice(0)).toEqual(['0']);
    for (let n = 0; n < 60_000; n++) await evaluate(text(`absent${n}`));
    read.splice(0);
    await evaluate(text('first'));
    expect(read).toEqual(['0']);
  });

  it('a later version of a block is judged by its amendments', async () => {
    const { block, offsets } = await start(TEXTS);
    expect(await offsets(text('open'))).toEqual([
      [0, 2],
      [0, 2],
    ]);
    block.amended = amendedUnits({ 0: 'Close the door' });
    expect(await offsets(text('open'))).toEqual([[2], [2]]);
    block.amended = amendedUnits({ 1: 'Open the window' });
    expect(await offsets(text('open'))).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]);
  });

  it('an amended unit is judged by its new text, not by the postings', async () => {
    const { offsets } = await start(TEXTS, { 0: 'Close the door', 1: 'Open a window' });
    expect(await offsets(text('open'))).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(await offsets(text('door'))).toEqual([[0], [0]]);
  });

  it('of very long words, a text selects those with all of its pairs of letters', async () => {
    const [a, b] = ['a', 'b'].map((letter) => letter.repeat(MAX_WORD));
    const { offsets } = await start([`${a}${b}`, `${a}aaa`, 'aab']);
    expect(await offsets(text('aab'))).toEqual([[2], [0, 2]]);
  });

  it('the postings of each part of a large dictionary are found', async () => {
    const words = Array.from({ length: 40_000 }, (_, i) => `word${i}`);
    const { block, offsets } = await start([words.join(' '), 'A zebra', 'Another word']);
    expect(block.parts).toBe(2);
    for (const [value, found] of [
      ['zebra', [1]],
      ['word', [0, 2]],
      ['another', [2]],
      ['word39999', [0]],
    ] as const)
      expect(await offsets(text(value))).toEqual([found, found]);
  });

  it('the caller may change a verdict without changing the next one', async () => {
    const { evaluate, offsets } = await start(TEXTS);
    for (const required of [null, text('open')]) {
      const before = await offsets(required);
      const verdict = await evaluate(required);
      verdict.sure.addRange(0, 32);
      verdict.possible!.addRange(0, 32);
      expect(await offsets(required)).toEqual(before);
    }
  });

  it('a missing document of the index is an error, not an empty result', async () => {
    const { store, block, evaluate } = await start(TEXTS);
    store.documents.delete(documentId(block, '0.0'));
    await expect(evaluate(text('open'))).rejects.toBeInstanceOf(BrokenIndexError);
  });
});

describe('every verdict', () => {
  const part = fc.constantFrom('open', 'Ope', 'file', 'ﬁle', 'Straße', 'STRASSE', 'ſ', ' ', '-', '日本語', '本', 'x9');
  const long = fc.constantFrom('a', 'B').map((letter) => letter.repeat(MAX_WORD + 3));
  const texts = fc.array(fc.oneof({ weight: 9, arbitrary: part }, long), { maxLength: 5 }).map((of) => of.join(''));
  const values = texts.filter((value) => value !== '');
  const { required } = fc.letrec<{ required: Required }>((tie) => ({
    required: fc.oneof(
      { maxDepth: 2 },
      fc.record({ type: fc.constant('text' as const), value: values, exact: fc.boolean() }),
      fc.constant<Required>({ type: 'any' }),
      fc.record({
        type: fc.constantFrom('and' as const, 'or' as const),
        children: fc.array(tie('required'), { minLength: 1, maxLength: 3 }),
      }),
    ),
  }));

  /** The comparison of a search: see `evaluate` of libs/search. */
  const contains = (of: string, value: string) => of.includes(value) || of.toLowerCase().includes(value.toLowerCase());
  /** Whether a unit meets a condition: yes, no, or unknown because the condition does not say. */
  function meets(of: string, condition: Required): { met: boolean; known: boolean } {
    if (condition.type === 'any') return { met: true, known: false };
    if (condition.type === 'text') return { met: contains(of, condition.value), known: condition.exact };
    const parts = condition.children.map((child) => meets(of, child));
    const all = condition.type === 'and';
    return {
      met: all ? parts.every(({ met }) => met) : parts.some(({ met }) => met),
      known: all ? parts.every(({ known }) => known) : parts.some(({ met, known }) => met && known),
    };
  }

  it('every verdict allows each unit that meets the condition, and is certain of no other', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(texts, { minLength: 1, maxLength: 6 }),
        fc.dictionary(fc.constantFrom('0', '2', '5'), texts),
        required,
        async (stored, amended, condition) => {
          const { evaluate } = await start(stored, amended);
          const { sure, possible } = await evaluate(condition);
          for (let offset = 0; offset < stored.length; offset++) {
            const { met, known } = meets(amended[offset] ?? stored[offset]!, condition);
            if (met) expect(possible === null || possible.has(offset) || sure.has(offset)).toBe(true);
            if (sure.has(offset)) expect({ met, known }).toEqual({ met: true, known: true });
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
