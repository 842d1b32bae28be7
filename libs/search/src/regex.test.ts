import fc from 'fast-check';
import { escapeLiteral } from '@parlance/patterns';
import { compileRegex, hasNestedRepetition, RegexError } from './regex';

test.each(['(a+)+', '(a*)*b', '((a+))*', '(a|a)+', '(?:x+y)*', '(?i:a*){2,}', '(?P<n>a+)+', '([a-z]+)*', '(a{2,5})+'])(
  'the pattern %s is reported as a nested repetition',
  (pattern) => {
    expect(hasNestedRepetition(pattern)).toBe(true);
    expect(() => compileRegex(pattern)).toThrow(RegexError);
  },
);

test.each([
  'a+b*',
  '(a+)b',
  '(a|b)',
  '(abc)+',
  '(a+)?',
  '[(a+)]+',
  '\\(a+\\)+',
  'a+?b',
  '(?i)a+',
  '\\Q(a+)\\E+',
  '[]a+]*',
  '[[:alpha:]+]+',
  '^\\w+ .*$',
])('the pattern %s is not reported as a nested repetition', (pattern) => {
  expect(hasNestedRepetition(pattern)).toBe(false);
  compileRegex(pattern);
});

test.each(['(', 'a)', '[a', '*a', '(?=a)', '(?<!a)b', '(a)\\1', 'a{1001}', '\\', 'x'.repeat(501)])(
  'the pattern %s is rejected',
  (pattern) => expect(() => compileRegex(pattern)).toThrow(RegexError),
);

test('patterns that never finish in a backtracking engine run in linear time', () => {
  const long = 'a'.repeat(20_000);
  expect(compileRegex('a*a*a*a*a*b').test(long)).toBe(false);
  expect(compileRegex('.*.*.*=.*').test(long)).toBe(false);
});

test('escaped text matches only itself', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), (text) => {
      const pattern = `^${escapeLiteral(text)}$`;
      expect(new RegExp(pattern).test(text)).toBe(true);
      expect(new RegExp(pattern).test(`${text}x`)).toBe(false);
    }),
  );
});
