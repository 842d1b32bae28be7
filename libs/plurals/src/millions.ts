import { parsePluralFormula, type PluralRule } from './formula';

const SINGULARS: readonly { singular: (n: number) => boolean; formula: string }[] = [
  { singular: (n) => n === 1, formula: 'n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2' },
  { singular: (n) => n <= 1, formula: 'n == 0 || n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2' },
];
const NUMBERS = [0, 1, 2, 3, 5, 10, 11, 21, 100, 101, 1_000_000];

/**
 * Inserts CLDR's form `many` for whole millions (French "1 000 000 de jours") between the two forms of a rule. Undefined if the rule is not
 * singular and plural, or if CLDR has no form `many` in the language.
 * @param code of the language, as `pt_BR` or `pt-BR`
 */
export function withMillions(rule: PluralRule, code: string): PluralRule | undefined {
  if (rule.number !== 2 || !hasMillions(code)) return undefined;
  const { evaluate } = parsePluralFormula(rule.formula);
  const found = SINGULARS.find(({ singular }) => NUMBERS.every((n) => (evaluate(n) === 0) === singular(n)));
  return found && { number: 3, formula: found.formula };
}

function hasMillions(code: string): boolean {
  const tag = code.replaceAll('_', '-').split('@', 1)[0] ?? '';
  try {
    if (Intl.PluralRules.supportedLocalesOf(tag).length === 0) return false;
    const rules = new Intl.PluralRules(tag);
    return rules.select(1_000_000) === 'many' && rules.select(1000) === 'other';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
