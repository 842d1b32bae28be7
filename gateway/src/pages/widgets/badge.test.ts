import { SaxesParser } from 'saxes';
import { languageChart, statusBadge } from './badge';

/** Texts, and names of elements and attributes of an SVG. @throws Error unless it is well-formed XML */
function parsed(svg: string): { texts: string[]; names: Set<string>; attributes: Set<string> } {
  const parser = new SaxesParser();
  const texts: string[] = [];
  const names = new Set<string>();
  const attributes = new Set<string>();
  parser.on('text', (text) => texts.push(text));
  parser.on('opentag', (tag) => {
    names.add(tag.name);
    for (const name of Object.keys(tag.attributes)) attributes.add(name);
  });
  parser.write(svg).close();
  return { texts, names, attributes };
}

describe('badges', () => {
  it.each([
    [0, '0%'],
    [0.1, '0%'],
    [99.9, '99%'],
    [100, '100%'],
  ])('%d percent are shown as %s', (percent, text) => {
    expect(parsed(statusBadge('translated', percent)).texts).toEqual([`translated: ${text}`, 'translated', text]);
  });

  it('the colour of a badge depends on the percentage', () => {
    const colours = [10, 70, 95].map((percent) => /<rect x="[^>]*fill="(#\w+)"/.exec(statusBadge('a', percent))![1]);
    expect(new Set(colours).size).toBe(3);
  });

  it.each([
    '</text><script>alert(1)</script>',
    '" onload="alert(1)',
    "' &amp; <![CDATA[",
    'a\u0000b\u001f\ud800\uffff',
  ])('the name %j is text of the image', (name) => {
    for (const svg of [statusBadge(name, 50), languageChart(name, [{ name, percent: 50 }])]) {
      const { texts, names, attributes } = parsed(svg);
      expect([...names].filter((n) => !['svg', 'title', 'clipPath', 'rect', 'g', 'text'].includes(n))).toEqual([]);
      expect([...attributes].filter((attribute) => attribute.startsWith('on'))).toEqual([]);
      // Characters that XML cannot represent become spaces.
      expect(texts).toContain(name.replace(/[\u0000\u001f\uffff]|\p{Cs}/gu, ' '));
    }
  });

  it('a chart has a row for each language, and is an image without languages, too', () => {
    const chart = languageChart('Status', [
      { name: 'Čeština', percent: 100 },
      { name: '日本語', percent: 33.3 },
    ]);
    expect(parsed(chart).texts).toEqual(['Status', 'Čeština', '100%', '日本語', '33%']);
    expect(parsed(languageChart('Status', [])).texts).toEqual(['Status']);
  });

  it('badges are wider for longer and for wide letters', () => {
    const width = (label: string) => Number(/width="(\d+)"/.exec(statusBadge(label, 50))![1]);
    expect(width('日本')).toBeGreaterThan(width('ab'));
    expect(width('abcdef')).toBeGreaterThan(width('ab'));
  });
});
