import { TRAIT } from './facts';
import type { Pair } from './unit';

/** Languages that end sentences without marks, or with a space. */
const NO_STOP = new Set(['th', 'jbo']);

const differs = (pair: Pair, trait: number): boolean => ((pair.source.traits ^ pair.target.traits) & trait) !== 0;

const has = (facts: Pair['source'], trait: number): boolean => (facts.traits & trait) !== 0;

export const beginNewline = (pair: Pair): boolean => differs(pair, TRAIT.beginNewline);
export const endNewline = (pair: Pair): boolean => differs(pair, TRAIT.endNewline);

function countLeading(text: string): number {
  let count = 0;
  while (text.charCodeAt(count) === 32) count++;
  return count;
}

function countTrailing(text: string): number {
  let count = 0;
  while (text.charCodeAt(text.length - 1 - count) === 32) count++;
  return count;
}

/** A single letter or sign is often part of something else, and its spaces with it. */
const tooShortForSpaces = ({ source, target }: Pair): boolean =>
  (source.text.length <= 1 && !source.blank) || target.blank;

export const beginSpace = (pair: Pair): boolean =>
  !tooShortForSpaces(pair) && countLeading(pair.source.text) !== countLeading(pair.target.text);

export const endSpace = (pair: Pair): boolean =>
  !tooShortForSpaces(pair) && countTrailing(pair.source.text) !== countTrailing(pair.target.text);

export const doubleSpace = ({ source, target }: Pair): boolean =>
  has(target, TRAIT.doubleSpace) && !has(source, TRAIT.doubleSpace);

/** The last character that is no white space. */
const lastChar = (text: string): string => text.trimEnd().slice(-1);

export function endStop({ source, target, unit }: Pair): boolean {
  if (NO_STOP.has(unit.language) || source.text.length <= 4) return false;
  const inSource = has(source, TRAIT.endStop);
  const inTarget = has(target, TRAIT.endStop);
  if (inSource === inTarget) return false;
  if (inSource) {
    // Three dots may become an ellipsis; Armenian writers often type a colon for their stop.
    if (has(source, TRAIT.endThreeDots) && has(target, TRAIT.endEllipsis)) return false;
    if (unit.language === 'hy' && lastChar(target.text) === ':') return false;
    return true;
  }
  return (
    !(has(target, TRAIT.endThreeDots) && has(source, TRAIT.endEllipsis)) &&
    !burmeseMark(unit.language, source, target) &&
    !japaneseStop(unit.language, source, target)
  );
}

/** Burmese ends questions and exclamations with its full stop. */
const burmeseMark = (language: string, source: Pair['source'], target: Pair['target']): boolean =>
  language === 'my' && has(source, TRAIT.endQuestion | TRAIT.endExclamation) && has(target, TRAIT.endStop);

/** Japanese introduces what follows with a sentence as often as with a colon. */
const japaneseStop = (language: string, source: Pair['source'], target: Pair['target']): boolean =>
  language === 'ja' && has(source, TRAIT.endColon) && has(target, TRAIT.endStop);

export function endColon({ source, target, unit }: Pair): boolean {
  if (NO_STOP.has(unit.language)) return false;
  const inSource = has(source, TRAIT.endColon);
  if (inSource === has(target, TRAIT.endColon)) return false;
  // The Armenian full stop is often typed as a colon, after questions and exclamations too.
  const armenianStop = unit.language === 'hy' && has(source, TRAIT.endStop | TRAIT.endQuestion | TRAIT.endExclamation);
  return inSource ? !japaneseStop(unit.language, source, target) : !armenianStop;
}

export function endQuestion({ source, target, unit }: Pair): boolean {
  if (NO_STOP.has(unit.language)) return false;
  const inSource = has(source, TRAIT.endQuestion);
  const inTarget = has(target, TRAIT.endQuestion);
  if (inSource === inTarget || has(source, TRAIT.endInterrobang) || has(target, TRAIT.endInterrobang)) return false;
  if (inSource) {
    if (unit.language === 'el' && has(target, TRAIT.endSemicolon)) return false;
    // The Armenian mark stands inside the word that is asked for.
    if (unit.language === 'hy' && target.text.includes('՞')) return false;
    return !burmeseMark(unit.language, source, target);
  }
  return !(unit.language === 'el' && has(source, TRAIT.endSemicolon));
}

export function endExclamation({ source, target, unit }: Pair): boolean {
  if (NO_STOP.has(unit.language) || unit.language === 'hy') return false;
  const inSource = has(source, TRAIT.endExclamation);
  if (inSource === has(target, TRAIT.endExclamation)) return false;
  if (has(source, TRAIT.endInterrobang) || has(target, TRAIT.endInterrobang)) return false;
  return !(inSource && burmeseMark(unit.language, source, target));
}

export const endInterrobang = (pair: Pair): boolean => differs(pair, TRAIT.endInterrobang);

export function endEllipsis(pair: Pair): boolean {
  if (NO_STOP.has(pair.unit.language)) return false;
  if (!differs(pair, TRAIT.endEllipsis)) return false;
  return !(has(pair.target, TRAIT.endEllipsis) && has(pair.source, TRAIT.endThreeDots));
}

/** An entity such as `&lt;` ends with a semicolon that is no punctuation. */
const endsWithEntity = (text: string): boolean => /&#?[A-Za-z0-9]{1,31};$/.test(text.trimEnd().slice(-40));

export function endSemicolon({ source, target, unit }: Pair): boolean {
  const inSource = has(source, TRAIT.endSemicolon) && !endsWithEntity(source.text);
  const inTarget = has(target, TRAIT.endSemicolon) && !endsWithEntity(target.text);
  if (inSource === inTarget) return false;
  if (unit.language !== 'el') return true;
  // Greek asks with a semicolon, and has the raised dot for one.
  return inSource ? !/[·\u0387]/.test(lastChar(target.text)) : !has(source, TRAIT.endQuestion);
}
