import { textDiff } from './text-diff';

const rebuilt = (before: string, after: string) => {
  const parts = textDiff(before, after);
  const without = (op: string) =>
    parts
      .filter((part) => part.op !== op)
      .map(({ text }) => text)
      .join('');
  return [without('insert'), without('delete')];
};

describe('a text diff', () => {
  it('a text diff names words that were deleted and inserted', () => {
    expect(textDiff('Ahoj, světe!', 'Dobrý den, světe!')).toEqual([
      { op: 'delete', text: 'Ahoj' },
      { op: 'insert', text: 'Dobrý den' },
      { op: 'equal', text: ', světe!' },
    ]);
    expect(textDiff('', 'x')).toEqual([{ op: 'insert', text: 'x' }]);
    expect(textDiff('same', 'same')).toEqual([{ op: 'equal', text: 'same' }]);
    expect(textDiff('', '')).toEqual([]);
  });

  it.each([
    ['a b c d', 'a c d e'],
    ['one two', 'two one'],
    ['😀 x', '😁 x'],
    ['', 'new text'],
    ['x '.repeat(3000), 'y '.repeat(3000)],
    ['\ud800 broken', 'broken \udc00'],
  ])('a text diff holds both texts: %#', (before, after) => expect(rebuilt(before, after)).toEqual([before, after]));
});
