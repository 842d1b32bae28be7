import { parsePluralFormula, PluralFormulaError, SAMPLE_NUMBERS } from './formula';
import table from './languages.json';

/** CLDR plural categories. */
export type PluralCategory = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';

/** The `type` of a plural rule with an unknown formula. */
export const UNKNOWN_PLURAL_TYPE = 666;

/** Types by number: the category that each form stands for, in the order of the forms. */
const CATEGORIES: Record<number, readonly PluralCategory[]> = {
  0: ['other'],
  1: ['one', 'other'],
  2: ['one', 'few', 'other'],
  3: ['zero', 'one', 'two', 'few', 'many', 'other'],
  4: ['one', 'two', 'other'],
  5: ['one', 'two', 'few', 'other'],
  6: ['one', 'two', 'few', 'other'],
  7: ['one', 'other', 'zero'],
  8: ['one', 'few', 'many', 'other'],
  9: ['two', 'other'],
  10: ['one', 'two', 'few', 'many', 'other'],
  11: ['zero', 'one', 'other'],
  12: ['zero', 'one', 'two', 'few', 'many', 'other'],
  13: ['other', 'one', 'two', 'few'],
  14: ['one', 'other', 'two'],
  15: ['zero', 'other'],
  16: ['zero', 'one', 'few', 'other'],
  17: ['zero', 'one', 'two', 'few', 'other'],
  18: ['zero', 'one', 'two', 'other'],
  19: ['zero', 'one', 'few', 'many', 'other'],
  20: ['one', 'many', 'other'],
  21: ['zero', 'one', 'many', 'other'],
  22: ['one', 'few', 'many'],
  23: ['one', 'zero', 'few', 'other'],
};

const NAMES: Record<PluralCategory, string> = {
  zero: 'Zero',
  one: 'One',
  two: 'Two',
  few: 'Few',
  many: 'Many',
  other: 'Other',
};

/** Formulas of real catalogs that are not in the language table. */
const MORE_FORMULAS: readonly (readonly [type: number, formula: string])[] = [
  [1, 'n == 1 ? 0 : 1'],
  [1, 'n > 2'],
  [1, 'n >= 2'],
  [1, 'n == 0 || n == 1 ? 0 : 1'],
  [1, 'n==1 || n%10==1 ? 0 : 1'],
  [1, 'n % 10 != 1'],
  [1, 'n > 1 && (n < 11 || n > 99)'],
  [2, 'n == 0 || n == 1 ? 0 : n >= 2 && n <= 10 ? 1 : 2'],
  [4, 'n == 1 ? 0 : n == 2 ? 1 : 2'],
  [5, 'n == 1 ? 0 : n == 2 ? 1 : n == 3 ? 2 : 3'],
  [6, 'n==1 ? 0 : n==2 ? 1 : (n != 8 && n != 11) ? 2 : 3'],
  [
    8,
    'n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : n%10==0 || (n%10>=5 && n%10<=9) || (n%100>=11 && n%100<=14) ? 2 : 3',
  ],
  [
    8,
    'n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : n!=1 && n%10<=1 || n%10>=5 && n%10<=9 || n%100>=12 && n%100<=14 ? 2 : 3',
  ],
  [9, 'n == 2 ? 0 : 1'],
  [10, 'n==1 ? 0 : n==2 ? 1 : n==0 || (n%100>=3 && n%100<=10) ? 2 : (n%100>=11 && n%100<=19) ? 3 : 4'],
  [11, 'n == 0 ? 0 : n == 1 ? 1 : 2'],
  [11, 'n % 10 == 0 || (n % 100 >= 11 && n % 100 <= 19) ? 0 : n % 10 == 1 && n % 100 != 11 ? 1 : 2'],
  [12, 'n == 0 ? 0 : n == 1 ? 1 : n == 2 ? 2 : n == 3 ? 3 : n == 6 ? 4 : 5'],
  [13, 'n%100==1 ? 1 : n%100==2 ? 2 : n%100==3 || n%100==4 ? 3 : 0'],
  [14, 'n == 1 ? 0 : n == 2 ? 2 : 1'],
  [15, 'n != 0'],
  [16, 'n == 0 ? 0 : n%10==1 && n%100!=11 ? 1 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 2 : 3'],
  [16, 'n == 0 ? 0 : n == 1 ? 1 : n >= 2 && n <= 4 ? 2 : 3'],
  [17, 'n == 0 ? 0 : n%100==1 ? 1 : n%100==2 ? 2 : n%100==3 || n%100==4 ? 3 : 4'],
  [18, 'n == 0 ? 0 : n == 1 ? 1 : n == 2 ? 2 : 3'],
  [
    19,
    'n == 0 ? 0 : n==1 ? 1 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 2 : n%10<=1 || n%10>=5 || n%100>=12 && n%100<=14 ? 3 : 4',
  ],
  [20, 'n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2'],
  [20, 'n == 0 || n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2'],
  [21, 'n == 0 ? 0 : n == 1 ? 1 : n != 0 && n % 1000000 == 0 ? 2 : 3'],
  [23, 'n == 1 ? 0 : n == 0 ? 1 : n%100 > 0 && n%100 < 20 ? 2 : 3'],
];

/** The text without spaces and without one pair of parentheses around the whole. */
function normalise(formula: string): string {
  const text = formula.replace(/[\s;]+/g, '');
  if (!text.startsWith('(') || !text.endsWith(')')) return text;
  let depth = 0;
  for (let index = 0; index < text.length - 1; index++) {
    if (text[index] === '(') depth++;
    else if (text[index] === ')' && --depth === 0) return text;
  }
  return text.slice(1, -1);
}

function signature(formula: string): string {
  const { evaluate } = parsePluralFormula(formula);
  return SAMPLE_NUMBERS.map(evaluate).join('');
}

interface KnownFormulas {
  byText: Map<string, number>;
  bySignature: Map<string, number>;
}

let known: KnownFormulas | undefined;

function knownFormulas(): KnownFormulas {
  if (!known) {
    known = { byText: new Map(), bySignature: new Map() };
    const rows = (table.plurals as [number, string, number][]).map(([, formula, type]) => [type, formula] as const);
    for (const [type, formula] of [...rows, ...MORE_FORMULAS]) {
      known.byText.set(normalise(formula), type);
      const key = signature(formula);
      if (type === 22 || !known.bySignature.has(key)) known.bySignature.set(key, type);
    }
  }
  return known;
}

const resolved = new Map<string, number>();

/**
 * The `type` number of a plural formula. The text without spaces is compared first, then the forms of the numbers from 0 to 1000 and of
 * some larger numbers. {@link UNKNOWN_PLURAL_TYPE} for other formulas and invalid text.
 *
 * Croatian and Russian formulas give the same results and are distinguished by their text only; an unknown text counts as Russian (22).
 */
export function pluralType(formula: string): number {
  const text = normalise(formula);
  const before = resolved.get(text);
  if (before !== undefined) return before;
  const { byText, bySignature } = knownFormulas();
  let type = byText.get(text);
  if (type === undefined) {
    try {
      type = bySignature.get(signature(formula)) ?? UNKNOWN_PLURAL_TYPE;
    } catch (error) {
      if (!(error instanceof PluralFormulaError)) throw error;
      return UNKNOWN_PLURAL_TYPE;
    }
  }
  if (resolved.size > 500) resolved.clear();
  resolved.set(text, type);
  return type;
}

/** The categories of a type's forms in order; undefined for an unknown type. */
export function pluralCategories(type: number): readonly PluralCategory[] | undefined {
  return CATEGORIES[type];
}

/** Names of the forms to show to people: `Singular`/`Plural`, category names, or `Form 1`, ... for an unknown formula. */
export function pluralFormNames(type: number, number: number): string[] {
  if (type === 1 && number === 2) return ['Singular', 'Plural'];
  if (type === 5 && number === 4) return ['One', 'Two', 'Three', 'Other'];
  const categories = CATEGORIES[type];
  if (categories?.length === number) return categories.map((category) => NAMES[category]);
  return Array.from({ length: number }, (_, index) => `Form ${index + 1}`);
}

/**
 * For each form, the smallest numbers that use it, at most `limit`.
 *
 * @throws {import('./formula').PluralFormulaError} when the formula does not parse
 */
export function pluralExamples(formula: string, number: number, limit = 10): number[][] {
  const { evaluate } = parsePluralFormula(formula);
  const examples = Array.from({ length: number }, (): number[] => []);
  for (const n of SAMPLE_NUMBERS) {
    const list = examples[evaluate(n)];
    if (list && list.length < limit) list.push(n);
  }
  return examples;
}
