import type { CheckInput } from '../check-input';
import { FORMAT_CHECKS } from '../check-definitions';
import type { Flags } from '../flags/flags';
import { isWellFormed } from '../markup/xml';
import { icuParts } from '../messages/icu';
import { hasNumberedArgument } from '../placeholders/format-checks';
import { messageFormat, SYNTAXES } from '../placeholders/format-syntaxes';
import { BBCODE_TAG, flaggedTokens, leadingSpaces, runsOf, TAG, trailingSpaces } from './scanners';
import { type CheckSpan, type Extent, matchesOf } from './span';

/** Marks of an editor in a text: parts that a translation keeps, and white space that is easily overlooked. */
export interface Highlight extends CheckSpan {
  kind: 'placeholder' | 'markup' | 'whitespace';
}

/** Placeholders of the syntaxes that the flags select, and those that the `placeholders` flag lists. */
function placeholders(text: string, flags: Flags): Extent[] {
  const found: Extent[] = FORMAT_CHECKS.flatMap(([id]) =>
    flags.has(id.replaceAll('_', '-')) ? SYNTAXES[id].extract(text) : [],
  );
  if (flags.has('auto-java-messageformat') && hasNumberedArgument(text)) found.push(...messageFormat(text));
  if (flags.has('icu-message-format')) found.push(...icuParts(text, flags));
  return [...found, ...flaggedTokens(text, flags)];
}

/** Tags, if the checks read the source as XML or BBCode. */
function markup(text: string, flags: Flags, isXml: boolean): Extent[] {
  return [...(isXml ? matchesOf(text, TAG) : []), ...(flags.has('bbcode-text') ? matchesOf(text, BBCODE_TAG) : [])];
}

/** White space at the edges, runs of spaces, line breaks, tabs, and characters without a visible shape. */
function whitespace(text: string): Extent[] {
  return [
    ...leadingSpaces(text),
    ...trailingSpaces(text),
    ...runsOf(/ /g)(text).filter(({ start, end }) => end - start > 1),
    ...matchesOf(text, /\r\n|[\r\n\t]/g),
    ...runsOf(/[\u00a0\u00ad\u2000-\u200f\u2028\u2029\u202f\u2060\u3000\ufeff]/g)(text),
  ];
}

/** Parts of a source and its target for editors, found by the scanners of the checks. Source before target, by form and offset. */
export function highlight({ source, target, flags }: Pick<CheckInput, 'source' | 'target' | 'flags'>): Highlight[] {
  const isXml = flags.has('xml-text') || flags.has('safe-html') || source.some(isWellFormed);
  const scan = (text: string): [Highlight['kind'], Extent[]][] => [
    ['placeholder', placeholders(text, flags)],
    ['markup', markup(text, flags, isXml)],
    ['whitespace', whitespace(text)],
  ];
  const inTexts = (side: CheckSpan['side'], texts: readonly string[]): Highlight[] =>
    texts.flatMap((text, form) => {
      const found = new Map<string, Highlight>();
      for (const [kind, extents] of scan(text))
        for (const { start, end } of extents) found.set(`${kind} ${start} ${end}`, { kind, side, form, start, end });
      return [...found.values()].sort((a, b) => a.start - b.start || b.end - a.end);
    });
  return [...inTexts('source', source), ...inTexts('target', target)];
}
