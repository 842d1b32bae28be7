import { codePoints } from '../text/measures';

/** A part of a text, in UTF-16 code units; `end` is exclusive. */
export interface Extent {
  start: number;
  end: number;
}

/** The part of a source or target form that a check complains about. */
export interface CheckSpan extends Extent {
  side: 'source' | 'target';
  /** Index of the plural form. */
  form: number;
}

/** Number of code points before a UTF-16 offset. */
export const codePointOffset = (text: string, offset: number): number => codePoints(text.slice(0, offset));

/** All matches of a global regular expression. Empty matches are left out. */
export function matchesOf(text: string, regex: RegExp): Extent[] {
  return [...text.matchAll(regex)].flatMap(({ 0: match, index }) =>
    match === '' ? [] : [{ start: index, end: index + match.length }],
  );
}

/** The whole text; nothing for an empty one. */
export const wholeText = (text: string): Extent[] => (text === '' ? [] : [{ start: 0, end: text.length }]);

/** An occurrence of a token that source and target have to share. */
export interface Token extends Extent {
  key: string;
}

/** The tokens of each list that are missing from the other list, as multisets. */
export function unmatched(left: readonly Token[], right: readonly Token[]): [left: Extent[], right: Extent[]] {
  const without = (own: readonly Token[], other: readonly Token[]): Extent[] => {
    const counts = new Map<string, number>();
    for (const { key } of other) counts.set(key, (counts.get(key) ?? 0) + 1);
    return own.flatMap(({ key, start, end }) => {
      const count = counts.get(key) ?? 0;
      counts.set(key, count - 1);
      return count > 0 ? [] : [{ start, end }];
    });
  };
  return [without(left, right), without(right, left)];
}

/** The smallest part whose replacement makes one text the other. Surrogate pairs stay whole. */
export function changedPart(before: string, after: string): Extent {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let common = 0;
  while (common < most - start && before[before.length - 1 - common] === after[after.length - 1 - common]) common++;
  let end = before.length - common;
  if (isLowSurrogate(before, start)) start--;
  if (isLowSurrogate(before, end)) end++;
  return { start, end };
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return index > 0 && index < text.length && (code & 0xfc00) === 0xdc00;
}
