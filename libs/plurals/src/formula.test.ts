import fc from 'fast-check';
import {
  formatPluralHeader,
  MAX_FORMULA_DEPTH,
  MAX_FORMULA_LENGTH,
  parsePluralFormula,
  parsePluralHeader,
  PluralFormulaError,
  validatePlural,
} from './formula';

const errorOf = (run: () => unknown): PluralFormulaError => {
  try {
    run();
  } catch (error) {
    if (error instanceof PluralFormulaError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('parsePluralFormula', () => {
  test.each<[string, Record<number, number>]>([
    ['0', { 0: 0, 5: 0 }],
    ['n != 1', { 0: 1, 1: 0, 2: 1 }],
    ['n>1', { 0: 0, 1: 0, 2: 1 }],
    ['(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2', { 0: 2, 1: 0, 2: 1, 4: 1, 5: 2, 22: 2 }],
    [
      'n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5',
      { 0: 0, 1: 1, 2: 2, 3: 3, 10: 3, 11: 4, 99: 4, 100: 5, 103: 3, 111: 4 },
    ],
    ['!n', { 0: 1, 3: 0 }],
    ['!!n + 1', { 0: 1, 3: 2 }],
    ['1 + 2 * 3', { 0: 7 }],
    ['7 - 2 - 1', { 0: 4 }],
    ['n / 3 % 2', { 5: 1, 6: 0 }],
    ['n == 1 || n == 2 && 0', { 1: 1, 2: 0 }],
    ['n < 3 == 1', { 2: 1, 3: 0 }],
    ['n ? n > 1 ? 2 : 1 : 0', { 0: 0, 1: 1, 2: 2 }],
    ['\t( n )\r\n', { 4: 4 }],
  ])('parsePluralFormula evaluates %s', (text, results) => {
    const { evaluate } = parsePluralFormula(text);
    for (const [n, form] of Object.entries(results)) expect([n, evaluate(Number(n))]).toEqual([n, form]);
  });

  test.each([
    ['alert(1)', 0],
    ['', 0],
    ['   ', 3],
    ['(n', 2],
    ['n)', 1],
    ['n n', 2],
    ['n = 1', 2],
    ['n ? 1', 5],
    ['n ? : 1', 4],
    ['n &', 2],
    ['n1', 0],
    ['1n', 0],
    ['0x10', 0],
    ['n; process.exit()', 1],
    ['-1', 0],
    ['n == "1"', 5],
    ['constructor', 0],
    ['9999999999999999', 0],
  ])('parsePluralFormula rejects %j with an error at %d', (text, position) => {
    const error = errorOf(() => parsePluralFormula(text));
    expect([error.reason, error.position]).toEqual(['syntax', position]);
  });

  test('parsePluralFormula rejects a literal zero divisor, and returns form 0 for a divisor that evaluates to zero', () => {
    expect(errorOf(() => parsePluralFormula('n % 0')).reason).toBe('division_by_zero');
    expect(errorOf(() => parsePluralFormula('n / 00')).position).toBe(3);
    expect(parsePluralFormula('5 / (n - n)').evaluate(3)).toBe(0);
    expect(parsePluralFormula('5 % (n - 3)').evaluate(3)).toBe(0);
  });

  test('parsePluralFormula subtracts unsigned like gettext', () => {
    expect(parsePluralFormula('n - 1 < 5').evaluate(0)).toBe(0);
    expect(parsePluralFormula('n - 1 < 5').evaluate(1)).toBe(1);
  });

  test('parsePluralFormula returns a form for every number', () => {
    const { evaluate } = parsePluralFormula('n != 1');
    expect([-1, 1.9, NaN, Infinity].map(evaluate)).toEqual([0, 0, 1, 1]);
  });

  test('parsePluralFormula limits length and depth for every nesting construct', () => {
    expect(errorOf(() => parsePluralFormula('n'.padEnd(MAX_FORMULA_LENGTH + 1))).reason).toBe('too_long');
    const deep = MAX_FORMULA_DEPTH + 1;
    expect(errorOf(() => parsePluralFormula('('.repeat(deep) + 'n' + ')'.repeat(deep))).reason).toBe('too_deep');
    expect(errorOf(() => parsePluralFormula('!'.repeat(deep) + 'n')).reason).toBe('too_deep');
    expect(errorOf(() => parsePluralFormula('n?1:'.repeat(deep) + 'n')).reason).toBe('too_deep');
    const fits = MAX_FORMULA_DEPTH;
    expect(parsePluralFormula('('.repeat(fits) + 'n' + ')'.repeat(fits)).evaluate(7)).toBe(7);
  });

  test('parsePluralFormula returns a formula or throws a PluralFormulaError within the text for arbitrary texts', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('n', '0', '1', '10', ' ', '(', ')', '?', ':', '!', '%', '/', '&&', '||', '==', '<', 'x', ';'),
        ),
        (tokens) => {
          const text = tokens.join('');
          try {
            const form = parsePluralFormula(text).evaluate(3);
            expect(Number.isSafeInteger(form) && form >= 0).toBe(true);
          } catch (error) {
            if (!(error instanceof PluralFormulaError)) throw error;
            expect(error.position).toBeLessThanOrEqual(text.length);
          }
        },
      ),
    );
  });
});

describe('validatePlural', () => {
  test.each([
    [0, 'n != 1'],
    [11, '0'],
    [1.5, '0'],
    [1, 'n != 1'],
    [2, 'n'],
    [2, '(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2'],
  ])('validatePlural rejects %d forms with %s', (number, formula) => {
    expect(errorOf(() => validatePlural(number, formula)).reason).toBe('out_of_range');
  });

  test('validatePlural accepts more forms than the formula uses', () => {
    expect(validatePlural(3, 'n != 1').evaluate(2)).toBe(1);
  });
});

describe('parsePluralHeader', () => {
  test.each([
    ['nplurals=2; plural=n != 1;', 2, 'n != 1'],
    ['nplurals=2; plural=n != 1', 2, 'n != 1'],
    [' nplurals = 1 ;plural = 0 ; ', 1, '0'],
    ['nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;\n', 3, '(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2'],
  ])('parsePluralHeader parses %j', (text, number, formula) => {
    expect(parsePluralHeader(text)).toEqual({ number, formula });
    expect(parsePluralHeader(formatPluralHeader({ number, formula }))).toEqual({ number, formula });
  });

  test.each<[string, string, number]>([
    ['nplurals=INTEGER; plural=EXPRESSION;', 'syntax', 0],
    ['', 'syntax', 0],
    ['plural=n != 1;', 'syntax', 0],
    ['nplurals=2; plural=alert(1);', 'syntax', 19],
    ['nplurals=2; plural= n ! 1;', 'syntax', 22],
    ['nplurals=2; plural=n != 1; rm -rf', 'syntax', 26],
    ['nplurals=2; plural=;', 'syntax', 19],
    ['nplurals=0; plural=0;', 'out_of_range', 19],
    ['nplurals=1; plural=n != 1;', 'out_of_range', 19],
  ])('parsePluralHeader rejects %j', (text, reason, position) => {
    const error = errorOf(() => parsePluralHeader(text));
    expect([error.reason, error.position]).toEqual([reason, position]);
  });
});
