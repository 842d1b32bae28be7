import type { CheckInput, FormPair } from '../check-input';
import { FORMAT_CHECKS, type FormatCheckId } from '../check-definitions';
import { type GlossaryTerm, disregardedTerms } from '../context-checks';
import { sanitizeHtml } from '../markup/html';
import { keysInOrder } from '../placeholders/format-checks';
import { hasBalancedQuotes, messageFormat, SYNTAXES } from '../placeholders/format-syntaxes';
import { markWithoutSpace } from '../punctuation/french-spacing';
import { failingPairs } from '../run-checks';
import { TermFinder } from './find-terms';
import {
  BBCODE_TAG,
  byRegex,
  flaggedTokens,
  leadingSpaces,
  runsOf,
  TAG,
  trailingLineBreaks,
  trailingSpaces,
} from './scanners';
import { type CheckSpan, changedPart, type Extent, matchesOf, type Token, unmatched, wholeText } from './span';

/** Parts of a pair's source and target that a failing check complains about. */
type PairLocator = (pair: FormPair) => [source: Extent[], target: Extent[]];
/** The same for a source form. */
type SourceLocator = (text: string, input: CheckInput) => Extent[];

const inBoth =
  (find: (text: string) => Extent[]): PairLocator =>
  ({ source, target }) => [find(source.text), find(target.text)];

const inTarget =
  (find: (text: string, pair: FormPair) => Extent[]): PairLocator =>
  (pair) => [[], find(pair.target.text, pair)];

const PUNCTUATION = /^\p{P}$/u;
/** Longest run of marks that counts as the end of a sentence. */
const MOST_MARKS = 3;

/** The marks that end a text, else its last character. White space after them is left out. */
function endOf(text: string): Extent[] {
  const solid = text.trimEnd();
  if (solid === '') return [];
  const chars = [...solid.slice(-2 * MOST_MARKS)];
  let marks = 0;
  while (marks < MOST_MARKS && PUNCTUATION.test(chars.at(-1 - marks) ?? '')) marks++;
  const length = chars.slice(-Math.max(1, marks)).join('').length;
  return [{ start: solid.length - length, end: solid.length }];
}

/** Words that stand twice in a row: both occurrences and the space between them. */
function repeatedWords(text: string): Extent[] {
  const words = [...text.matchAll(/[\p{L}\p{M}]+/gu)];
  return words.flatMap((word, i) => {
    const before = words[i - 1];
    if (before?.[0] !== word[0] || word[0].length < 2) return [];
    const between = text.slice(before.index + before[0].length, word.index);
    return between.trim() === '' ? [{ start: before.index, end: word.index + word[0].length }] : [];
  });
}

function missingSpaces(text: string): Extent[] {
  const found: Extent[] = [];
  for (let at = markWithoutSpace(text, 0); at >= 0; at = markWithoutSpace(text, at + 1))
    found.push({ start: at, end: at + 1 });
  return found;
}

/** What exceeds the limit; the whole text where the limit does not count its characters one by one. */
function excess(text: string, { unit: { flags } }: FormPair): Extent[] {
  const limit = flags.number('max-length') ?? 0;
  if (flags.has('replacements') || flags.has('xml-text')) return wholeText(text);
  const start = [...text].slice(0, limit).join('').length;
  return start < text.length ? [{ start, end: text.length }] : [];
}

function placeholderTokens(id: FormatCheckId, text: string, lenient: boolean): Token[] {
  const syntax = SYNTAXES[id];
  const found = lenient ? messageFormat(text, true) : syntax.extract(text);
  const keys = keysInOrder(found, syntax);
  return found.map(({ start, end }, i) => ({ key: keys[i]!, start, end }));
}

/** Placeholders that only one side has. Plurals are compared with the plural source, as the check does first. */
const placeholders =
  (id: FormatCheckId): PairLocator =>
  ({ source, target }) => {
    const lenient = id === 'java_format' && source.text.includes("'") && !hasBalancedQuotes(source.text);
    return unmatched(placeholderTokens(id, source.text, lenient), placeholderTokens(id, target.text, lenient));
  };

const flaggedPlaceholders: PairLocator = ({ source, target, unit: { flags } }) => {
  const tokens = (text: string) => flaggedTokens(text, flags);
  return unmatched(tokens(source.text), tokens(target.text));
};

/** Tags that only one side has, compared as they are written up to white space. */
const tags =
  (regex: RegExp): PairLocator =>
  ({ source, target }) => {
    const tokens = (text: string): Token[] =>
      matchesOf(text, regex).map((extent) => ({
        ...extent,
        key: text.slice(extent.start, extent.end).replace(/\s+/g, ' ').toLowerCase(),
      }));
    return unmatched(tokens(source.text), tokens(target.text));
  };

const unsafeHtml = (text: string, { unit: { flags } }: FormPair): Extent[] => {
  const part = changedPart(text, sanitizeHtml(text, flags.has('md-text')));
  return part.start < part.end ? [part] : [];
};

/** Several unnamed placeholders of a syntax that the flags select. */
function unnamedPlaceholders(text: string, { flags }: CheckInput): Extent[] {
  return FORMAT_CHECKS.flatMap(([id]) => {
    if (!SYNTAXES[id].printf || !flags.has(id.replaceAll('_', '-'))) return [];
    const unnamed = SYNTAXES[id].extract(text).filter(({ name }) => name === undefined);
    return unnamed.length > 1 ? unnamed.map(({ start, end }) => ({ start, end })) : [];
  });
}

const pairLocators: ReadonlyMap<string, PairLocator> = new Map<string, PairLocator>([
  ['same', inBoth(wholeText)],
  ['begin_newline', inBoth(byRegex(/^[\r\n]+/g))],
  ['end_newline', inBoth(trailingLineBreaks)],
  ['begin_space', inBoth(leadingSpaces)],
  ['end_space', inBoth(trailingSpaces)],
  ['double_space', inTarget((text) => runsOf(/ /g)(text).filter(({ start, end }) => end - start > 1))],
  ...[
    'end_stop',
    'end_colon',
    'end_question',
    'end_exclamation',
    'end_interrobang',
    'end_ellipsis',
    'end_semicolon',
  ].map((id) => [id, inBoth(endOf)] as const),
  ['max-length', inTarget(excess)],
  ['max-size', inTarget(wholeText)],
  ['kashida', inTarget(runsOf(/[\u0640\ufcf2-\ufcf4\ufe71\ufe77\ufe79\ufe7b\ufe7d\ufe7f]/g))],
  ['punctuation_spacing', inTarget(missingSpaces)],
  ['kabyle-characters', inTarget(runsOf(/[\u03b5\u0393\u03b3\u03a3\u0395]/g))],
  ...FORMAT_CHECKS.map(([id]) => [id, placeholders(id)] as const),
  ['escaped_newline', inBoth(byRegex(/\\n/g))],
  ['newline-count', inBoth(byRegex(/\r\n|\r|\n/g))],
  ['bbcode', tags(BBCODE_TAG)],
  ['zero-width-space', inTarget(runsOf(/\u200b/g))],
  ['xml-tags', tags(TAG)],
  ['url', inTarget(wholeText)],
  ['safe-html', inTarget(unsafeHtml)],
  ['placeholders', flaggedPlaceholders],
  ['regex', inTarget(wholeText)],
  ['duplicate', inTarget(repeatedWords)],
  ['same-plurals', inTarget(wholeText)],
  ['prohibited_initial_character', inBoth(byRegex(/^ {0,100}[=+\-@|%＝＋－＠\t\r]/g))],
]);

const sourceLocators: ReadonlyMap<string, SourceLocator> = new Map<string, SourceLocator>([
  ['ellipsis', byRegex(/(?<![.\d])\.\.\.(?![.\d])/g)],
  ['optional_plural', byRegex(/(?<=\p{L})\((?:s|es|ies)\)(?!\p{L})/giu)],
  ['unnamed_format', unnamedPlaceholders],
]);

/** Checks that report failing places. The test of this module lists the others. */
export const LOCATED_CHECKS: ReadonlySet<string> = new Set([
  ...pairLocators.keys(),
  ...sourceLocators.keys(),
  'plurals',
  'check_glossary',
]);

/**
 * Where a failing check fails, if the check can locate it: the wrong part, or the part that is missing on the other side.
 *
 * @param terms terms of the unit's language, for `check_glossary`
 * @returns source before target, by form and offset; empty if the check is about the text as a whole
 */
export function locateCheck(id: string, input: CheckInput, terms: readonly GlossaryTerm[] = []): CheckSpan[] {
  const ofSource = sourceLocators.get(id);
  if (ofSource) return sortUnique(input.source.flatMap((text, form) => spansOf('source', form, ofSource(text, input))));
  // A blank form has no part to point at: the span names the form.
  if (id === 'plurals')
    return input.target.flatMap((text, form) =>
      text.trim() === '' ? spansOf('target', form, [{ start: 0, end: 0 }]) : [],
    );
  if (id === 'check_glossary') return glossarySpans(input, terms);
  const ofPair = pairLocators.get(id);
  if (!ofPair) return [];
  const spans = failingPairs(id, input).flatMap((pair) => {
    const [source, target] = ofPair(pair);
    const sourceForm = pair.unit.source.indexOf(pair.source);
    return [...spansOf('source', sourceForm, source), ...spansOf('target', pair.form, target)];
  });
  return sortUnique(spans);
}

const spansOf = (side: CheckSpan['side'], form: number, extents: readonly Extent[]): CheckSpan[] =>
  extents.map(({ start, end }) => ({ side, form, start, end }));

/** Sorted, each once: several target forms may be compared with one source form. */
function sortUnique(spans: readonly CheckSpan[]): CheckSpan[] {
  const unique = new Map(spans.map((span) => [`${span.side} ${span.form} ${span.start} ${span.end}`, span]));
  return [...unique.values()].sort(
    (a, b) => a.side.localeCompare(b.side) || a.form - b.form || a.start - b.start || a.end - b.end,
  );
}

function glossarySpans(input: CheckInput, terms: readonly GlossaryTerm[]): CheckSpan[] {
  const { source, target, sourceLanguage, targetLanguage } = input;
  const disregarded = new Set(disregardedTerms(input, terms));
  const forbidden = terms.filter((term) => term.forbidden && disregarded.has(term.source.toLowerCase()));
  const all = (side: CheckSpan['side'], texts: readonly string[], language: string, wanted: readonly string[]) =>
    texts.flatMap((text, form) => {
      const finder = new TermFinder(text, language);
      return wanted.flatMap((term) => spansOf(side, form, finder.find(term)));
    });
  const prohibited = forbidden.flatMap((term) => term.targets);
  return sortUnique([
    ...all('source', source, sourceLanguage, [...disregarded]),
    ...all('target', target, targetLanguage, prohibited),
  ]);
}
