import { readTmx, TmxWriter } from './memory-file';

const tmx = (body: string, header = 'srclang="en"', head = '') =>
  Buffer.from(`<?xml version="1.0"?>\n${head}<tmx version="1.4"><header ${header}/><body>${body}</body></tmx>`);
const tuv = (language: string, text: string) => `<tuv xml:lang="${language}"><seg>${text}</seg></tuv>`;

describe('translation memory files', () => {
  it('translation memory files contain an entry for every pair of languages', () => {
    const file = tmx(`<tu>${tuv('de', 'Hallo')}${tuv('EN', 'Hello &amp; hi')}${tuv('pt-BR', 'Olá')}</tu>`);
    expect(readTmx(file)).toEqual([
      { source: 'Hello & hi', target: 'Hallo', sourceLanguage: 'EN', targetLanguage: 'de' },
      { source: 'Hello & hi', target: 'Olá', sourceLanguage: 'EN', targetLanguage: 'pt-BR' },
    ]);
  });

  it('translation memory files declare the source language in the unit, in the header or not at all', () => {
    const unit = (attributes: string) => `<tu ${attributes}>${tuv('cs', 'Ahoj')}${tuv('en', 'Hello')}</tu>`;
    expect(readTmx(tmx(unit('srclang="cs"')))[0]).toMatchObject({ source: 'Ahoj', target: 'Hello' });
    expect(readTmx(tmx(unit(''), 'srclang="*all*"'))[0]).toMatchObject({ source: 'Ahoj' });
    expect(readTmx(tmx(unit(''), 'srclang="*all*"'), { sourceLanguage: 'en' })[0]).toMatchObject({ source: 'Hello' });
  });

  it('translation memory files keep entries through writing and parsing', () => {
    const writer = new TmxWriter();
    const entries = [
      { source: 'a <b> & "c"', target: 'č\r\nd', sourceLanguage: 'en', targetLanguage: 'cs' },
      { source: 'x', target: 'y', sourceLanguage: 'de', targetLanguage: 'fr' },
    ];
    const text = writer.head + entries.map((entry) => writer.entry(entry)).join('') + writer.tail;
    expect(readTmx(Buffer.from(text))).toEqual(entries);
  });

  it('translation memory files are rejected beyond the limits', () => {
    const bomb =
      '<!DOCTYPE tmx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>';
    const read = readTmx(tmx(`<tu>${tuv('en', 'x')}${tuv('cs', '&c;')}</tu>`, 'srclang="en"', bomb));
    expect(read[0]!.target.length).toBeLessThan(10);
    expect(() => readTmx(Buffer.from('<tmx>'.repeat(1000)))).toThrow();
    const many = `<tu>${tuv('en', 'x')}${tuv('cs', 'y')}${tuv('de', 'z')}</tu>`;
    expect(() => readTmx(tmx(many), { limits: { maxUnits: 1 } })).toThrow('more than 1');
    expect(() => readTmx(tmx(many), { limits: { maxBytes: 20 } })).toThrow();
    expect(() => readTmx(Buffer.from('<html/>'))).toThrow('expected the element tmx');
    expect(() => readTmx(Buffer.from('no xml'))).toThrow();
  });
});
