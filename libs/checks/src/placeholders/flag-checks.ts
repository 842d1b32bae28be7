import { haveSameItems } from '../text/measures';
import type { FormPair } from '../check-input';
import { findPlaceholders, matchesRequired } from './flag-patterns';

/** Upper bound of placeholders for the omission search, which takes quadratic time. */
const MAX_OMISSION_SEARCH = 50;

/** A form for a single number may omit one placeholder, because the number may be written as a word. */
export function requiredPlaceholders({ source, target, unit, singleNumber }: FormPair): boolean {
  const [expected, found] = [findPlaceholders(source.text, unit.flags), findPlaceholders(target.text, unit.flags)];
  if (haveSameItems(expected, found)) return false;
  if (!singleNumber || unit.source.length < 2 || unit.flags.has('strict-format')) return true;
  if (expected.length > MAX_OMISSION_SEARCH || found.length !== expected.length - 1) return true;
  return !expected.some((_, skipped) =>
    haveSameItems(
      expected.filter((_one, index) => index !== skipped),
      found,
    ),
  );
}

export const requiredPattern = ({ target, unit }: FormPair): boolean => !matchesRequired(target.text, unit.flags);
