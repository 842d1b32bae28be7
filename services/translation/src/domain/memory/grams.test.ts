import fc from 'fast-check';
import { gramsOf } from './grams';

describe('gramsOf', () => {
  it('texts that differ only in case and white space have the same trigrams', () => {
    expect(gramsOf('  Open\n\tthe FILE ')).toEqual(gramsOf('open the file'));
  });

  it('distinct trigrams are counted; they start before the first and end after the last letter', () => {
    expect(gramsOf('a').size).toBe(2);
    expect(gramsOf('ab').size).toBe(3);
    expect(gramsOf('abcabc').size).toBe(6);
  });

  it('one edit removes at most three trigrams, on which the minimum of shared ones relies', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', 'd'), maxLength: 400 });
    const edit = fc.record({ at: fc.nat(400), removed: fc.constantFrom(0, 1), added: fc.constantFrom('', 'x', 'a') });
    fc.assert(
      fc.property(texts, edit, (text, { at, removed, added }) => {
        const edited = text.slice(0, at) + added + text.slice(at + removed);
        const after = gramsOf(edited);
        expect([...gramsOf(text)].filter((gram) => !after.has(gram)).length).toBeLessThanOrEqual(3);
      }),
    );
  });

  it('of a long text only the beginning is indexed, by hashes of 17 bits', () => {
    const long = Array.from({ length: 2_000 }, (_, i) => i.toString(36)).join(' ');
    const grams = gramsOf(long);
    expect(grams.size).toBe(256);
    expect(gramsOf(`${long} and more`)).toEqual(grams);
    for (const gram of grams) expect(gram >= 0 && gram < 2 ** 17).toBe(true);
  });
});
