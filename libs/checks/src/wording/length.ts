import { applyReplacements } from '../placeholders/flag-patterns';
import { codePoints } from '../text/measures';
import type { Flags } from '../flags/flags';
import type { FormPair } from '../check-input';

/** The visible text: without tags, one character per entity. */
const withoutMarkup = (text: string): string =>
  text.replace(/<[^<>]{1,2000}>/g, '').replace(/&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/gi, '_');

export function maxLength({ target, unit }: FormPair): boolean {
  const limit = unit.flags.number('max-length');
  if (limit === undefined) return false;
  const text = applyReplacements(target.text, unit.flags);
  return codePoints(unit.flags.has('xml-text') ? withoutMarkup(text) : text) > limit;
}

/** Advance widths of a common sans-serif typeface for U+0020 to U+007E, in thousandths of the font size. */
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

/** Number of lines after wrapping at spaces; Infinity if a word is wider than a line. */
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

export function maxSize({ target, unit }: FormPair): boolean {
  const [width, lines = 1] = (unit.flags.values('max-size') ?? []).map(Number);
  return width !== undefined && renderedLines(applyReplacements(target.text, unit.flags), width, unit.flags) > lines;
}
