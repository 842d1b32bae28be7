import { withFlag, withoutFlag } from './ignore-flags';

describe('ignore flags', () => {
  it.each([
    ['', 'ignore-same'],
    ['max-length:20', 'max-length:20, ignore-same'],
    ['placeholders:"a, b"', 'placeholders:"a, b", ignore-same'],
    ['ignore-same, read-only', 'ignore-same, read-only'],
  ])('a flag is added to "%s" once', (before, after) => expect(withFlag(before, 'ignore-same')).toBe(after));

  it.each([
    ['ignore-same', ''],
    ['max-length:20, ignore-same, read-only', 'max-length:20, read-only'],
    ['ignore-same,max-length:20', 'max-length:20'],
    ['placeholders:"a, ignore-same", ignore-same', 'placeholders:"a, ignore-same"'],
    ['max-length:20', 'max-length:20'],
  ])('a flag is removed from "%s", and the others stay', (before, after) =>
    expect(withoutFlag(before, 'ignore-same')).toBe(after),
  );
});
