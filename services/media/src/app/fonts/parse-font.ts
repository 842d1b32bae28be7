import type { Font } from 'fontkit';
import { createRequire } from 'node:module';
import {
  FontError,
  MAX_CHARACTERS,
  MAX_FAMILY,
  MAX_TABLE_BYTES,
  type FontFacts,
  type FontWidths,
} from '../../domain/font';

const load = createRequire(__filename);

interface Table {
  offset: number;
  length: number;
  /** WOFF2: the table is stored in another form, of this length. */
  transformed?: boolean;
  transformLength?: number;
}

interface LazyArray<T> {
  length: number;
  get(index: number): T;
}

/** A table of characters in the formats that fonts use for Unicode. */
type CharacterTable =
  | { version: 4; segCount: number; startCode: LazyArray<number>; endCode: LazyArray<number> }
  | { version: 6 | 10; firstCode: number; glyphIndices: LazyArray<number> }
  | { version: 12 | 13; nGroups: number; groups: LazyArray<{ startCharCode: number; endCharCode: number }> };

/** Properties of fontkit's fonts that are missing from its types. */
type OpenedFont = Omit<Font, 'OS/2' | 'hhea'> & {
  directory: { tables: Record<string, Table | undefined> };
  /** After the first table of a WOFF2 file was read: all its tables, decompressed. */
  stream: { buffer: Uint8Array };
  hmtx?: { metrics: { get(index: number): { advance: number } | undefined } };
  hhea?: { numberOfMetrics: number };
  maxp?: { numGlyphs: number };
  head?: { unitsPerEm: number };
  'OS/2'?: { usWeightClass: number; fsSelection?: { italic?: boolean } };
  getName(key: string): string | null;
  _cmapProcessor: { cmap: CharacterTable | { version: 0 | 2 | 8 | 14 }; lookup(codePoint: number): number };
};

const invalid = (detail: string) => new FontError('invalid_font', detail);
const damaged = () => invalid('The font is damaged and cannot be read.');

const isOpened = (font: object): font is OpenedFont => 'directory' in font;

function open(bytes: Uint8Array): OpenedFont {
  const { create } = load('fontkit') as typeof import('fontkit');
  const font = create(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!isOpened(font)) throw invalid('The file must contain one font, not a collection.');
  let size = 0;
  for (const table of Object.values(font.directory.tables)) size += table?.transformLength ?? table?.length ?? 0;
  if (size > MAX_TABLE_BYTES)
    throw new FontError('too_large', `The tables of a font have at most ${MAX_TABLE_BYTES / 1024 / 1024} MiB.`);
  return font;
}

/** Text of a name table: control characters and everything after the limit are dropped. */
const clean = (name: string | null | undefined): string =>
  [...(name ?? '').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim()].slice(0, MAX_FAMILY).join('');

/** Many light fonts claim 250, because an old renderer drew lower weights bold. */
const CLAIMED_LIGHT = 250;

function weightOf(claimed: number, style: string): number {
  if (claimed !== CLAIMED_LIGHT) return claimed;
  if (/thin|hairline/i.test(style)) return 100;
  return /(?:extra|ultra)[ -]?light/i.test(style) ? 200 : claimed;
}

function factsOf(font: OpenedFont): Omit<FontFacts, 'characters'> {
  // The typographic family, if the file has one: `Source Sans` instead of `Source Sans Medium`.
  const family = clean(font.getName('preferredFamily')) || clean(font.familyName);
  if (family === '') throw invalid('The font must name its family.');
  const style = clean(font.getName('preferredSubfamily')) || clean(font.subfamilyName);
  const weight = weightOf(font['OS/2']?.usWeightClass ?? 400, style);
  const italic = font['OS/2']?.fsSelection?.italic === true || /italic|oblique/i.test(style);
  return { family, style, weight: Math.min(1000, Math.max(1, weight)), italic };
}

/** Advances of the glyphs, by their index. */
function advancesOf(font: OpenedFont): (glyph: number) => number {
  const table = font.directory.tables['hmtx'];
  const count = font.hhea?.numberOfMetrics ?? 0;
  const { hmtx } = font;
  if (!table || !hmtx || count === 0) throw invalid('The font must have horizontal metrics.');
  const last = count - 1;
  if (!table.transformed) return (glyph) => hmtx.metrics.get(Math.min(glyph, last))?.advance ?? 0;
  // fontkit does not read this form: a byte of flags, then the advances.
  const start = table.offset + 1;
  const { buffer, byteOffset, byteLength } = font.stream.buffer.subarray(start, start + count * 2);
  if (byteLength < count * 2) throw damaged();
  const stored = new DataView(buffer, byteOffset, byteLength);
  return (glyph) => stored.getUint16(Math.min(glyph, last) * 2);
}

const LAST_CHARACTER = 0x10ffff;

/**
 * Ranges of characters that a font claims, which may be long, overlap and be many. `characterSet` of fontkit puts each of them into an
 * array, and an array above the limit of the engine ends the whole process.
 */
function* claimedRanges({ _cmapProcessor: { cmap } }: OpenedFont): Generator<readonly [first: number, last: number]> {
  if (cmap.version === 4) for (let i = 0; i < cmap.segCount; i++) yield [cmap.startCode.get(i), cmap.endCode.get(i)];
  else if (cmap.version === 6 || cmap.version === 10)
    yield [cmap.firstCode, cmap.firstCode + cmap.glyphIndices.length - 1];
  else if (cmap.version === 12 || cmap.version === 13)
    for (let i = 0; i < cmap.nGroups; i++) {
      const { startCharCode, endCharCode } = cmap.groups.get(i);
      yield [startCharCode, Math.min(endCharCode, LAST_CHARACTER)];
    }
  else throw invalid('The font must have a table of Unicode characters.');
}

const isText = (char: number): boolean => char >= 0x20 && (char < 0xd800 || char >= 0xe000);

/** Glyphs of the characters that have one. */
function glyphsOf(font: OpenedFont): Map<number, number> {
  const count = font.maxp?.numGlyphs ?? 0;
  const glyphs = new Map<number, number>();
  for (const [first, last] of claimedRanges(font))
    for (let char = first; char <= last; char++) {
      if (!isText(char) || glyphs.has(char)) continue;
      const glyph = font._cmapProcessor.lookup(char);
      if (glyph > 0 && glyph < count) glyphs.set(char, glyph);
      if (glyphs.size > MAX_CHARACTERS)
        throw new FontError('too_large', `A font has at most ${MAX_CHARACTERS} characters.`);
    }
  if (glyphs.size === 0) throw invalid('The font must have glyphs for characters.');
  return glyphs;
}

/** Advances of the characters that have a glyph. */
function widthsOf(font: OpenedFont): FontWidths {
  // fontkit has no value for tables that it cannot read.
  if (!font.head || !font.hhea || !font.maxp) throw damaged();
  const { unitsPerEm } = font.head;
  if (unitsPerEm < 16 || unitsPerEm > 16_384) throw invalid('The font must have 16 to 16384 units per em.');
  const advance = advancesOf(font);
  const glyphs = glyphsOf(font);
  const codePoints = Buffer.alloc(glyphs.size * 4);
  const advances = Buffer.alloc(glyphs.size * 2);
  [...glyphs.keys()]
    .sort((a, b) => a - b)
    .forEach((char, i) => {
      codePoints.writeUInt32LE(char, i * 4);
      advances.writeUInt16LE(advance(glyphs.get(char)!), i * 2);
    });
  return { unitsPerEm, codePoints, advances };
}

/**
 * Names, weight and advances of a font. Reads no outlines and runs none of the font's substitution or positioning rules, whose cost a
 * file can choose. The caller bounds time and memory.
 * @throws FontError
 */
export function parseFont(bytes: Uint8Array): { facts: FontFacts; widths: FontWidths } {
  try {
    const font = open(bytes);
    const widths = widthsOf(font);
    return { facts: { ...factsOf(font), characters: widths.advances.byteLength / 2 }, widths };
  } catch (error) {
    if (error instanceof FontError) throw error;
    throw damaged();
  }
}
