import { applyReplacements, findPlaceholders, matchesRequired } from './user-patterns';
import { sameList } from './markup';
import type { Flags } from './flags';
import type { Pair } from './unit';

/** Code points, without making an array of them. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      count--;
      index++;
    }
  }
  return count;
}

/** The text that a reader sees: no tags, one character for each entity. */
const withoutMarkup = (text: string): string =>
  text.replace(/<[^<>]{1,2000}>/g, '').replace(/&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/gi, '_');

export function maxLength({ target, unit }: Pair): boolean {
  const limit = unit.flags.number('max-length');
  if (limit === undefined) return false;
  const text = applyReplacements(target.text, unit.flags);
  return codePoints(unit.flags.has('xml-text') ? withoutMarkup(text) : text) > limit;
}

/** Advance widths of a common sans-serif face for ASCII from the space on, in thousandths of the font size. */
const WIDTHS = (
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 ' +
  '1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 ' +
  '333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584'
)
  .split(' ')
  .map(Number);

const OTHER_WIDTH = 600;
const FULL_WIDTH = 1000;

function charWidth(char: string): number {
  const code = char.codePointAt(0)!;
  if (code < 32) return 0;
  if (code < 127) return WIDTHS[code - 32]!;
  if (/\p{M}|\p{Cf}/u.test(char)) return 0;
  if (
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u.test(
      char,
    )
  ) {
    return FULL_WIDTH;
  }
  const base = char.normalize('NFD').charCodeAt(0);
  return base < 127 ? WIDTHS[base - 32]! : OTHER_WIDTH;
}

const DEFAULT_FONT_SIZE = 10;
const BOLD = /^(?:semi|demi|extra|ultra)?-?bold$|^black$|^heavy$|^[6-9]00$/i;

/** Lines that the text takes when it is wrapped at spaces; Infinity when a word is wider than a line. */
function renderedLines(text: string, width: number, flags: Flags): number {
  const size = flags.number('font-size') ?? DEFAULT_FONT_SIZE;
  const spacing = flags.number('font-spacing') ?? 0;
  const scale = (size / 1000) * (BOLD.test(flags.value('font-weight') ?? '') ? 1.07 : 1);
  let lines = 0;
  for (const paragraph of text.split(/\r\n|\r|\n/)) {
    lines++;
    let used = 0;
    for (const word of paragraph.split(/(?<=\s)/)) {
      let visible = 0;
      let full = 0;
      for (const char of word) {
        full += charWidth(char) * scale + spacing;
        if (!/\s/.test(char)) visible = full;
      }
      if (visible > width) return Infinity;
      if (used + visible > width) {
        lines++;
        used = 0;
      }
      used += full;
    }
  }
  return lines;
}

export function maxSize({ target, unit }: Pair): boolean {
  const [width, lines = 1] = (unit.flags.values('max-size') ?? []).map(Number);
  return width !== undefined && renderedLines(applyReplacements(target.text, unit.flags), width, unit.flags) > lines;
}

/** Texts with more placeholders are not searched for an omitted one. */
const MAX_OMISSION_SEARCH = 50;

/** A form for a single number may lack one placeholder: the number, written as a word. */
export function placeholders({ source, target, unit, singleNumber }: Pair): boolean {
  const [expected, found] = [findPlaceholders(source.text, unit.flags), findPlaceholders(target.text, unit.flags)];
  if (sameList(expected, found)) return false;
  if (!singleNumber || unit.source.length < 2 || unit.flags.has('strict-format')) return true;
  if (expected.length > MAX_OMISSION_SEARCH || found.length !== expected.length - 1) return true;
  return !expected.some((_, skipped) =>
    sameList(
      expected.filter((_one, index) => index !== skipped),
      found,
    ),
  );
}

export const regex = ({ target, unit }: Pair): boolean => !matchesRequired(target.text, unit.flags);
