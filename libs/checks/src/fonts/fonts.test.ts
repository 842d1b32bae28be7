import { findFace } from './faces';
import { textWidth } from './text-width';

const width = (text: string, family = '', weight = ''): number => textWidth(text, findFace(family, weight));

describe('the width of a text', () => {
  it('is that of the glyphs of the font, in parts of the font size', () => {
    // Advances of Noto Sans in its tables: 0.741 for H, 0.258 for i and l, 0.572 for a.
    expect(width('H')).toBeCloseTo(0.741, 3);
    expect(width('Hil')).toBeCloseTo(0.741 + 2 * 0.258, 3);
    expect(width('')).toBe(0);
  });

  it('depends on family and weight', () => {
    expect(width('Settings', 'Noto Serif')).not.toBeCloseTo(width('Settings'), 2);
    expect(width('Settings', '', 'bold')).toBeGreaterThan(width('Settings'));
    expect(width('Settings', '', '700')).toBe(width('Settings', '', 'Bold'));
    expect(width('iiii', 'monospace')).toBeCloseTo(width('WWWW', 'mono'), 5);
    expect(width('Settings', 'Unknown Face')).toBe(width('Settings', 'sans'));
  });

  it('includes kerning', () => {
    expect(width('AV')).toBeLessThan(width('A') + width('V'));
  });

  it('is known for all scripts of the fonts, and for characters that are composed', () => {
    for (const [base, other] of [
      ['ě', 'e'],
      ['ő', 'o'],
      ['ế', 'e'],
    ] as const)
      expect(width(other) / width(base)).toBeCloseTo(1, 1);
    expect(width('e\u030c')).toBeCloseTo(width('ě'), 1);
    for (const char of ['Ж', 'ґ', 'Ω', 'ἄ', 'ữ']) expect(width(char)).not.toBe(0.6);
  });

  it('is an em for East Asian characters and pictographs, and nothing for marks', () => {
    expect(width('漢字')).toBe(2);
    expect(width('😀')).toBe(1);
    expect(width('\u200b\u2060')).toBeCloseTo(0, 5);
  });

  it('is measured for any text, in time that grows with its length', () => {
    for (let i = 0; i < 300; i++) {
      const text = Array.from({ length: 8 }, (_, k) => String.fromCodePoint(((i * 8 + k) * 457) % 0xd800)).join('');
      expect(Number.isFinite(width(text))).toBe(true);
    }
    expect(width('x'.repeat(4000))).toBeCloseTo(4000 * width('x'), -1);
  });
});
