import type { Font } from 'fontkit';
import type { Face } from './faces';

/** Advance of characters that no font has, in parts of the font size. */
const UNKNOWN = 0.6;
/** Advance of characters of East Asian scripts and pictographs. */
const FULL = 1;

/** Longest part that is shaped at once, in UTF-16 code units: shaping takes quadratic time. */
const MAX_RUN = 100;
/** Words whose widths are kept. */
const MAX_KNOWN = 20_000;
const known = new Map<string, number>();

const isWide = (char: string): boolean =>
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u.test(
    char,
  );

function widthWithoutFont(char: string): number {
  if (/[\p{M}\p{Cf}\p{Cc}]/u.test(char)) return 0;
  return isWide(char) ? FULL : UNKNOWN;
}

/** The first font with a glyph for a character. */
const fontFor = (char: string, { fonts }: Face): Font | undefined =>
  fonts.find((font) => font().hasGlyphForCodePoint(char.codePointAt(0)!))?.();

/**
 * Width of a text on one line, in parts of the font size: the sum of the advances after shaping, so kerning and ligatures count. Characters of
 * one built-in font are shaped together; those of an uploaded font have their own advances.
 */
export function textWidth(text: string, face: Face): number {
  const key = `${face.name} ${text}`;
  let width = known.get(key);
  if (width === undefined) {
    width = shapedWidth(text, face);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, width);
  }
  return width;
}

function shapedWidth(text: string, face: Face): number {
  let width = 0;
  let run = '';
  let runFont: Font | undefined;
  const flush = () => {
    if (runFont && run !== '') width += runFont.layout(run).advanceWidth / runFont.unitsPerEm;
    run = '';
  };
  for (const char of text) {
    const advance = face.uploaded?.advance(char.codePointAt(0)!);
    if (advance !== undefined) {
      flush();
      runFont = undefined;
      width += advance;
      continue;
    }
    // A mark belongs to the character before it, if that font has it.
    const joins = /\p{M}/u.test(char) && runFont?.hasGlyphForCodePoint(char.codePointAt(0)!);
    const font = joins ? runFont : fontFor(char, face);
    if (font !== runFont || run.length >= MAX_RUN) flush();
    runFont = font;
    if (font) run += char;
    else width += widthWithoutFont(char);
  }
  flush();
  return width;
}
