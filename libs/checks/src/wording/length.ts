import { findFace } from '../fonts/faces';
import { textWidth } from '../fonts/text-width';
import { applyReplacements } from '../placeholders/flag-patterns';
import { codePoints } from '../text/measures';
import type { AnalyzedUnit, FormPair } from '../check-input';

/** The visible text: without tags, one character per entity. */
const withoutMarkup = (text: string): string =>
  text.replace(/<[^<>]{1,2000}>/g, '').replace(/&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/gi, '_');

export function maxLength({ target, unit }: FormPair): boolean {
  const limit = unit.flags.number('max-length');
  if (limit === undefined) return false;
  const text = applyReplacements(target.text, unit.flags);
  return codePoints(unit.flags.has('xml-text') ? withoutMarkup(text) : text) > limit;
}

const DEFAULT_FONT_SIZE = 10;
/** Longer texts do not fit, whatever the size: shaping them would take too long. In UTF-16 code units. */
const MAX_MEASURED = 5000;

/** Number of lines after wrapping at spaces; Infinity if a word is wider than a line. */
function renderedLines(text: string, width: number, { flags, input }: AnalyzedUnit): number {
  if (text.length > MAX_MEASURED) return Infinity;
  const face = findFace(flags.value('font-family') ?? '', flags.value('font-weight') ?? '', input.fonts);
  const size = flags.number('font-size') ?? DEFAULT_FONT_SIZE;
  const spacing = flags.number('font-spacing') ?? 0;
  const widthOf = (part: string): number => textWidth(part, face) * size + codePoints(part) * spacing;
  let lines = 0;
  for (const paragraph of text.split(/\r\n|\r|\n/)) {
    lines++;
    let used = 0;
    for (const word of paragraph.split(/(?<=\s)/)) {
      const visible = widthOf(word.trimEnd());
      if (visible > width) return Infinity;
      if (used + visible > width) {
        lines++;
        used = 0;
      }
      used += widthOf(word);
    }
  }
  return lines;
}

export function maxSize({ target, unit }: FormPair): boolean {
  const [width, lines = 1] = (unit.flags.values('max-size') ?? []).map(Number);
  return width !== undefined && renderedLines(applyReplacements(target.text, unit.flags), width, unit) > lines;
}
