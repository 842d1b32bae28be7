import { wholeXml } from '../testing/readers';
import { ts } from './ts';

const TS = (body: string, language = 'de'): Buffer =>
  Buffer.from(`<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="${language}">
${body}</TS>
`);

describe('Qt translations with length variants', () => {
  const variants = TS(`<context>
    <name>c</name>
    <message>
        <source>Source</source>
        <translation variants="yes">
            <lengthvariant>A long one</lengthvariant>
            <lengthvariant>Short</lengthvariant>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n</source>
        <translation>
            <numerusform>one</numerusform>
            <numerusform variants="yes"><lengthvariant/><lengthvariant>%n long</lengthvariant></numerusform>
        </translation>
    </message>
</context>
`);
  const file = ts.parse(variants);
  const set = (index: number, ...target: string[]): Buffer => file.apply([{ op: 'set', index, target }]);

  it('Qt translations with length variants are parsed as the first variant, the longest one', () => {
    expect(file.units.map(({ target }) => target)).toEqual([['A long one'], ['one', '%n long']]);
  });

  it('Qt translations with length variants keep the other variants when the text changes', () => {
    const text = variants.toString();
    expect(set(0, 'neu & lang').toString()).toBe(text.replace('A long one', 'neu &amp; lang'));
    expect(set(1, 'one', 'x').toString()).toBe(text.replace('%n long', 'x'));
  });

  it('Qt translations with length variants are removed together and added again as a separate element', () => {
    const blank = set(0, '');
    expect(blank.toString()).toContain('<translation variants="yes"></translation>');
    const again = ts.parse(blank).apply([{ op: 'set', index: 0, target: ['neu'] }]);
    expect(again.toString()).toContain('<translation variants="yes"><lengthvariant>neu</lengthvariant></translation>');
    expect(ts.createTranslation(variants, { language: 'cs' }).toString()).not.toMatch(/Short|long/);
  });
});

describe('Qt files with message ids', () => {
  const add = (context: string, source = 'Two', target = 'neu') =>
    ({ op: 'add', context, source: [source], target: [target] }) as const;
  const message = (id: string, source: string): string =>
    `    <message id="${id}">\n        <source>${source}</source>\n        <translation>x</translation>\n    </message>\n`;
  const one = message('one_id', 'One');
  const two = message('two_id', 'Two');
  const keys = (bytes: Buffer): string[] => ts.parse(bytes).units.map(({ context }) => context);

  describe.each([
    ['in a context without a name', (body: string) => TS(`<context>\n    <name></name>\n${body}</context>\n`)],
    ['outside of contexts', (body: string) => TS(body)],
  ])('of kind %s', (_, ids) => {
    it.each([
      ['with a base', ids(one + two)],
      ['without one', undefined],
    ])('a Qt file with message ids stores a new message under its id, %s', (__, base) => {
      const written = ts.parse(ids(one)).apply([add('two_id')], base);
      expect(written.toString()).toBe(ids(one + two.replace('>x<', '>neu<')).toString());
      expect(() => ts.parse(written).apply([add('two_id')], base)).toThrow('already has this string');
      expect(() => ts.parse(written).apply([add('two_id', 'Other')], base)).toThrow('already has this string');
    });

    it('a Qt file with message ids can start with a message of the base', () => {
      const written = ts.parse(TS('')).apply([add('two_id')], ids(one + two));
      expect(wholeXml(written.toString())).toEqual(wholeXml(ids(two.replace('>x<', '>neu<')).toString()));
    });

    it('a Qt file with message ids stores a new message with a comment', () => {
      const written = ts.parse(ids(one)).apply([add('what it is\ntwo_id')]);
      expect(keys(written)).toEqual(['one_id', 'what it is\ntwo_id']);
      expect(written.toString()).toContain('<message id="two_id">');
      expect(written.toString()).toContain('<comment>what it is</comment>');
    });
  });

  it('Qt files with message ids restore removed messages completely from the base', () => {
    const base = TS(`<context>\n    <name></name>\n${one + two}</context>\n`);
    const none = ts.parse(base).apply([0, 1].map((index) => ({ op: 'remove', index })));
    expect(keys(ts.parse(none).apply([add('one_id', 'One'), add('two_id')], base))).toEqual(['one_id', 'two_id']);
    expect(
      ts
        .parse(none)
        .apply([add('two_id')])
        .toString(),
    ).toContain('<message id="two_id">');
  });

  it('Qt files with message ids do not affect files without ids', () => {
    const named = TS('<context>\n    <name>Main</name>\n</context>\n');
    expect(
      ts
        .parse(named)
        .apply([add('Other\nwhy')])
        .toString(),
    ).toContain('<name>Other</name>');
    expect(
      ts
        .parse(TS(''))
        .apply([add('Main')])
        .toString(),
    ).toContain('<name>Main</name>');
  });
});

describe('plural forms of Qt files', () => {
  const forms = (...texts: string[]): Buffer =>
    TS(
      `<context>\n    <name>c</name>\n    <message numerus="yes">\n        <source>%n</source>\n        <translation type="unfinished">\n` +
        `${texts.map((text) => `            <numerusform>${text}</numerusform>\n`).join('')}` +
        '        </translation>\n    </message>\n</context>\n',
      'ja',
    );
  const japanese = { language: 'ja', plural: { count: 1, formula: '0' } };

  it('the plural forms of a new Qt file match the number of forms of the language', () => {
    expect(ts.createTranslation(forms('a', 'b'), japanese)).toEqual(forms(''));
    expect(ts.createTranslation(forms('a', 'b'), { language: 'ja' })).toEqual(forms('', ''));
    const spread = TS(
      '<message numerus="yes"><source>%n</source><translation><numerusform>a</numerusform><numerusform/></translation></message>\n',
    );
    expect(ts.createTranslation(spread, japanese).toString()).toContain(
      '<translation type="unfinished"><numerusform></numerusform></translation>',
    );
  });

  it('plural forms of Qt files are removed if a text has fewer', () => {
    const file = ts.parse(forms('a', 'b'), japanese);
    expect(file.apply([{ op: 'set', index: 0, target: ['c'] }])).toEqual(forms('c'));
  });
});
