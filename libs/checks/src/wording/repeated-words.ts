import { hasTrait, TRAIT } from '../text/analyzed-text';
import type { FormPair } from '../check-input';

/** Words that are grammatical twice in a row, by language. */
const MAY_REPEAT: Readonly<Record<string, ReadonlySet<string>>> = {
  fr: new Set(['nous', 'vous']),
  de: new Set(['die', 'der', 'das']),
  nl: new Set(['die']),
  vi: new Set(['xanh', 'luôn']),
  tr: new Set(['yavaş', 'zaman']),
};

/** Languages with reduplication: a repeated word forms a plural, an intensity or a new word. */
const REDUPLICATING_LANGUAGES = new Set(['tok', 'id', 'ms', 'jv', 'su', 'hi', 'bn', 'ta', 'te']);

export function duplicate({ source, target, unit }: FormPair): boolean {
  if (
    !hasTrait(target, TRAIT.repeatedWord) ||
    hasTrait(source, TRAIT.repeatedWord) ||
    REDUPLICATING_LANGUAGES.has(unit.language)
  )
    return false;
  const allowed = MAY_REPEAT[unit.language];
  if (!allowed) return true;
  const words = target.text.toLowerCase().split(/[^\p{L}\p{M}]+/u);
  return words.some((word, index) => index > 0 && word.length > 1 && word === words[index - 1] && !allowed.has(word));
}
