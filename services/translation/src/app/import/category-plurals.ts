import { withMillions } from '@parlance/plurals';
import type { Language } from '../../domain/component';

/** Formats whose files, and applications at run time, identify plural forms by CLDR category. */
const CATEGORY_FORMATS: ReadonlySet<string> = new Set([
  'aresource',
  'moko-resource',
  'cmp-resource',
  'stringsdict',
  'i18nextv4',
]);

/**
 * The language with the plural forms that its files in a format have; see ADR 17.
 * @param known the language of an existing translation, whose number of forms must not change
 */
export function withFormatPlurals<L extends Pick<Language, 'code' | 'pluralNumber' | 'pluralFormula'>>(
  format: string,
  language: L,
  known?: Pick<Language, 'pluralNumber'>,
): L {
  if (!CATEGORY_FORMATS.has(format) || known?.pluralNumber === language.pluralNumber) return language;
  const rule = withMillions({ number: language.pluralNumber, formula: language.pluralFormula }, language.code);
  return rule ? { ...language, pluralNumber: rule.number, pluralFormula: rule.formula } : language;
}
