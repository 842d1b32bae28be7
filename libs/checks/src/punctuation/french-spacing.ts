import type { FormPair } from '../check-input';

const NO_BREAK_SPACES = new Set(['\u00a0', '\u202f', '\u2009']);

/**
 * `punctuation_spacing`: a French `!`, `?`, `;` or `:` has no no-break space before it. Only marks before white space or at
 * the end count, which excludes times, addresses and smileys.
 */
export function punctuationSpacing({ target, unit }: FormPair): boolean {
  const { targetLanguage } = unit.input;
  if (unit.language !== 'fr' || /^fr[_-]CA/i.test(targetLanguage)) return false;
  return markWithoutSpace(target.text, 0) >= 0;
}

/** Index of the first mark from `start` on without its no-break space; -1 if there is none. */
export function markWithoutSpace(text: string, start: number): number {
  for (let index = start; index < text.length; index++) {
    const char = text[index]!;
    if (char !== '!' && char !== '?' && char !== ';' && char !== ':') continue;
    const next = text[index + 1];
    if (next !== undefined && !/\s/.test(next)) continue;
    const before = text[index - 1];
    if (before === undefined || NO_BREAK_SPACES.has(before) || '!?;:(\n'.includes(before)) continue;
    if (char === ';' && /&#?[A-Za-z0-9]{1,31}$/.test(text.slice(Math.max(0, index - 33), index))) continue;
    if (/&(?:nbsp|#160|#xa0|#8239|#x202f);$/i.test(text.slice(Math.max(0, index - 8), index))) continue;
    return index;
  }
  return -1;
}
