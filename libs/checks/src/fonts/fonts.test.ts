import { failingChecks } from '../testing/failing-checks';
import { findFace } from './faces';
import { ProjectFonts, UploadedFont, type FontWidths } from './project-fonts';
import { textWidth } from './text-width';

const width = (text: string, family = '', weight = ''): number => textWidth(text, findFace(family, weight));

describe('the width of a text', () => {
  it('the width of a text is that of the glyphs of the font, in parts of the font size', () => {
    // Advances of Noto Sans in its tables: 0.741 for H, 0.258 for i and l, 0.572 for a.
    expect(width('H')).toBeCloseTo(0.741, 3);
    expect(width('Hil')).toBeCloseTo(0.741 + 2 * 0.258, 3);
    expect(width('')).toBe(0);
  });

  it('the width of a text depends on family and weight', () => {
    expect(width('Settings', 'Noto Serif')).not.toBeCloseTo(width('Settings'), 2);
    expect(width('Settings', '', 'bold')).toBeGreaterThan(width('Settings'));
    expect(width('Settings', '', '700')).toBe(width('Settings', '', 'Bold'));
    expect(width('iiii', 'monospace')).toBeCloseTo(width('WWWW', 'mono'), 5);
    expect(width('Settings', 'Unknown Face')).toBe(width('Settings', 'sans'));
    expect(width('Settings', '', 'constructor')).toBe(width('Settings'));
  });

  it('the width of a text includes kerning', () => {
    expect(width('AV')).toBeLessThan(width('A') + width('V'));
  });

  it('the width of a text is known for all scripts of the fonts, and for characters that are composed', () => {
    for (const [base, other] of [
      ['ě', 'e'],
      ['ő', 'o'],
      ['ế', 'e'],
    ] as const)
      expect(width(other) / width(base)).toBeCloseTo(1, 1);
    expect(width('e\u030c')).toBeCloseTo(width('ě'), 1);
    for (const char of ['Ж', 'ґ', 'Ω', 'ἄ', 'ữ']) expect(width(char)).not.toBe(0.6);
  });

  it('the width of a text is an em for East Asian characters and pictographs, and 0 for marks', () => {
    expect(width('漢字')).toBe(2);
    expect(width('😀')).toBe(1);
    expect(width('\u200b\u2060')).toBeCloseTo(0, 5);
  });

  it('the width of a text is measured for any text, in time that grows with its length', () => {
    for (let i = 0; i < 300; i++) {
      const text = Array.from({ length: 8 }, (_, k) => String.fromCodePoint(((i * 8 + k) * 457) % 0xd800)).join('');
      expect(Number.isFinite(width(text))).toBe(true);
    }
    expect(width('x'.repeat(4000))).toBeCloseTo(4000 * width('x'), -1);
  });
});

/** A font whose letters have the same advance, in thousandths of the font size. */
function font(id: number, letters: string, advance: number, fields: Partial<FontWidths> = {}): UploadedFont {
  const points = [...letters].map((letter) => letter.codePointAt(0)!).sort((a, b) => a - b);
  const codePoints = Buffer.alloc(points.length * 4);
  const advances = Buffer.alloc(points.length * 2);
  points.forEach((point, i) => {
    codePoints.writeUInt32LE(point, i * 4);
    advances.writeUInt16LE(advance, i * 2);
  });
  const face = { family: 'Source Sans', weight: 400, italic: false, unitsPerEm: 1000 };
  return new UploadedFont({ id, ...face, codePoints, advances, ...fields });
}

describe('fonts of a project', () => {
  const measured = (text: string, fonts: UploadedFont[], family = 'Source Sans', weight = '') =>
    textWidth(text, findFace(family, weight, new ProjectFonts(fonts)));

  it('fonts of a project measure texts by the advances of their characters', () => {
    expect(measured('abc😀', [font(1, 'abc😀', 250)])).toBe(1);
    expect(measured('aab', [font(2, 'ab', 100)])).toBeCloseTo(0.3, 5);
  });

  it('fonts of a project leave missing characters to the built-in font of the same name, or the default one', () => {
    const fonts = [font(3, 'ab', 500), font(4, 'ab', 500, { family: 'Noto Sans Mono' })];
    expect(measured('aWb', fonts)).toBeCloseTo(1 + width('W'), 5);
    expect(measured('aib', fonts, 'Noto Sans Mono')).toBeCloseTo(1 + width('i', 'monospace'), 5);
  });

  it('fonts of a project are chosen by family however it is written, and by the nearest weight', () => {
    const fonts = [font(5, 'a', 100, { weight: 300 }), font(6, 'a', 200), font(7, 'a', 300, { weight: 700 })];
    expect(['source-sans', 'SourceSans'].map((name) => measured('a', fonts, name))).toEqual([0.2, 0.2]);
    expect(['light', '100', '500', 'bold', '900'].map((weight) => measured('a', fonts, 'Source Sans', weight))).toEqual(
      [0.1, 0.1, 0.2, 0.3, 0.3],
    );
    expect(measured('a', fonts, 'Other')).toBe(width('a'));
    expect(measured('a', [font(8, 'a', 100, { family: '☆' })], '')).toBe(width('a'));
  });

  it('fonts of a project count upright before italic, and the newest of two that are alike', () => {
    expect(measured('a', [font(9, 'a', 100, { italic: true }), font(10, 'a', 200, { weight: 900 })])).toBe(0.2);
    expect(measured('a', [font(12, 'a', 400), font(11, 'a', 300)])).toBe(0.4);
  });

  it('fonts of a project decide about max-size', () => {
    const fonts = new ProjectFonts([font(13, 'Ahoj', 2000)]);
    const failing = (flagText: string) => failingChecks('Hello', 'Ahoj', { flagText, fonts });
    expect(failing('max-size:79, font-family:"Source Sans"')).toEqual(['max-size']);
    expect(failing('max-size:80, font-family:"Source Sans"')).toEqual([]);
    expect(failing('max-size:79')).toEqual([]);
  });
});
