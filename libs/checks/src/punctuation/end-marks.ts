import { type AnalyzedText, differIn, hasTrait, TRAIT } from '../text/analyzed-text';
import type { AnalyzedUnit, FormPair } from '../check-input';

/** Languages that end sentences with a space or without a mark. */
const LANGUAGES_WITHOUT_STOP = new Set(['th', 'jbo']);

/** The last character other than white space. */
const lastChar = (text: string): string => text.trimEnd().slice(-1);

export function endStop({ source, target, unit }: FormPair): boolean {
  if (LANGUAGES_WITHOUT_STOP.has(unit.language) || source.text.length <= 4) return false;
  const inSource = hasTrait(source, TRAIT.endStop);
  const inTarget = hasTrait(target, TRAIT.endStop);
  if (inSource === inTarget) return false;
  if (inSource) {
    // Three dots may become an ellipsis. Armenian writers often type a colon for their full stop.
    if (hasTrait(source, TRAIT.endThreeDots) && hasTrait(target, TRAIT.endEllipsis)) return false;
    if (unit.language === 'hy' && lastChar(target.text) === ':') return false;
    return true;
  }
  return (
    !(hasTrait(target, TRAIT.endThreeDots) && hasTrait(source, TRAIT.endEllipsis)) &&
    !burmeseMark(unit.language, source, target) &&
    !japaneseStop(unit.language, source, target)
  );
}

/** Burmese ends questions and exclamations with its full stop. */
const burmeseMark = (language: string, source: AnalyzedText, target: AnalyzedText): boolean =>
  language === 'my' && hasTrait(source, TRAIT.endQuestion | TRAIT.endExclamation) && hasTrait(target, TRAIT.endStop);

/** A Japanese list or quotation is introduced by a full sentence as often as by a colon. */
const japaneseStop = (language: string, source: AnalyzedText, target: AnalyzedText): boolean =>
  language === 'ja' && hasTrait(source, TRAIT.endColon) && hasTrait(target, TRAIT.endStop);

export function endColon({ source, target, unit }: FormPair): boolean {
  if (LANGUAGES_WITHOUT_STOP.has(unit.language)) return false;
  const inSource = hasTrait(source, TRAIT.endColon);
  if (inSource === hasTrait(target, TRAIT.endColon)) return false;
  // The Armenian full stop is often typed as a colon, after questions and exclamations too.
  const armenianStop =
    unit.language === 'hy' && hasTrait(source, TRAIT.endStop | TRAIT.endQuestion | TRAIT.endExclamation);
  return inSource ? !japaneseStop(unit.language, source, target) : !armenianStop;
}

export function endQuestion({ source, target, unit }: FormPair): boolean {
  if (LANGUAGES_WITHOUT_STOP.has(unit.language)) return false;
  const inSource = hasTrait(source, TRAIT.endQuestion);
  const inTarget = hasTrait(target, TRAIT.endQuestion);
  if (inSource === inTarget || hasTrait(source, TRAIT.endInterrobang) || hasTrait(target, TRAIT.endInterrobang))
    return false;
  if (inSource) {
    if (unit.language === 'el' && hasTrait(target, TRAIT.endSemicolon)) return false;
    // Armenian places the question mark inside the stressed word.
    if (unit.language === 'hy' && target.text.includes('՞')) return false;
    return !burmeseMark(unit.language, source, target);
  }
  return !(unit.language === 'el' && hasTrait(source, TRAIT.endSemicolon));
}

export function endExclamation({ source, target, unit }: FormPair): boolean {
  if (LANGUAGES_WITHOUT_STOP.has(unit.language) || unit.language === 'hy') return false;
  const inSource = hasTrait(source, TRAIT.endExclamation);
  if (inSource === hasTrait(target, TRAIT.endExclamation)) return false;
  if (hasTrait(source, TRAIT.endInterrobang) || hasTrait(target, TRAIT.endInterrobang)) return false;
  return !(inSource && burmeseMark(unit.language, source, target));
}

export const endInterrobang = (pair: FormPair): boolean => differIn(pair, TRAIT.endInterrobang);

export function endEllipsis(pair: FormPair): boolean {
  if (LANGUAGES_WITHOUT_STOP.has(pair.unit.language)) return false;
  if (!differIn(pair, TRAIT.endEllipsis)) return false;
  return !(hasTrait(pair.target, TRAIT.endEllipsis) && hasTrait(pair.source, TRAIT.endThreeDots));
}

/** The semicolon of an entity such as `&lt;` is not punctuation. */
const endsWithEntity = (text: string): boolean => /&#?[A-Za-z0-9]{1,31};$/.test(text.trimEnd().slice(-40));

export function endSemicolon({ source, target, unit }: FormPair): boolean {
  const inSource = hasTrait(source, TRAIT.endSemicolon) && !endsWithEntity(source.text);
  const inTarget = hasTrait(target, TRAIT.endSemicolon) && !endsWithEntity(target.text);
  if (inSource === inTarget) return false;
  if (unit.language !== 'el') return true;
  // Greek uses `;` as the question mark and the raised dot as the semicolon.
  return inSource ? !/[·\u0387]/.test(lastChar(target.text)) : !hasTrait(source, TRAIT.endQuestion);
}

/** Three dots in a range such as "1...5" and runs of four dots are not ellipses. */
export const ellipsis = ({ source }: AnalyzedUnit): boolean =>
  source.some((form) => /(?<![.\d])\.\.\.(?![.\d])/.test(form.text));
