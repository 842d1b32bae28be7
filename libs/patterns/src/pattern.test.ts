import { compilePattern, MAX_PATTERN_LENGTH, PatternError, patternProblem } from './pattern';

/** Patterns that take a backtracking engine minutes or longer on the hostile text. */
const HOSTILE = ['^(a+)+$', '(a|a)*b', '(a*)*c', '^(([a-z])+.)+[A-Z]([a-z])+$', '(.*a){20}b', 'a*a*a*a*a*a*a*b'];
const text = `${'a'.repeat(20_000)}!`;

it.each(HOSTILE)('%s comes to an end on the hostile text, without a match', (source) => {
  const pattern = compilePattern(source);
  expect(pattern.test(text)).toBe(false);
  expect(pattern.first(text)).toBeNull();
  expect(pattern.remove(text)).toBe(text);
});

it.each(['(?=a)', 'a(?!b)', '(?<=x)y', '(a)\\1', '(', '[z-a]', 'a**b'])('%s is rejected with a message', (source) => {
  expect(() => compilePattern(source)).toThrow(PatternError);
  expect(patternProblem(source)).toMatch(/^This is not a valid regular expression \(RE2 syntax\): ./);
});

it('Too large patterns and automata are rejected', () => {
  expect(patternProblem('a'.repeat(MAX_PATTERN_LENGTH + 1))).toContain('longer than');
  expect(patternProblem('(a{900})(b{900})')).toContain('too large');
  expect(patternProblem('^[^.]+$')).toBeNull();
});

it('A match has named groups with their offsets', () => {
  const match = compilePattern('(?P<first>[a-z]+)/(?<second>[0-9]*)(?P<none>x)?').whole('ab/12')!;
  expect([match.group('first'), match.span('first')]).toEqual(['ab', [0, 2]]);
  expect([match.group('second'), match.span('second')]).toEqual(['12', [3, 5]]);
  expect([match.group('none'), match.span('none'), match.group('other')]).toEqual([undefined, undefined, undefined]);
  expect(compilePattern('a').whole('ab')).toBeNull();
});

it('All matches are found and removed, empty ones are not reported', () => {
  const pattern = compilePattern('[0-9]*', { ignoreCase: true });
  expect(pattern.findAll('a1b22')).toEqual(['1', '22']);
  expect(pattern.remove('a1b22')).toBe('ab');
  expect(compilePattern('ä', { ignoreCase: true }).test('Ä')).toBe(true);
  expect(compilePattern('^b$', { multiline: true }).test('a\nb\nc')).toBe(true);
});
