import { ts } from './ts';

const TS = (body: string, language = 'de'): Buffer =>
  Buffer.from(`<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="${language}">
${body}</TS>
`);

describe('translations in several lengths', () => {
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

  it('are read as the first one, which is the longest', () => {
    expect(file.units.map(({ target }) => target)).toEqual([['A long one'], ['one', '%n long']]);
  });

  it('keep the others where the text changes', () => {
    const text = variants.toString();
    expect(set(0, 'neu & lang').toString()).toBe(text.replace('A long one', 'neu &amp; lang'));
    expect(set(1, 'one', 'x').toString()).toBe(text.replace('%n long', 'x'));
  });

  it('go together, and come back in an element of their own', () => {
    const blank = set(0, '');
    expect(blank.toString()).toContain('<translation variants="yes"></translation>');
    const again = ts.parse(blank).apply([{ op: 'set', index: 0, target: ['neu'] }]);
    expect(again.toString()).toContain('<translation variants="yes"><lengthvariant>neu</lengthvariant></translation>');
    expect(ts.createTranslation(variants, { language: 'cs' }).toString()).not.toMatch(/Short|long/);
  });
});
