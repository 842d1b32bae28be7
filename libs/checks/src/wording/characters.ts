import { hasTrait, TRAIT } from '../text/analyzed-text';
import type { FormPair } from '../check-input';

/** Languages without spaces between words. They mark possible line breaks with zero-width spaces. */
export const LANGUAGES_WITHOUT_SPACES: ReadonlySet<string> = new Set(['km', 'lo', 'my', 'shn', 'th']);

export const kashida = ({ target }: FormPair): boolean => hasTrait(target, TRAIT.kashida);

export const zeroWidthSpace = ({ source, target, unit }: FormPair): boolean =>
  !LANGUAGES_WITHOUT_SPACES.has(unit.language) &&
  hasTrait(target, TRAIT.zeroWidth) &&
  !hasTrait(source, TRAIT.zeroWidth);

export const kabyleCharacters = ({ target, unit }: FormPair): boolean =>
  unit.language === 'kab' && hasTrait(target, TRAIT.greek);
