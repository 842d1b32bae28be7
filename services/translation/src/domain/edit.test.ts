import { actionOfEdit, applyEdit } from './edit';

const rules = { forms: 1, review: false, mayReview: false };
const unit = (target: string, state: number) => ({ target: [target], state });

function problems(run: () => unknown): string[] {
  try {
    run();
    return [];
  } catch (error) {
    return (error as { problems: { attr: string; code: string }[] }).problems.map((p) => `${p.attr}:${p.code}`);
  }
}

describe('applyEdit', () => {
  it('An edit may set the text, the state or both', () => {
    expect(applyEdit(unit('', 0), { target: ['Ahoj'], state: 20 }, rules)).toEqual({ target: ['Ahoj'], state: 20 });
    expect(applyEdit(unit('', 0), { target: ['Ahoj'] }, rules)).toEqual({ target: ['Ahoj'], state: 20 });
    expect(applyEdit(unit('Ahoj', 20), { state: 10 }, rules)).toEqual({ target: ['Ahoj'], state: 10 });
    expect(applyEdit(unit('Ahoj', 20), { target: [''] }, rules)).toEqual({ target: [''], state: 0 });
  });

  it('An edit with a blank plural form is invalid, unless all forms are blank and the state is untranslated', () => {
    const plural = { target: ['', '', ''], state: 0 };
    const three = { ...rules, forms: 3 };
    const blank = (...forms: number[]) => forms.map((form) => `target.${form}:blank`);
    expect(problems(() => applyEdit(plural, { target: ['a', '', 'c'], state: 20 }, three))).toEqual(blank(1));
    expect(problems(() => applyEdit(plural, { target: ['a', '', ''], state: 10 }, three))).toEqual(blank(1, 2));
    expect(problems(() => applyEdit(plural, { target: ['a', '', 'c'] }, three))).toEqual(blank(1));
    expect(problems(() => applyEdit(plural, { target: ['', '', ''], state: 20 }, three))).toEqual(blank(0, 1, 2));
    expect(applyEdit(plural, { target: ['', '', ''], state: 0 }, three)).toEqual({ target: ['', '', ''], state: 0 });
    expect(applyEdit(plural, { target: ['', '', ''] }, three)).toEqual({ target: ['', '', ''], state: 0 });
  });

  it('An invalid edit is rejected with the problems of each field', () => {
    expect(problems(() => applyEdit(unit('', 0), { target: ['a', 'b'] }, rules))).toEqual(['target:invalid']);
    expect(problems(() => applyEdit(unit('a', 20), { state: 0 }, rules))).toEqual(['state:invalid']);
    expect(problems(() => applyEdit(unit('', 0), { state: 20 }, rules))).toEqual(['state:invalid']);
    expect(problems(() => applyEdit(unit('a', 20), { state: 100 }, rules))).toEqual(['state:invalid']);
    expect(problems(() => applyEdit(unit('a', 20), { state: 15 }, rules))).toEqual(['state:invalid_choice']);
    expect(problems(() => applyEdit(unit('a', 20), { target: ['a', 'b'], state: 15 }, rules))).toEqual([
      'target:invalid',
      'state:invalid_choice',
    ]);
  });

  it('Only reviewers may approve a string or change an approved string', () => {
    expect(problems(() => applyEdit(unit('a', 20), { state: 30 }, rules))).toEqual(['state:invalid']);
    expect(problems(() => applyEdit(unit('a', 20), { state: 30 }, { ...rules, review: true }))).toEqual([
      'state:invalid',
    ]);
    expect(applyEdit(unit('a', 20), { state: 30 }, { forms: 1, review: true, mayReview: true }).state).toBe(30);
    expect(() => applyEdit(unit('a', 30), { target: ['b'] }, { ...rules, review: true })).toThrow('approved');
    expect(() => applyEdit(unit('a', 100), { target: ['b'] }, rules)).toThrow('read-only');
  });

  it('The history action is derived from the old and new state', () => {
    expect(actionOfEdit(0, 20)).toBe(5);
    expect(actionOfEdit(20, 20)).toBe(2);
    expect(actionOfEdit(20, 10)).toBe(37);
    expect(actionOfEdit(10, 30)).toBe(36);
  });
});
