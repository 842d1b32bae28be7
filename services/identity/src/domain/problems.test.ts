import { checkChoice, checkExpiry, checkLength, checkLine, Problems } from './problems';

/** Codes of the problems that a check reports, by field. */
function codesOf(check: (problems: Problems) => void, known: Problems['found'] = []) {
  const problems = new Problems(known);
  check(problems);
  return problems.found.map(({ attr, code }) => `${attr}:${code}`);
}

describe('Problems', () => {
  it('fields with problems that the caller found are not validated again; others are', () => {
    const known = [{ attr: 'name', code: 'blank', detail: '' }];
    const check = (problems: Problems) => {
      problems.add('name', 'invalid', '');
      problems.add('email', 'invalid', '');
      problems.add('email', 'unique', '');
    };
    expect(codesOf(check, known)).toEqual(['name:blank', 'email:invalid', 'email:unique']);
    const problems = new Problems(known);
    expect([problems.clean('name'), problems.clean('email')]).toEqual([false, true]);
    check(problems);
    expect(problems.clean('email')).toBe(false);
    expect(known).toHaveLength(1);
  });
});

describe('checks of fields', () => {
  it.each([
    [undefined, ['name:required']],
    ['', ['name:blank']],
    ['a\u2028b', ['name:invalid']],
    ['a\u0000', ['name:invalid']],
    [' a', ['name:invalid']],
    ['a ', ['name:invalid']],
    ['😀😀😀', []],
    ['😀😀😀a', ['name:max_length']],
  ])('the line %j with a maximum of three characters has the problems %j', (value, codes) => {
    expect(codesOf((problems) => checkLine(problems, 'name', value, 3))).toEqual(codes);
  });

  it('a length counts characters, not code units', () => {
    expect(codesOf((problems) => checkLength(problems, 'name', '😀', 1))).toEqual([]);
  });

  it('a number has to be given and allowed', () => {
    const codes = (value?: number) => codesOf((problems) => checkChoice(problems, 'scope', value, [0, 10]));
    expect([codes(), codes(0), codes(5)]).toEqual([['scope:required'], [], ['scope:invalid_choice']]);
  });

  it.each([
    [0, []],
    [1_001, []],
    [1_000, ['expires:min_value']],
    [-5, ['expires:invalid']],
    [1_500.5, ['expires:invalid']],
    [8.64e15, []],
    [8.64e15 + 1, ['expires:invalid']],
  ])('the end of validity %d at the time 1000 has the problems %j', (expires, codes) => {
    expect(codesOf((problems) => checkExpiry(problems, 'expires', expires, 1_000))).toEqual(codes);
  });
});
