import fc from 'fast-check';
import { Segments } from './segments';

function start(tokens: readonly string[]) {
  const text = `\n${tokens.join('\n')}\n`;
  const words = Buffer.from(text);
  const positions: number[] = [];
  for (let at = 0; at >= 0 && at < words.length - 1; at = words.indexOf('\n', at + 1)) positions.push(at + 1);
  const segments = new Segments(words, Uint32Array.from(positions));
  return { words, candidatesOf: (part: string) => [...segments.candidates(Buffer.from(part))] };
}

function occurrences(words: Buffer, part: string): number[] {
  const found: number[] = [];
  for (let at = words.indexOf(part); at >= 0; at = words.indexOf(part, at + 1)) found.push(at);
  return found;
}

describe('Segments', () => {
  it('every occurrence is in one candidate, also at the ends of segments', () => {
    const token = fc.oneof(fc.stringMatching(/^[ABC]{1,4}$/), fc.constantFrom('ŽÁBA', '日本', 'X'.repeat(1_000)));
    fc.assert(
      fc.property(fc.array(token, { minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 99 }), (of, times) => {
        const { words, candidatesOf } = start(Array.from({ length: times }, () => of).flat());
        for (const part of [of[0]!, `\n${of[0]}`, `${of[0]}\n`, `\n${of[0]}\n`, 'A', 'ÁB', 'ABCABCABC'])
          expect(
            candidatesOf(part).flatMap(([first, end]) =>
              occurrences(words.subarray(first, end), part).map((at) => first + at),
            ),
          ).toEqual(occurrences(words, part));
      }),
      { numRuns: 50 },
    );
  });

  it('segments without the letters of a text are no candidates', () => {
    const { candidatesOf } = start([...Array.from({ length: 20_000 }, (_, i) => `WORD${10_000 + i}`), 'ZEBRA']);
    expect(candidatesOf('OR')).toHaveLength(25);
    expect(candidatesOf('ZEBRA')).toHaveLength(1);
    expect(candidatesOf('D29999').length).toBeLessThan(5);
    expect(candidatesOf('ABSENT')).toEqual([]);
  });
});
