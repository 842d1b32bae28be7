import { MAX_TEXT, findTextProblem } from './text-rules';

it.each([
  ['NUL', 'x\0', 'null_characters_not_allowed'],
  ['half a character', 'x\ud800', 'invalid'],
  ['a control character', 'x\u0001', 'invalid'],
  ['too many characters', 'x'.repeat(MAX_TEXT), 'max_length'],
])('A text with %s is invalid', (_, text, code) => {
  expect(findTextProblem(['a', text])).toMatchObject({ form: 1, code });
});

it('White space, line ends and control characters of a known text are valid', () => {
  expect(findTextProblem(['a\t\r\n'])).toBeUndefined();
  expect(findTextProblem(['\u001b[1mtučně'], ['\u001b[1mbold'])).toBeUndefined();
  expect(findTextProblem(['x\0'], ['y\0'])?.code).toBe('null_characters_not_allowed');
});
