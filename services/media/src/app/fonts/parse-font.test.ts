import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cmapTable, sampleFont, sampleWoff2, type SampleFont } from '@parlance/testing';
import { FontError } from '../../domain/font';
import { parseFont } from './parse-font';

const folder = join(dirname(require.resolve('@fontsource/noto-sans/package.json')), 'files');
const notoSans = (subset: string) => readFileSync(join(folder, `noto-sans-${subset}.woff2`));

/** Advances of the characters of a font, in units of the font. */
function advancesOf(bytes: Buffer): Record<string, number> {
  const { widths } = parseFont(bytes);
  const view = (part: Uint8Array) => new DataView(part.buffer, part.byteOffset, part.byteLength);
  const [codePoints, advances] = [view(widths.codePoints), view(widths.advances)];
  const entries = Array.from({ length: widths.advances.byteLength / 2 }, (_, i): [string, number] => [
    String.fromCodePoint(codePoints.getUint32(i * 4, true)),
    advances.getUint16(i * 2, true),
  ]);
  return Object.fromEntries(entries);
}

function refusal(bytes: Buffer): string {
  try {
    parseFont(bytes);
  } catch (error) {
    if (error instanceof FontError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return '';
}

const letters = { A: 600, b: 550, 中: 1000, '😀': 1200 };
const sample: SampleFont = { advances: letters };

describe('parseFont', () => {
  it.each([
    ['TTF', sampleFont(sample)],
    ['OTF', sampleFont(sample, [0x4f54544f])],
    ['WOFF2', sampleWoff2(sample)],
    ['WOFF2 with shortened metrics', sampleWoff2(sample, { transformed: true })],
  ])('parseFont reads the advances of the characters of a %s file', (_, bytes) => {
    expect(advancesOf(bytes)).toEqual(letters);
    expect(parseFont(bytes).facts.characters).toBe(4);
  });

  it('parseFont reads the fonts of a foundry', () => {
    const bold = parseFont(notoSans('latin-700-normal'));
    expect(bold.facts).toMatchObject({ family: 'Noto Sans', weight: 700, italic: false });
    expect(parseFont(notoSans('latin-400-italic')).facts).toMatchObject({ weight: 400, italic: true });
    // 0.741 for H and 0.258 for i, as the tables of the font say.
    expect(advancesOf(notoSans('latin-400-normal'))).toMatchObject({ H: 741, i: 258 });
  });

  it('parseFont names the typographic family, so that all weights of a typeface share one', () => {
    const names = { family: 'Source Sans Medium', typographicFamily: 'Source Sans', weight: 500 };
    expect(parseFont(sampleFont({ ...sample, ...names })).facts).toMatchObject({ family: 'Source Sans', weight: 500 });
    expect(parseFont(sampleFont({ ...sample, italic: true, style: 'Italic' })).facts.italic).toBe(true);
  });

  it('parseFont takes the weight of light fonts from their style, if they claim 250', () => {
    const weightOf = (style: string, weight: number) =>
      parseFont(sampleFont({ ...sample, style, weight })).facts.weight;
    expect([weightOf('Thin', 250), weightOf('ExtraLight', 250), weightOf('Book', 250)]).toEqual([100, 200, 250]);
    expect(weightOf('Thin', 150)).toBe(150);
    expect(parseFont(notoSans('latin-100-normal')).facts.weight).toBe(100);
  });

  it('parseFont drops control characters of names and cuts long ones', () => {
    expect(parseFont(sampleFont({ ...sample, family: ' Sam\u0000p\u202ele\n' })).facts.family).toBe('Sample');
    expect(parseFont(sampleFont({ ...sample, family: 'x'.repeat(500) })).facts.family).toHaveLength(200);
  });

  it('parseFont omits characters that refer to no glyph', () => {
    const cmap = cmapTable([
      [0x41, 0x43, 1],
      [0x44, 0x44, 9],
    ]);
    expect(advancesOf(sampleFont({ advances: { A: 1, B: 2 }, tables: { cmap } }))).toEqual({ A: 1, B: 2 });
  });

  it.each<[string, Buffer, string]>([
    ['a truncated file', sampleFont(sample).subarray(0, 200), 'invalid_font: The font is damaged and cannot be read.'],
    ['a truncated WOFF2 file', sampleWoff2(sample).subarray(0, 150), 'invalid_font: The font is damaged'],
    [
      'a file without characters',
      sampleFont({ ...sample, tables: { cmap: null } }),
      'invalid_font: The font is damaged',
    ],
    ['a file without metrics', sampleFont({ ...sample, tables: { hmtx: null } }), 'invalid_font: The font must have'],
    ['a file without a family', sampleFont({ ...sample, family: '\u0007 ' }), 'invalid_font: The font must name its'],
    ['a font without units', sampleFont({ ...sample, unitsPerEm: 0 }), 'invalid_font: The font must have 16 to'],
    [
      'a font that gives one glyph to more than 100 000 characters',
      sampleFont({
        ...sample,
        tables: { cmap: cmapTable(Array.from({ length: 110_000 }, (_, i) => [i + 64, i + 64, 1])) },
      }),
      'too_large: A font has at most 100000 characters.',
    ],
    ['characters without glyphs', sampleFont({ advances: {} }), 'invalid_font: The font must have glyphs'],
    [
      'a WOFF2 file that claims more than it may expand to',
      sampleWoff2(sample, { claimed: { name: 0x7fffffff } }),
      'too_large: The tables of a font have at most 32 MiB.',
    ],
  ])('parseFont refuses %s', (_, bytes, expected) => expect(refusal(bytes)).toContain(expected));

  it('parseFont refuses any damage with an error of its own', () => {
    const whole = sampleFont(sample);
    for (let at = 0; at < whole.length; at += 3) {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes[at]! ^ 0xff, at);
      expect(() => refusal(bytes)).not.toThrow();
    }
  });
});
