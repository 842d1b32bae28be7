import { isAllowed } from './spdx.mjs';

describe('licence expressions', () => {
  it.each([
    ['MIT', true],
    ['GPL-3.0-only', false],
    ['UNKNOWN', false],
    ['(MIT OR GPL-3.0-only)', true],
    ['MIT AND GPL-3.0-only', false],
    ['GPL-3.0-only OR MIT AND ISC', true],
    ['(GPL-3.0-only OR MIT) AND GPL-3.0-only', false],
    ['GPL-3.0-only AND MIT OR (ISC)', true],
  ])('the licence expression %s is allowed: %s', (expression, expected) => {
    expect(isAllowed(expression)).toBe(expected);
  });
});
