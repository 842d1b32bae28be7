import fc from 'fast-check';
import { editDistance, similarity } from './similarity';

/** Textbook implementation. */
function plainDistance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      table[i]![j] = Math.min(
        table[i - 1]![j]! + 1,
        table[i]![j - 1]! + 1,
        table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
  return table[a.length]![b.length]!;
}

describe('similarity', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });

  it('editDistance equals a textbook implementation up to its limit', () => {
    fc.assert(
      fc.property(words, words, fc.nat(12), (a, b, limit) => {
        const exact = plainDistance(a, b);
        const found = editDistance(a, b, limit);
        if (exact <= limit) expect(found).toBe(exact);
        else expect(found).toBeGreaterThan(limit);
      }),
    );
  });

  it('The similarity is 100 for equal texts only', () => {
    expect(similarity('Open file', 'Open file', 1)).toBe(100);
    expect(similarity('Open file', 'open  file', 1)).toBe(99);
    expect(similarity('Open file', 'Open files', 1)).toBe(90);
    expect(similarity('Open file', 'Close door', 80)).toBe(0);
    expect(similarity('', 'a', 1)).toBe(0);
  });

  it('texts that differ only in case and white space are 99 percent similar, however much white space it is', () => {
    expect(similarity('Open\n        the file', ' open THE file', 99)).toBe(99);
  });

  it('a text with one edit is never 100 percent similar, however long it is', () => {
    const long = 'x'.repeat(1_000);
    expect(similarity(long, `${long}y`, 99)).toBe(99);
  });

  it('the threshold itself is reached, and a similarity below it is returned as 0', () => {
    expect(similarity('abcdefghij', 'abcdefghiX', 90)).toBe(90);
    expect(similarity('abcdefghij', 'abcdefghXX', 90)).toBe(0);
    expect(similarity('abcdefghij', 'abcdefghXX', 80)).toBe(80);
  });

  it('the distance of long texts, which another algorithm computes, obeys the limit, too', () => {
    const [a, b] = ['a', 'b'].map((letter) => letter.repeat(600));
    expect(editDistance(a!, b!, 600)).toBe(600);
    expect(editDistance(`${a}c`, `d${a}`, 600)).toBe(2);
    expect(editDistance(a!, b!, 599)).toBe(600);
    expect(editDistance(a!, b!, 300)).toBe(301);
  });
});
