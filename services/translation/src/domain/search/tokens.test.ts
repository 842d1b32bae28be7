import fc from 'fast-check';
import { AmendedUnits } from './amended-units';
import { addTokens, conditionOf, IRREGULAR, isRegular, MAX_WORD } from './tokens';

const characters = 'aAbBzZ09 -_.,\nßẞſsSkK\u212aiIİıςσΣžŽéÉ中文字カタナー한국ไทยภาษา😀'
  .split('')
  .concat('e\u0301', 'Ǆ', 'ŉ', 'ﬁ');
const texts = fc.array(fc.constantFrom(...characters), { maxLength: 30 }).map((of) => of.join(''));
const longWords = fc
  .array(fc.constantFrom('a', 'B', 'ß', 'x'), { minLength: MAX_WORD - 4, maxLength: MAX_WORD + 10 })
  .map((of) => of.join(''));
const anyTexts = fc.oneof(
  texts,
  fc.tuple(texts, longWords, texts).map((of) => of.join('')),
);

/** The comparison of a search: see `evaluate` of libs/search. */
const contains = (text: string, value: string) =>
  text.includes(value) || text.toLowerCase().includes(value.toLowerCase());

function verdict(text: string, value: string): { sure: boolean; possible: boolean } {
  const condition = conditionOf(value);
  if (!condition) return { sure: false, possible: true };
  const tokens = new Set<string>();
  addTokens(text, tokens);
  const units = new AmendedUnits([{ offset: 3, tokens: [...tokens] }]);
  const selected = condition.tests.map((test) => units.select(test));
  return {
    sure: condition.exact && selected.every(({ sure }) => sure.has(3)),
    possible: selected.every(({ possible }) => possible.has(3)),
  };
}

it('Candidates contain every text with the searched one, and sure candidates no other text', () => {
  const cases = fc
    .tuple(anyTexts, anyTexts, fc.nat(40), fc.nat(80), fc.boolean())
    .map(([text, other, from, length, part]) => ({
      text,
      value: part ? text.slice(from, from + length) : other,
    }));
  fc.assert(
    fc.property(cases, ({ text, value }) => {
      // Parts of a surrogate pair are no text.
      if (value === '' || [text, value].some((of) => Buffer.from(of).toString() !== of)) return;
      const { sure, possible } = verdict(text, value);
      if (contains(text, value)) expect(possible).toBe(true);
      if (sure) expect(contains(text, value)).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});

it.each([
  ['Open the File', 'fil', true],
  ['Žluťoučký kůň', 'KŮŇ', true],
  ['日本語', '本', true],
  ['日本語', '日本', true],
  ['Straße', 'stra', false],
  ['Open file', 'open f', false],
  ['日本語', '日本語', false],
])('%j contains %j; the index is sure: %j', (text, value, sure) =>
  expect(verdict(text, value)).toEqual({ sure, possible: true }),
);

it('Letters with other case variants are irregular', () => {
  for (const text of ['Save 10 %', 'žluťoučký', 'ПРИВЕТ', '中文'])
    expect([text, isRegular(text)]).toEqual([text, true]);
  for (const text of ['ß', 'ſ', '\u212a', 'İ', 'ı', 'ς', 'ŉ']) expect([text, isRegular(text)]).toEqual([text, false]);
  const tokens = new Set<string>();
  addTokens('Große Datei', tokens);
  expect([...tokens]).toEqual([`${IRREGULAR}GROSSE`, 'DATEI']);
});
