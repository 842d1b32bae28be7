import { findPlaceholders } from '../placeholders/flag-patterns';
import type { Flags } from '../flags/flags';
import { type Extent, matchesOf, type Token } from './span';

/** Tags of XML and HTML. */
export const TAG = /<[^<>]{1,2000}>/g;
export const BBCODE_TAG = /\[\/?[a-z*]{1,20}(?:=[^[\]]{0,500})?\]/gi;

export const byRegex = (regex: RegExp) => (text: string) => matchesOf(text, regex);

/** Runs of characters that match. The expression matches one character: runs would take quadratic time. */
export const runsOf = (regex: RegExp) => (text: string) => {
  const runs: Extent[] = [];
  for (const { start, end } of matchesOf(text, regex)) {
    const last = runs.at(-1);
    if (last?.end === start) last.end = end;
    else runs.push({ start, end });
  }
  return runs;
};

/** Spaces at the end. A loop: an anchored expression takes quadratic time. */
export function trailingSpaces(text: string): Extent[] {
  let start = text.length;
  while (text.charCodeAt(start - 1) === 32) start--;
  return start === text.length ? [] : [{ start, end: text.length }];
}

export function leadingSpaces(text: string): Extent[] {
  let end = 0;
  while (text.charCodeAt(end) === 32) end++;
  return end === 0 ? [] : [{ start: 0, end }];
}

export function trailingLineBreaks(text: string): Extent[] {
  let start = text.length;
  while (text[start - 1] === '\n' || text[start - 1] === '\r') start--;
  return start === text.length ? [] : [{ start, end: text.length }];
}

/** Occurrences of texts, each looked for after the one before. */
function occurrences(text: string, wanted: readonly string[], ignoreCase: boolean): Token[] {
  const lower = text.toLowerCase();
  const searched = ignoreCase && lower.length === text.length ? lower : text;
  const from = new Map<string, number>();
  return wanted.flatMap((key) => {
    const start = searched.indexOf(key, from.get(key) ?? 0);
    if (start < 0) return [];
    from.set(key, start + key.length);
    return [{ key, start, end: start + key.length }];
  });
}

/** Occurrences of the placeholders that the `placeholders` flag lists. */
export const flaggedTokens = (text: string, flags: Flags): Token[] =>
  occurrences(text, findPlaceholders(text, flags), flags.has('case-insensitive'));
