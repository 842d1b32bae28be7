import {
  parsePluralFormula,
  pluralCategories,
  PluralFormulaError,
  pluralType,
  SAMPLE_NUMBERS,
} from '@parlance/plurals';
import type { PluralInfo } from '../format';

/** The CLDR plural categories in their usual order. */
export const CATEGORIES: readonly string[] = ['zero', 'one', 'two', 'few', 'many', 'other'];

const found = new Map<string, readonly string[] | undefined>();
const MAX_FOUND = 1000;

/** Plural forms with their categories: the category of most numbers of the form in the language. */
export function withCategories(plural: PluralInfo | undefined, language: string | undefined): PluralInfo | undefined {
  if (!plural || plural.names) return plural;
  const key = `${language ?? ''} ${plural.count} ${plural.formula}`;
  if (!found.has(key)) {
    if (found.size >= MAX_FOUND) found.clear();
    found.set(key, categoriesOf(plural, language) ?? categoriesOfFormula(plural));
  }
  const names = found.get(key);
  return names ? { ...plural, names } : plural;
}

function categoriesOf({ count, formula }: PluralInfo, language: string | undefined): readonly string[] | undefined {
  const code = language?.replaceAll('_', '-').split('@', 1)[0] ?? '';
  try {
    if (Intl.PluralRules.supportedLocalesOf(code).length === 0) return undefined;
    const rules = new Intl.PluralRules(code);
    const { evaluate } = parsePluralFormula(formula);
    const votes = Array.from({ length: count }, () => new Map<string, number>());
    for (const n of SAMPLE_NUMBERS) {
      const form = votes[evaluate(n)];
      const category = rules.select(n);
      form?.set(category, (form.get(category) ?? 0) + 1);
    }
    const names = votes.map((form) => [...form].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '');
    return new Set(names).size === count && !names.includes('') ? names : undefined;
  } catch (error) {
    if (error instanceof PluralFormulaError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function categoriesOfFormula({ count, formula }: PluralInfo): readonly string[] | undefined {
  const names = pluralCategories(pluralType(formula));
  return names?.length === count ? names : undefined;
}

/** A plural form that is stored under its CLDR category. */
export interface CategoryForm {
  category: string;
  text: string;
}

/**
 * The targets of a plural, ordered by the language's categories if they are known (missing ones ''), else as in the file.
 */
export function formsToTarget(forms: readonly CategoryForm[], plural: PluralInfo | undefined): string[] {
  if (!plural?.names) return forms.map((form) => form.text);
  return plural.names.map((name) => forms.find((form) => form.category === name)?.text ?? '');
}

/** The category of each item of a target from `formsToTarget`, or of a new plural. */
export function targetCategories(
  count: number,
  forms: readonly { category: string }[],
  plural: PluralInfo | undefined,
): string[] {
  const known = plural?.names ?? (forms.length > 0 ? forms.map((form) => form.category) : defaultCategories(count));
  const names = [...known];
  for (const category of [...CATEGORIES].reverse())
    if (names.length < count && !names.includes(category)) names.push(category);
  return names.slice(0, count);
}

/** Likely categories of a target with this number of forms in an unknown language. */
function defaultCategories(count: number): string[] {
  if (count <= 1) return ['other'];
  if (count === 2) return ['one', 'other'];
  if (count === 3) return ['one', 'few', 'other'];
  if (count === 4) return ['one', 'few', 'many', 'other'];
  if (count === 5) return ['one', 'two', 'few', 'many', 'other'];
  return CATEGORIES.slice(0, count);
}
