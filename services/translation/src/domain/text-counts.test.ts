import { TextCounts } from './text-counts';
import { textKey } from './unit';

const keyOf = (i: number): number => textKey([`Text ${i}`]);

describe('TextCounts', () => {
  it('a text that was added twice may repeat', () => {
    const counts = new TextCounts(1_000);
    for (let i = 0; i < 1_000; i++) counts.add(keyOf(i));
    counts.add(keyOf(7));
    expect(counts.mayRepeat(keyOf(7))).toBe(true);
  });

  it('few of the texts that were added once may repeat', () => {
    const counts = new TextCounts(10_000);
    for (let i = 0; i < 10_000; i++) counts.add(keyOf(i));
    const taken = Array.from({ length: 10_000 }, (_, i) => counts.mayRepeat(keyOf(i))).filter(Boolean).length;
    expect(taken).toBeLessThan(1_000);
  });

  it('texts beyond the expected number are never missed', () => {
    const counts = new TextCounts(1);
    for (let i = 0; i < 5_000; i++) counts.add(keyOf(i % 2_500));
    for (let i = 0; i < 2_500; i++) expect(counts.mayRepeat(keyOf(i))).toBe(true);
  });
});
