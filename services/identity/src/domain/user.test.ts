import fc from 'fast-check';
import { Problems } from './problems';
import { anonymized, checkEmail, checkFullName, checkPassword, checkUsername, newUser } from './user';

function codes(check: (problems: Problems) => void): string[] {
  const problems = new Problems();
  check(problems);
  return problems.found.map((p) => p.code);
}

describe('user fields', () => {
  it.each([
    ['ana', []],
    ['Žofie.N@home+1', []],
    ['_x', []],
    [undefined, ['required']],
    ['', ['blank']],
    ['.ana', ['invalid']],
    ['ana b', ['invalid']],
    ['a\u0000b', ['invalid']],
    [' ana', ['invalid']],
    ['a/b', ['invalid']],
    ['deleted-7', ['invalid']],
    ['a'.repeat(150), []],
    ['a'.repeat(151), ['max_length']],
  ])('the username %j is validated', (value, expected) => {
    expect(codes((p) => checkUsername(p, value))).toEqual(expected);
  });

  it.each([
    ['Ana Nováková', []],
    ['', ['blank']],
    ['Ana ', ['invalid']],
    ['Ana\tB', ['invalid']],
    ['a'.repeat(151), ['max_length']],
  ])('the full name %j is validated', (value, expected) => {
    expect(codes((p) => checkFullName(p, value))).toEqual(expected);
  });

  it.each([
    ['', []],
    ['a.b+c@example.org', []],
    ['a@dům.example', []],
    ['a@localhost', []],
    ['a@elsewhere', ['invalid']],
    ['a b@example.org', ['invalid']],
    ['a@b@example.org', ['invalid']],
    ['a@-example.org', ['invalid']],
    ['a\n@example.org', ['invalid']],
    [`${'a'.repeat(65)}@example.org`, ['invalid']],
    [`a@${'b'.repeat(190)}.org`, ['max_length']],
  ])('the mail address %j is validated', (value, expected) => {
    expect(codes((p) => checkEmail(p, value))).toEqual(expected);
  });

  it('passwords have a minimum and a maximum length', () => {
    expect(codes((p) => checkPassword(p, 'short'))).toEqual(['min_length']);
    expect(codes((p) => checkPassword(p, 'x'.repeat(1025)))).toEqual(['max_length']);
    expect(codes((p) => checkPassword(p, 'long enough'))).toEqual([]);
  });

  it('validation of arbitrary text does not throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        codes((p) => {
          checkUsername(p, text);
          checkFullName(p, text);
          checkEmail(p, text);
        });
      }),
    );
  });
});

describe('a deleted user', () => {
  it('a deleted user keeps no personal data', () => {
    const user = newUser({
      id: 7,
      username: 'ana',
      fullName: 'Ana Nováková',
      email: 'ana@example.org',
      nowMs: 5,
      groups: [2, 3],
      subscriptionIds: [1, 2, 3],
      passwordHash: 'digest',
    });
    const left = anonymized({ ...user, languages: ['cs'], lastLoginMs: 9 }, 'noreply.example.org');
    expect(JSON.stringify(left)).not.toMatch(/ana|Nov|digest|"cs"/);
    expect(left).toMatchObject({
      id: 7,
      username: 'deleted-7',
      email: 'noreply+7@noreply.example.org',
      isActive: false,
    });
    expect([left.groups, left.tokens, left.subscriptions]).toEqual([[], [], []]);
  });
});
