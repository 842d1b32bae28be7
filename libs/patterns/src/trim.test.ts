import { trimEndOf, trimOf } from './trim';

it('Only the given characters are trimmed, at the end or at both ends', () => {
  expect(trimEndOf('..a.b...', '.')).toBe('..a.b');
  expect(trimOf('. .a b. ', '. ')).toBe('a b');
  expect(trimOf('....', '.')).toBe('');
  expect(trimEndOf('', '.')).toBe('');
});
