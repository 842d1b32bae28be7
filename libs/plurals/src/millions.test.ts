import { validatePlural } from './formula';
import { findLanguage } from './languages';
import { withMillions } from './millions';
import { pluralCategories, pluralType } from './plural-types';

describe('withMillions', () => {
  test.each(['es', 'fr', 'it', 'pt', 'pt_BR', 'pt_PT', 'ca', 'es_MX', 'fr_CA'])(
    '%s gets the form "many" between the forms that it has',
    (code) => {
      const { plural } = findLanguage(code)!;
      const rule = withMillions(plural, code)!;
      expect(pluralCategories(pluralType(rule.formula))).toEqual(['one', 'many', 'other']);
      const before = validatePlural(plural.number, plural.formula).evaluate;
      const after = validatePlural(rule.number, rule.formula).evaluate;
      for (const n of [0, 1, 2, 5, 11, 100, 1001, 1_000_001])
        expect([n, after(n)]).toEqual([n, before(n) === 0 ? 0 : 2]);
      expect([1_000_000, 2_000_000].map(after)).toEqual([1, 1]);
    },
  );

  test.each(['en', 'de', 'cs', 'pl', 'ru', 'ar', 'he', 'lt', 'ja'])('%s keeps the forms that it has', (code) => {
    expect(withMillions(findLanguage(code)!.plural, code)).toBeUndefined();
  });

  it('withMillions does not change rules of an administrator and unknown codes', () => {
    expect(withMillions({ number: 2, formula: 'n % 10 != 1' }, 'es')).toBeUndefined();
    expect(withMillions({ number: 3, formula: 'n == 1 ? 0 : n == 2 ? 1 : 2' }, 'fr')).toBeUndefined();
    expect(withMillions({ number: 2, formula: 'n != 1' }, 'x y')).toBeUndefined();
  });
});
