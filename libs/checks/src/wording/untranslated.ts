import { ownRegExp } from '@parlance/patterns';
import type { FormPair } from '../check-input';
import { UNTRANSLATABLE_WORDS } from './untranslatable-words';

/** Text that is the same in all languages. Every alternative matches in linear time. */
const LANGUAGE_NEUTRAL = ownRegExp(
  [
    '<[^<>]{1,500}>', // markup
    '&#?[A-Za-z0-9]{1,31};', // entities
    '[a-z][a-z0-9+.-]{1,9}://[^\\s<>"]{1,500}', // addresses
    '[\\w.+-]{1,64}@[\\w-]{1,64}\\.[\\w.-]{1,100}', // mail addresses
    '\\{\\{[^{}]{0,200}\\}\\}|\\$?\\{[^{}]{0,200}\\}', // braces
    '%\\([^()]{1,100}\\)[a-z]|%<[^<>]{1,100}>|%\\{[^{}]{1,100}\\}|%\\w{1,50}%', // named percent
    '%[-+ #0]{0,4}\\d{0,9}(?:\\$[-+ #0]{0,4}\\d{0,9})?(?:\\.\\d{1,9})?(?:hh|h|ll|l|L|z|t)?[a-zA-Z@]', // printf
    ':[a-z-]{1,40}:`[^`]{0,200}`|`[^`]{1,200}`', // code and roles
    '(?:^|\\s)--?[a-z][\\w-]{0,60}', // command line options
    '\\[/?[a-z]{1,20}(?:=[^\\]]{0,100})?\\]', // BBCode
    '[\\w-]{1,64}\\.(?:com|org|net|io|dev|html?|xml|json|txt|md|png|svg|pdf|zip|cfg|conf|ini|po|py|js|css)\\b', // domains, files
    '(?:~|\\.{1,2})?/(?:[\\w.-]{1,64}/){0,20}[\\w.-]{1,64}/?|(?:[\\w.-]{1,64}/){2,20}[\\w.-]{0,64}', // paths
    '\\\\[nrt]', // escaped white space
  ].join('|'),
  'gi',
);

/** The text has only code, numbers, abbreviations and international words. */
function isUntranslatable(text: string, strict: boolean): boolean {
  const rest = text
    .replace(LANGUAGE_NEUTRAL, ' ')
    .replace(/[^\p{L}\p{M}'’]+|\u0640/gu, ' ')
    .trim();
  if (rest.length <= 1) return true;
  if (strict) return false;
  if (rest === rest.toUpperCase() && rest !== rest.toLowerCase()) return true;
  return rest.split(' ').every((word) => word.length <= 1 || UNTRANSLATABLE_WORDS.has(word.toLowerCase()));
}

const baseOf = (code: string): string => /^[^_@-]+/.exec(code)?.[0].toLowerCase() ?? code;

/** `same`: the translation equals a source text that is translatable. */
export function same({ source, target, unit }: FormPair): boolean {
  if (source.text !== target.text) return false;
  if (source.text.length <= 1 || source.blank) return false;
  if (baseOf(unit.input.sourceLanguage) === unit.language) return false;
  const strict = unit.flags.has('strict-same');
  return !source.memoize(strict ? 'same:strict' : 'same', (text) => isUntranslatable(text, strict));
}
