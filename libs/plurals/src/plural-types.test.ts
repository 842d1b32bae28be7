import { parsePluralFormula, validatePlural } from './formula';
import { findLanguage, LANGUAGES, languageDefaults } from './languages';
import { pluralCategories, pluralExamples, pluralFormNames, pluralType, UNKNOWN_PLURAL_TYPE } from './plural-types';

describe('pluralType', () => {
  test.each([
    ['0', 0],
    ['n != 1', 1],
    ['(n != 1)', 1],
    ['n!=1;', 1],
    ['n > 1', 1],
    ['(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2', 22],
    ['((n==1) ? 0 : ((n>=2 && n<=4) ? 1 : 2))', 22],
    ['n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5', 12],
    ['n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 && n%100<=99 ? 4 : 5', 12],
    ['n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2', 22],
    ['n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2', 2],
    ['n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2', 7],
    ['n == 5 ? 1 : 0', UNKNOWN_PLURAL_TYPE],
    ['alert(1)', UNKNOWN_PLURAL_TYPE],
    ['', UNKNOWN_PLURAL_TYPE],
  ])('the plural type of %s is %d', (formula, type) => expect(pluralType(formula)).toBe(type));

  test('the plural type of every predefined language matches its formula and has a category per form', () => {
    for (const { code, plural } of LANGUAGES) {
      expect([code, pluralType(plural.formula)]).toEqual([code, plural.type]);
      expect([code, pluralCategories(plural.type)?.length]).toEqual([code, plural.number]);
    }
  });
});

test('plural forms have names and examples', () => {
  expect(pluralFormNames(1, 2)).toEqual(['Singular', 'Plural']);
  expect(pluralFormNames(22, 3)).toEqual(['One', 'Few', 'Many']);
  expect(pluralFormNames(UNKNOWN_PLURAL_TYPE, 2)).toEqual(['Form 1', 'Form 2']);
  expect(pluralExamples('(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2', 3, 4)).toEqual([[1], [2, 3, 4], [0, 5, 6, 7]]);
});

describe('the language table', () => {
  test('the language table has about 800 languages with unique codes and names, valid rules and unambiguous aliases', () => {
    expect(LANGUAGES.length).toBeGreaterThanOrEqual(799);
    // Of each kind that CLDR's lists leave out: groups, ways of addressing people, orthographies, scripts, made up ones.
    for (const code of 'kmr und gug xal rom mhr prs ber de@formal pt_BR@informal sr@ijekavian de_1901 nan_Latn_tailo en_US qya'.split(
      ' ',
    ))
      expect([code, findLanguage(code)?.code]).toEqual([code, code]);
    expect(findLanguage('prs')?.direction).toBe('rtl');
    expect(findLanguage('de@formal')).toMatchObject({
      population: findLanguage('de')!.population,
      plural: { formula: 'n != 1' },
    });
    expect(findLanguage('wuu_Hant')?.plural).toMatchObject({ number: 1, formula: '0' });
    expect(new Set(LANGUAGES.map(({ code }) => code.toLowerCase())).size).toBe(LANGUAGES.length);
    expect(new Set(LANGUAGES.map(({ name }) => name)).size).toBe(LANGUAGES.length);
    const aliases = LANGUAGES.flatMap((language) => language.aliases);
    expect(new Set(aliases).size).toBe(aliases.length);
    expect(aliases.length).toBeGreaterThan(400);
    for (const { code, name, plural, population } of LANGUAGES) {
      expect(code).toMatch(/^[A-Za-z0-9_@.-]{2,50}$/);
      expect(name.length).toBeLessThanOrEqual(100);
      expect(Number.isInteger(population) && population >= 0).toBe(true);
      const { evaluate } = validatePlural(plural.number, plural.formula);
      expect(evaluate(1)).toBeLessThan(plural.number);
    }
  });

  test.each([
    ['en', 2, 'n != 1', 1],
    ['fr', 2, 'n > 1', 1],
    ['pt_BR', 2, 'n > 1', 1],
    ['de', 2, 'n != 1', 1],
    ['ja', 1, '0', 0],
    ['zh_Hans', 1, '0', 0],
    ['cs', 3, '(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2', 22],
    ['ru', 3, 'n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2', 22],
    ['ar', 6, 'n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5', 12],
    ['sl', 4, 'n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3', 6],
  ])('the language table gives %s %d forms', (code, number, formula, type) => {
    expect(findLanguage(code)?.plural).toEqual({ number, formula, type, source: 0 });
  });

  // CLDR's own examples of whole numbers, category by category.
  test.each([
    ['br', [[1, 21], [2, 22], [3, 9, 23], [1_000_000], [0, 5, 10]]],
    ['cy', [[0], [1], [2], [3], [6], [4, 10]]],
    ['he', [[1], [2], [0, 3, 10]]],
    [
      'hsb',
      [
        [1, 101],
        [2, 102],
        [3, 104],
        [0, 5, 19],
      ],
    ],
    ['kw', [[0], [1], [2, 22, 1000], [3, 23], [21, 41, 1001], [4, 19]]],
    [
      'fil',
      [
        [0, 1, 2, 3, 5],
        [4, 6, 9, 14],
      ],
    ],
    [
      'gv',
      [
        [1, 11],
        [2, 12],
        [0, 20, 40],
        [3, 19],
      ],
    ],
  ])('the language table gives %s the plural forms of CLDR', (code, forms) => {
    const { evaluate } = parsePluralFormula(findLanguage(code)!.plural.formula);
    expect(forms.map((numbers) => numbers.map(evaluate))).toEqual(
      forms.map((numbers, index) => numbers.map(() => index)),
    );
  });

  test.each([
    'ar',
    'fa',
    'he',
    'ur',
    'yi',
    'ps',
    'sd',
    'ug',
    'dv',
    'ckb',
    'ku_Arab',
    'ks',
    'syr',
    'nqo',
    'azb',
    'pa_PK',
    'ms_Arab',
    'aii',
    'arc',
    'arz',
    'skr',
    'ar_EG',
    'ff_Adlm',
    'ha_Arab',
  ])('the language table has the direction right to left for %s', (code) =>
    expect(findLanguage(code)?.direction).toBe('rtl'),
  );

  test.each(['en', 'cs', 'ja', 'ku', 'ms', 'pa', 'sd_Deva', 'uz', 'be_Latn'])(
    'the language table has the direction left to right for %s',
    (code) => expect(findLanguage(code)?.direction).toBe('ltr'),
  );

  test('the language table passes direction and plural rule of a base to new languages', () => {
    const arabic = findLanguage('ar')!;
    expect(languageDefaults('ar_XX')).toEqual({ name: 'Arabic (ar_XX)', direction: 'rtl', plural: arabic.plural });
    expect(languageDefaults('ar_Latn').direction).toBe('ltr');
    expect(languageDefaults('cs_Arab')).toMatchObject({ direction: 'rtl', plural: { number: 3 } });
    expect(languageDefaults('xx_invented')).toMatchObject({
      name: 'xx_invented',
      direction: 'ltr',
      plural: { number: 2, formula: 'n != 1' },
    });
  });
});
