import type { AnalyzedText } from '../text/analyzed-text';
import { type FormatSyntax, hasBalancedQuotes, messageFormat, type Placeholder, SYNTAXES } from './format-syntaxes';
import { FORMAT_CHECKS, type FormatCheckId } from '../check-definitions';
import { countOccurrences } from '../text/measures';
import type { FormPair, AnalyzedUnit } from '../check-input';

/** Sorted comparison keys. */
function comparisonKeys(list: readonly Placeholder[], syntax: FormatSyntax, skip = -1): string[] {
  const result = keysInOrder(list, syntax, skip);
  return result.length > 1 ? result.sort() : result;
}

/** Comparison keys in text order. An unnamed placeholder is keyed by its position. */
export function keysInOrder(list: readonly Placeholder[], syntax: FormatSyntax, skip = -1): string[] {
  const { continuesFrom } = syntax;
  const result: string[] = [];
  let position = continuesFrom ?? 1;
  list.forEach(({ name, type }, index) => {
    if (index === skip) return;
    const argument = name ?? String(position++);
    if (continuesFrom !== undefined && name !== undefined) position = Number(name) + 1;
    result.push(`${argument} ${type}`);
  });
  return result;
}

const sameKeys = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((key, index) => key === right[index]);

/** Upper bound of placeholders for the omission search, which takes quadratic time. */
const MAX_OMISSION_SEARCH = 50;

function omitsOne(expected: readonly Placeholder[], found: readonly Placeholder[], syntax: FormatSyntax): boolean {
  if (expected.length > MAX_OMISSION_SEARCH || found.length !== expected.length - 1) return false;
  const actual = comparisonKeys(found, syntax);
  return expected.some((_, index) => sameKeys(comparisonKeys(expected, syntax, index), actual));
}

/** Drops the addition that the syntax allows in translations from placeholders whose source form has none. */
function withoutAdditions(
  found: readonly Placeholder[],
  expected: readonly Placeholder[],
  addition: string,
): readonly Placeholder[] {
  const present = new Set(expected.flatMap(({ name, type }) => (type === addition ? [name] : [])));
  return found.map((one) => (one.type === addition && !present.has(one.name) ? { ...one, type: '' } : one));
}

/** Cache keys under which a source memoizes the comparison keys of its placeholders. */
const CACHE_KEYS = Object.fromEntries(FORMAT_CHECKS.map(([id]) => [id, `${id}:keys`])) as Record<FormatCheckId, string>;

const firstOfEach = (list: readonly Placeholder[]): Placeholder[] => [
  ...new Map(list.map((one) => [`${one.name} ${one.type}`, one])).values(),
];

/**
 * Whether the placeholders of a target form differ from those of the source. A form for a single number may match the
 * singular instead, or omit one placeholder of the plural (the count written as a word). `strict-format` forbids both.
 */
function placeholdersDiffer(id: FormatCheckId, { unit, source, target, singleNumber }: FormPair): boolean {
  const syntax = SYNTAXES[id];
  const last = unit.source[unit.source.length - 1]!;
  let extract = syntax.extract;
  let key: string = id;
  if (id === 'java_format' && (target.text.includes("'") || last.text.includes("'"))) {
    if (!hasBalancedQuotes(last.text)) {
      extract = (text) => messageFormat(text, true);
      key = 'java_format:lenient';
    } else if (!hasBalancedQuotes(target.text)) return true;
  }
  const of = (text: AnalyzedText): Placeholder[] => text.memoize(key, extract);
  const plural = of(last);
  let found: readonly Placeholder[] = of(target);
  if (syntax.hasStrayMarker && countOccurrences(target.text, syntax.marker) > found.length) {
    if (syntax.hasStrayMarker(target.text) && hasOnlyKnownMarkers(last, syntax)) return true;
  }
  if (syntax.mayAdd !== undefined) found = withoutAdditions(found, plural, syntax.mayAdd);
  if (syntax.variants !== undefined && last.text.includes(syntax.variants))
    return !sameKeys(comparisonKeys(firstOfEach(plural), syntax), comparisonKeys(firstOfEach(found), syntax));
  const actual = comparisonKeys(found, syntax);
  const expected = last.memoize(key === id ? CACHE_KEYS[id] : `${key}:keys`, () => comparisonKeys(plural, syntax));
  if (sameKeys(expected, actual)) return false;
  if (!singleNumber || unit.source.length < 2 || unit.flags.has('strict-format')) return true;
  return !sameKeys(comparisonKeys(of(source), syntax), actual) && !omitsOne(plural, found, syntax);
}

/** The text has placeholders or escapes, and every marker character belongs to one. */
const hasOnlyKnownMarkers = (text: AnalyzedText, syntax: FormatSyntax): boolean =>
  text.text.includes(syntax.marker) && !syntax.hasStrayMarker!(text.text);

/** The format checks as functions of a pair. */
export const formatChecks: readonly (readonly [FormatCheckId, (pair: FormPair) => boolean])[] = FORMAT_CHECKS.map(
  ([id]) => [id, (pair) => placeholdersDiffer(id, pair)],
);

/** `auto-java-messageformat` applies: the source has a numbered argument. */
export const looksLikeMessageFormat = ({ source }: FormPair): boolean => hasNumberedArgument(source.text);

export const hasNumberedArgument = (text: string): boolean => /\{\d/.test(text);

/** `unnamed_format`: two or more unnamed placeholders in a syntax that the flags select. Translators cannot reorder them. */
export function unnamedFormat({ source, flags }: AnalyzedUnit): boolean {
  return FORMAT_CHECKS.some(([id]) => {
    if (!SYNTAXES[id].printf || !flags.has(id.replaceAll('_', '-'))) return false;
    return source.some(
      (form) => form.memoize(id, SYNTAXES[id].extract).filter(({ name }) => name === undefined).length > 1,
    );
  });
}
