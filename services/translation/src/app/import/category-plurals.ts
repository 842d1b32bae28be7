import { withMillions } from '@parlance/plurals';
import type { Language } from '../../domain/component';

/** Formats whose files name plural forms by CLDR category, and whose readers at run time look a form up by it. */
const KEYED_BY_CATEGORY: ReadonlySet<string> = new Set([
  'aresource',
  'moko-resource',
  'cmp-resource',
  'stringsdict',
  'i18nextv4',
]);

/**
 * The language with the plural forms that a translation into it has in files of a format: see ADR 17.
 * @param known the language of the translation where it exists already; its number of forms never changes
 */
export function withFormatPlurals<L extends Pick<Language, 'code' | 'pluralNumber' | 'pluralFormula'>>(
  format: string,
  language: L,
  known?: Pick<Language, 'pluralNumber'>,
): L {
  if (!KEYED_BY_CATEGORY.has(format) || known?.pluralNumber === language.pluralNumber) return language;
  const rule = withMillions({ number: language.pluralNumber, formula: language.pluralFormula }, language.code);
  return rule ? { ...language, pluralNumber: rule.number, pluralFormula: rule.formula } : language;
}
