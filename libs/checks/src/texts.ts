import { TRAIT } from './facts';
import type { Pair, UnitFacts } from './unit';

const has = (facts: Pair['source'], trait: number): boolean => (facts.traits & trait) !== 0;

/** Languages that write no spaces between words: a zero-width space marks where a line may break. */
export const WITHOUT_SPACES: ReadonlySet<string> = new Set(['km', 'lo', 'my', 'shn', 'th']);

export const kashida = ({ target }: Pair): boolean => has(target, TRAIT.kashida);

export const zeroWidthSpace = ({ source, target, unit }: Pair): boolean =>
  !WITHOUT_SPACES.has(unit.language) && has(target, TRAIT.zeroWidth) && !has(source, TRAIT.zeroWidth);

export const kabyleCharacters = ({ target, unit }: Pair): boolean =>
  unit.language === 'kab' && has(target, TRAIT.greek);

/** Counts without making an array. */
export function countOf(text: string, part: string): number {
  let count = 0;
  for (let index = text.indexOf(part); index >= 0; index = text.indexOf(part, index + part.length)) count++;
  return count;
}

const lineBreaks = (text: string): number => {
  let count = countOf(text, '\n');
  if (text.includes('\r')) {
    for (let index = text.indexOf('\r'); index >= 0; index = text.indexOf('\r', index + 1))
      if (text[index + 1] !== '\n') count++;
  }
  return count;
};

export const newlineCount = ({ source, target }: Pair): boolean => lineBreaks(source.text) !== lineBreaks(target.text);

export const escapedNewline = ({ source, target }: Pair): boolean =>
  countOf(source.text, '\\n') !== countOf(target.text, '\\n');

/** Words that their languages put twice in a row. */
const MAY_REPEAT: Readonly<Record<string, ReadonlySet<string>>> = {
  fr: new Set(['nous', 'vous']),
  de: new Set(['die', 'der', 'das']),
  nl: new Set(['die']),
  vi: new Set(['xanh', 'luôn']),
  tr: new Set(['yavaş', 'zaman']),
};

/** Languages that repeat words to form plurals, intensities or new words. */
const REPEATING = new Set(['tok', 'id', 'ms', 'jv', 'su', 'hi', 'bn', 'ta', 'te']);

export function duplicate({ source, target, unit }: Pair): boolean {
  if (!has(target, TRAIT.repeatedWord) || has(source, TRAIT.repeatedWord) || REPEATING.has(unit.language)) return false;
  const allowed = MAY_REPEAT[unit.language];
  if (!allowed) return true;
  const words = target.text.toLowerCase().split(/[^\p{L}\p{M}]+/u);
  return words.some((word, index) => index > 0 && word.length > 1 && word === words[index - 1] && !allowed.has(word));
}

const NO_BREAK = new Set(['\u00a0', '\u202f', '\u2009']);

/**
 * French double punctuation with neither of the no-break spaces before it. A mark counts when the text ends or a space
 * follows, so times, addresses and smileys are left alone.
 */
export function punctuationSpacing({ target, unit }: Pair): boolean {
  const { targetLanguage } = unit.input;
  if (unit.language !== 'fr' || /^fr[_-]CA/i.test(targetLanguage)) return false;
  const { text } = target;
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    if (char !== '!' && char !== '?' && char !== ';' && char !== ':') continue;
    const next = text[index + 1];
    if (next !== undefined && !/\s/.test(next)) continue;
    const before = text[index - 1];
    if (before === undefined || NO_BREAK.has(before) || '!?;:(\n'.includes(before)) continue;
    if (char === ';' && /&#?[A-Za-z0-9]{1,31}$/.test(text.slice(Math.max(0, index - 33), index))) continue;
    if (/&(?:nbsp|#160|#xa0|#8239|#x202f);$/i.test(text.slice(Math.max(0, index - 8), index))) continue;
    return true;
  }
  return false;
}

export function plurals({ target }: UnitFacts): boolean {
  if (target.length < 2) return false;
  const blank = target.filter((form) => form.blank).length;
  return blank > 0 && blank < target.length;
}

export function samePlurals({ source, target }: UnitFacts): boolean {
  const first = target[0];
  if (target.length < 2 || !first || first.blank) return false;
  if (source.length > 1 && source.every((form) => form.text === source[0]!.text)) return false;
  return target.every((form) => form.text === first.text);
}

/**
 * Signs that start a formula or a command, also after spaces, which some spreadsheets drop. Spreadsheets of East Asian locales take
 * full-width signs for the ASCII ones.
 */
const RISKY_START = /^ {0,100}[=+\-@|%＝＋－＠\t\r]/;

/** A spreadsheet that opens an exported glossary would run what begins like this. */
export function prohibitedInitialCharacter({ target, source, unit }: Pair): boolean {
  return (unit.input.isGlossary ?? false) && (RISKY_START.test(target.text) || RISKY_START.test(source.text));
}

export const optionalPlural = ({ source }: UnitFacts): boolean =>
  source.length === 1 && /\p{L}\((?:s|es|ies)\)(?!\p{L})/iu.test(source[0]!.text);

/** A range such as "1...5" is no ellipsis, and neither are four dots. */
export const ellipsis = ({ source }: UnitFacts): boolean =>
  source.some((form) => /(?<![.\d])\.\.\.(?![.\d])/.test(form.text));

const URL_PROTOCOLS = new Set(['http:', 'https:', 'ftp:', 'ftps:', 'mailto:']);

export function url({ source, target }: Pair): boolean {
  const { text } = target;
  if (/\s/.test(text)) return true;
  try {
    const parsed = new URL(text);
    if (parsed.protocol === 'mailto:') return !/^mailto:/i.test(source.text) && /^[a-z]{1,10}:\/\//i.test(source.text);
    return !URL_PROTOCOLS.has(parsed.protocol) || parsed.hostname === '';
  } catch {
    return true;
  }
}
