import type { TextFacts } from './facts';
import { type Placeholder, SYNTAXES } from './placeholders';
import { FORMAT_CHECKS, type FormatCheckId } from './table';
import type { Pair, UnitFacts } from './unit';

/** Comparable form: unnamed placeholders get the position that their order gives them. */
function keys(list: readonly Placeholder[], skip = -1): Set<string> {
  const result = new Set<string>();
  let position = 0;
  list.forEach(({ name, type }, index) => {
    if (index === skip) return;
    result.add(name === undefined ? `${++position} ${type}` : `${name} ${type}`);
  });
  return result;
}

function sameKeys(left: Set<string>, right: Set<string>): boolean {
  if (left.size !== right.size) return false;
  for (const key of left) if (!right.has(key)) return false;
  return true;
}

/** Texts with more placeholders are not searched for an omitted one. */
const MAX_OMISSION_SEARCH = 50;

function omitsOne(expected: readonly Placeholder[], found: readonly Placeholder[]): boolean {
  if (expected.length > MAX_OMISSION_SEARCH) return false;
  const actual = keys(found);
  return expected.some((_, index) => sameKeys(keys(expected, index), actual));
}

/**
 * Whether the form's placeholders are wrong. A form for a single number may have those of the source's singular, or those
 * of its plural but one (the count written as a word); with `strict-format` it needs those of the plural like all others.
 */
function placeholdersDiffer(id: FormatCheckId, { unit, source, target, singleNumber }: Pair): boolean {
  const { extract } = SYNTAXES[id];
  const of = (facts: TextFacts): Placeholder[] => facts.remember(id, extract);
  const found = of(target);
  const actual = keys(found);
  const plural = of(unit.source[unit.source.length - 1]!);
  if (sameKeys(keys(plural), actual)) return false;
  if (!singleNumber || unit.source.length < 2 || unit.flags.has('strict-format')) return true;
  return !sameKeys(keys(of(source)), actual) && !omitsOne(plural, found);
}

/** The format checks as functions of a pair. */
export const formatChecks: readonly (readonly [FormatCheckId, (pair: Pair) => boolean])[] = FORMAT_CHECKS.map(
  ([id]) => [id, (pair) => placeholdersDiffer(id, pair)],
);

/** Two or more placeholders whose order a translator cannot change, in a syntax that the flags name. */
export function unnamedFormat({ source, flags }: UnitFacts): boolean {
  return FORMAT_CHECKS.some(([id]) => {
    if (!SYNTAXES[id].printf || !flags.has(id.replaceAll('_', '-'))) return false;
    return source.some(
      (form) => form.remember(id, SYNTAXES[id].extract).filter(({ name }) => name === undefined).length > 1,
    );
  });
}
