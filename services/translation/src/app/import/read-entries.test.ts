import { formatOf } from '@parlance/formats';
import { language, sampleComponent } from '../../../test/support/samples';
import type { Component } from '../../domain/component';
import { inlineFile } from '../files/parsed-file';
import { KeyFilter } from './key-filter';
import { readEntries } from './read-entries';

const filter = new KeyFilter();
async function read(content: string, settings: Partial<Component> = {}) {
  const component = sampleComponent(1, settings);
  const { code, pluralNumber: count, pluralFormula: formula } = language('cs');
  const file = formatOf(component.fileFormat).parse(Buffer.from(content), {
    language: code,
    sourceLanguage: 'en',
    plural: { count, formula },
    params: {},
    monolingual: component.template !== '',
  });
  return readEntries(component, inlineFile(file), filter);
}

describe('readEntries', () => {
  it('an entry of a bilingual file has its source and state', async () => {
    expect(await read('#, fuzzy\nmsgid "Hello"\nmsgstr "Ahoj"\n')).toMatchObject([
      { source: ['Hello'], target: ['Ahoj'], state: 10 },
    ]);
  });

  it('an entry of a monolingual file has a key and no source of its own', async () => {
    expect(await read('{"a": "Ahoj"}', { fileFormat: 'json', template: 'en.json' })).toMatchObject([
      { context: 'a', source: [], target: ['Ahoj'] },
    ]);
  });

  it('the first of several entries with the same key is kept', async () => {
    const twice = '"a" = "One";\n"a" = "Two";\n';
    expect(await read(twice, { fileFormat: 'strings', template: 'en.strings' })).toMatchObject([{ target: ['One'] }]);
  });

  it('key_filter selects the keys of monolingual files', async () => {
    const settings = { fileFormat: 'json', template: 'en.json', keyFilter: '^ui' };
    const entries = await read('{"ui.a": "A", "log.a": "B"}', settings);
    expect(entries.map(({ context }) => context)).toEqual(['ui.a']);
  });

  it.each([
    [true, 30],
    [false, 20],
  ])('a text that the file calls approved, with review %s, has the state %i', async (translationReview, state) => {
    const xliff = `<?xml version="1.0"?><xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en" target-language="cs" datatype="plaintext"><body><trans-unit id="1" approved="yes"><source>Hello</source><target state="final">Ahoj</target></trans-unit></body></file></xliff>`;
    expect(await read(xliff, { fileFormat: 'xliff', translationReview })).toMatchObject([{ state }]);
  });
});
