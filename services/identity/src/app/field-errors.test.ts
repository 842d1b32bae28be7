import { problemsOf, reasonOf } from '@parlance/testing';
import { TakenError } from '../domain/ports';
import { Problems } from '../domain/problems';
import { fieldError, notFound, reportTaken, throwIfInvalid } from './field-errors';

describe('throwIfInvalid', () => {
  it('all problems are reported together, with those that the caller found first', async () => {
    const problems = new Problems([{ attr: 'is_bot', code: 'invalid', detail: 'Not a boolean.' }]);
    problems.add('name', 'required', 'This field is required.');
    problems.add('is_bot', 'required', 'Reported already.');
    const check = async () => throwIfInvalid(problems);
    expect(await problemsOf(check())).toEqual([
      { attr: 'is_bot', code: 'invalid', detail: 'Not a boolean.' },
      { attr: 'name', code: 'required', detail: 'This field is required.' },
    ]);
  });

  it('throwIfInvalid does not throw without a problem', () => {
    expect(() => throwIfInvalid(new Problems())).not.toThrow();
  });
});

describe('fieldError', () => {
  it('an error names one field, or the whole request', async () => {
    const problem = { attr: null, code: 'invalid', detail: 'Too many tokens.' };
    expect(await problemsOf(Promise.reject(fieldError(null, 'invalid', 'Too many tokens.')))).toEqual([problem]);
    expect(fieldError('name', 'unique', 'Taken.')).toMatchObject({ reason: 'INVALID', problems: [{ attr: 'name' }] });
  });
});

describe('reportTaken', () => {
  it('the result of a write is returned', async () => {
    expect(await reportTaken(() => Promise.resolve('written'))).toBe('written');
  });

  it.each([
    ['username', 'This username is already taken.'],
    ['email', 'This mail address is already used by another user.'],
  ] as const)('a taken %s is reported on its field', async (field, detail) => {
    const write = () => reportTaken(() => Promise.reject(new TakenError(field)));
    expect(await problemsOf(write())).toEqual([{ attr: field, code: 'unique', detail }]);
  });

  it('values that no client sends, and other errors, are passed on', async () => {
    for (const error of [new TakenError('id'), new TakenError('externalKey'), new Error('store unavailable')])
      await expect(reportTaken(() => Promise.reject(error))).rejects.toBe(error);
  });
});

describe('notFound', () => {
  it('an error names the missing object', async () => {
    expect(notFound('The user').message).toBe('The user was not found.');
    expect(await reasonOf(Promise.reject(notFound('The user')))).toBe('NOT_FOUND');
  });
});
