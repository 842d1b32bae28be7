import type { TextFacts } from './facts';
import { type FormatSyntax, hasBalancedQuotes, messageFormat, type Placeholder, SYNTAXES } from './placeholders';
import { FORMAT_CHECKS, type FormatCheckId } from './table';
import { countOf } from './texts';
import type { Pair, UnitFacts } from './unit';

/** Sorted comparable form: unnamed placeholders get the position that their order gives them. */
function keys(list: readonly Placeholder[], syntax: FormatSyntax, skip = -1): string[] {
  const { continuesFrom } = syntax;
  const result: string[] = [];
  let position = continuesFrom ?? 1;
  list.forEach(({ name, type }, index) => {
    if (index === skip) return;
    const argument = name ?? String(position++);
    if (continuesFrom !== undefined && name !== undefined) position = Number(name) + 1;
    result.push(`${argument} ${type}`);
  });
  return result.length > 1 ? result.sort() : result;
}

const sameKeys = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((key, index) => key === right[index]);

/** Texts with more placeholders are not searched for an omitted one. */
const MAX_OMISSION_SEARCH = 50;

function omitsOne(expected: readonly Placeholder[], found: readonly Placeholder[], syntax: FormatSyntax): boolean {
  if (expected.length > MAX_OMISSION_SEARCH || found.length !== expected.length - 1) return false;
  const actual = keys(found, syntax);
  return expected.some((_, index) => sameKeys(keys(expected, syntax, index), actual));
}

/** The found placeholders without what a translation may add to those of its source. */
function withoutAdditions(
  found: readonly Placeholder[],
  expected: readonly Placeholder[],
  addition: string,
): readonly Placeholder[] {
  const present = new Set(expected.flatMap(({ name, type }) => (type === addition ? [name] : [])));
  return found.map((one) => (one.type === addition && !present.has(one.name) ? { ...one, type: '' } : one));
}

/** Under these names the facts of a source remember the comparable form of its placeholders. */
const KEYS = Object.fromEntries(FORMAT_CHECKS.map(([id]) => [id, `${id}:keys`])) as Record<FormatCheckId, string>;

const firstOfEach = (list: readonly Placeholder[]): Placeholder[] => [
  ...new Map(list.map((one) => [`${one.name} ${one.type}`, one])).values(),
];

/**
 * Whether the form's placeholders are wrong. A form for a single number may have those of the source's singular, or those
 * of its plural but one (the count written as a word); with `strict-format` it needs those of the plural like all others.
 */
function placeholdersDiffer(id: FormatCheckId, { unit, source, target, singleNumber }: Pair): boolean {
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
  const of = (facts: TextFacts): Placeholder[] => facts.remember(key, extract);
  const plural = of(last);
  let found: readonly Placeholder[] = of(target);
  if (syntax.hasStraySign && countOf(target.text, syntax.sign) > found.length) {
    if (syntax.hasStraySign(target.text) && isCleanFormat(last, syntax)) return true;
  }
  if (syntax.mayAdd !== undefined) found = withoutAdditions(found, plural, syntax.mayAdd);
  if (syntax.variants !== undefined && last.text.includes(syntax.variants))
    return !sameKeys(keys(firstOfEach(plural), syntax), keys(firstOfEach(found), syntax));
  const actual = keys(found, syntax);
  const expected = last.remember(key === id ? KEYS[id] : `${key}:keys`, () => keys(plural, syntax));
  if (sameKeys(expected, actual)) return false;
  if (!singleNumber || unit.source.length < 2 || unit.flags.has('strict-format')) return true;
  return !sameKeys(keys(of(source), syntax), actual) && !omitsOne(plural, found, syntax);
}

/** The text has placeholders or escapes, and every sign in it belongs to one. */
const isCleanFormat = (facts: TextFacts, syntax: FormatSyntax): boolean =>
  facts.text.includes(syntax.sign) && !syntax.hasStraySign!(facts.text);

/** The format checks as functions of a pair. */
export const formatChecks: readonly (readonly [FormatCheckId, (pair: Pair) => boolean])[] = FORMAT_CHECKS.map(
  ([id]) => [id, (pair) => placeholdersDiffer(id, pair)],
);

/** `auto-java-messageformat`: the source has a numbered argument. */
export const looksLikeMessageFormat = ({ source }: Pair): boolean => /\{\d/.test(source.text);

/** Two or more placeholders whose order a translator cannot change, in a syntax that the flags name. */
export function unnamedFormat({ source, flags }: UnitFacts): boolean {
  return FORMAT_CHECKS.some(([id]) => {
    if (!SYNTAXES[id].printf || !flags.has(id.replaceAll('_', '-'))) return false;
    return source.some(
      (form) => form.remember(id, SYNTAXES[id].extract).filter(({ name }) => name === undefined).length > 1,
    );
  });
}
