import { differIn, hasTrait, TRAIT } from '../text/analyzed-text';
import { countOccurrences } from '../text/measures';
import type { FormPair } from '../check-input';

export const beginNewline = (pair: FormPair): boolean => differIn(pair, TRAIT.beginNewline);
export const endNewline = (pair: FormPair): boolean => differIn(pair, TRAIT.endNewline);

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

/** A single character is often a fragment of a larger phrase. Its surrounding spaces carry no rule. */
const isTooShortForSpaces = ({ source, target }: FormPair): boolean =>
  (source.text.length <= 1 && !source.blank) || target.blank;

export const beginSpace = (pair: FormPair): boolean =>
  !isTooShortForSpaces(pair) && countLeading(pair.source.text) !== countLeading(pair.target.text);

export const endSpace = (pair: FormPair): boolean =>
  !isTooShortForSpaces(pair) && countTrailing(pair.source.text) !== countTrailing(pair.target.text);

export const doubleSpace = ({ source, target }: FormPair): boolean =>
  hasTrait(target, TRAIT.doubleSpace) && !hasTrait(source, TRAIT.doubleSpace);

const lineBreaks = (text: string): number => {
  let count = countOccurrences(text, '\n');
  if (text.includes('\r')) {
    for (let index = text.indexOf('\r'); index >= 0; index = text.indexOf('\r', index + 1))
      if (text[index + 1] !== '\n') count++;
  }
  return count;
};

export const newlineCount = ({ source, target }: FormPair): boolean =>
  lineBreaks(source.text) !== lineBreaks(target.text);

export const escapedNewline = ({ source, target }: FormPair): boolean =>
  countOccurrences(source.text, '\\n') !== countOccurrences(target.text, '\\n');
