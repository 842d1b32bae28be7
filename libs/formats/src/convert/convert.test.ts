import { converterInfo, converters, convert, isConverterAvailable, leftOut, type ConvertUnit } from './convert';
import { formatOf } from '../formats';

const plural = { count: 3, formula: 'n==1 ? 0 : n>=2 && n<=4 ? 1 : 2', names: ['one', 'few', 'other'] };
const options = { language: 'cs', sourceLanguage: 'en', plural, name: 'demo' };
const units: ConvertUnit[] = [
  {
    context: 'menu',
    source: ['Open & "go"'],
    target: ['Otevřít <b>\n'],
    state: 'translated',
    note: 'why',
    location: 'a.c:1, b.c:2',
  },
  {
    context: 'files',
    source: ['%d file', '%d files'],
    target: ['%d soubor', '%d soubory', '%d souborů'],
    state: 'fuzzy',
    flags: ['c-format'],
  },
  { context: 'none', source: ['Nothing'], target: [''], state: 'empty', suggestions: ['Nic'] },
  { context: 'sum', source: ['=1'], target: ['=1+1'], state: 'approved' },
];
const reader: Record<string, string> = { xliff: 'poxliff', xliff11: 'plainxliff', 'csv-multi': 'csv-multi-utf-8' };

describe.each(converters)('the download format $id', ({ id, plurals }) => {
  it('the download format keeps the plural forms that its table row declares', () => {
    const finished = units.map((unit): ConvertUnit => ({ ...unit, state: 'translated' }));
    const forms = ['%d soubor', '%d soubory', '%d souborů'];
    const file = formatOf(reader[id] ?? id).parse(convert(id, finished, options), { language: 'cs', plural });
    const found = file.units.map(({ target }) => target.filter((text) => text.startsWith('%d')));
    expect(found.filter((texts) => texts.length > 0)).toEqual(
      { all: [forms], apart: forms.map((text) => [text]), first: [forms.slice(0, 1)], last: [forms.slice(-1)] }[
        plurals
      ],
    );
  });

  it('the download format can be parsed again', () => {
    const format = formatOf(reader[id] ?? id);
    const file = format.parse(convert(id, units, options), { language: 'cs' });
    const texts = file.units.flatMap((unit) => unit.target);
    expect(texts).toContain('=1+1');
    if (id !== 'mo') expect(texts.some((text) => text.startsWith('%d soubor'))).toBe(true);
  });

  it('the download format can be written without strings', () => {
    const format = formatOf(reader[id] ?? id);
    expect(format.parse(convert(id, [], options), { language: 'cs' }).units).toEqual([]);
  });
});

it('a PO download has all metadata of its strings', () => {
  const file = formatOf('po').parse(convert('po', units, options));
  expect(file.units).toHaveLength(4);
  expect(file.units[0]).toMatchObject({
    context: 'menu',
    note: 'why',
    location: 'a.c:1, b.c:2',
    target: ['Otevřít <b>\n'],
  });
  expect(file.units[1]).toMatchObject({
    state: 'fuzzy',
    flags: ['c-format'],
    target: ['%d soubor', '%d soubory', '%d souborů'],
  });
  expect(file.units[2]?.comment).toContain('Nic');
  expect(file.metadata.plural?.count).toBe(3);
});

it('an Android download keeps lists', () => {
  const items = ['b c[1]', 'b c[0]', 'd[0].e'].map((context): ConvertUnit => ({
    ...units[0]!,
    context,
    target: [context],
  }));
  const file = formatOf('aresource').parse(convert('aresource', items, options));
  expect(file.units.map(({ context, target }) => [context, target[0]])).toEqual([
    ['d_0_.e', 'd[0].e'],
    ['b_c[0]', 'b c[0]'],
    ['b_c[1]', 'b c[1]'],
  ]);
});

it('a download keeps both strings if the key of one is a prefix of the other', () => {
  const keys = ['menu.open', 'menu', 'menu.save.as', 'list.x', 'list[0]', 'list[1]', 'b[0].c', 'b[1].c'];
  const clashing = keys.map((context): ConvertUnit => ({ ...units[0]!, context, target: [context] }));
  const written = convert('json-nested', clashing, options);
  const file = formatOf('json-nested').parse(written, options);
  expect(new Map(file.units.map(({ context, target }) => [context, target[0]]))).toEqual(
    new Map(keys.map((key) => [key, key])),
  );
  expect(JSON.parse(written.toString())).toMatchObject({
    menu: 'menu',
    list: { x: 'list.x' },
    b: [{ c: 'b[0].c' }, {}],
  });
});

describe('the keys of strings without one', () => {
  const unit = (context: string, source: string, target: string): ConvertUnit => ({
    context,
    source: [source],
    target: [target],
    state: 'translated',
  });
  const read = (id: string, bytes: Buffer): [string, string | undefined][] =>
    formatOf(id)
      .parse(bytes, { language: 'cs', monolingual: true })
      .units.map(({ context, target }) => [context, target[0]]);

  it.each(['json', 'json-nested', 'strings'])('the keys of strings without a key are their sources in %s', (id) => {
    const some = [unit('', 'Hello. World [1]', 'a'), unit('', 'menu', 'b'), unit('menu.x', 'X', 'c')];
    expect(read(id, convert(id, some, options)).sort()).toEqual([
      ['Hello. World [1]', 'a'],
      ['menu', 'b'],
      ['menu.x', 'c'],
    ]);
  });

  it('the keys of strings without a key are distinct names in Android resources', () => {
    const some = [
      unit('', 'Hi, you [1]', 'a'),
      unit('', 'Hi (you) [1]', 'b'),
      unit('', '1 file', 'c'),
      unit('', '!', 'd'),
    ];
    expect(read('aresource', convert('aresource', some, options))).toEqual([
      ['Hi_you_1_', 'a'],
      ['Hi_you_1__2', 'b'],
      ['_1_file', 'c'],
      ['_', 'd'],
    ]);
  });

  it('the keys of strings without a key include the context if the source is not unique', () => {
    const some = [
      unit('menu', 'Open', 'a'),
      unit('menu', 'Close', 'b'),
      unit('x', 'X', 'c'),
      unit('', 'Y', 'd'),
      unit('Y', 'Z', 'e'),
    ];
    expect(JSON.parse(convert('json', some, options).toString())).toEqual({
      'menu\u0004Open': 'a',
      'menu\u0004Close': 'b',
      x: 'c',
      Y: 'd',
      'Y\u0004Z': 'e',
    });
  });

  it('the keys of strings without a key may repeat only with the same text', () => {
    const same = [unit('', 'a', 'x'), unit('', 'a', 'x')];
    expect(read('json', convert('json', same, options))).toEqual([['a', 'x']]);
    expect(() => convert('json', [...same, unit('', 'a', 'y')], options)).toThrow('string "a": another string');
  });
});

it('a download omits and reports untranslated strings if applications would show the blank text', () => {
  const none = [units[2] as ConvertUnit];
  const left = converters.filter(({ id }) => leftOut(id, units).some(({ context }) => context === 'none'));
  expect(left.map(({ id }) => id)).toEqual(['mo', 'tmx', 'aresource', 'strings']);
  expect(JSON.parse(convert('json', none, options).toString())).toEqual({ none: '' });
  expect(() => leftOut('pdf', units)).toThrow('pdf');
});

it('an Android download writes a plural with one form as a plural', () => {
  const files = [{ ...(units[1] as ConvertUnit), target: ['%d'] }];
  const japanese = { language: 'ja', sourceLanguage: 'en', name: 'demo', plural: { count: 1, formula: '0' } };
  expect(convert('aresource', files, japanese).toString()).toContain('<item quantity="other">%d</item>');
});

it.each(['json', 'json-nested', 'strings'])('a download as %s rejects plurals if all forms are required', (id) => {
  const all = { ...options, allForms: true };
  expect(() => convert(id, units, all)).toThrow('string "files"');
  expect(() => convert(id, [{ ...(units[1] as ConvertUnit), target: ['%d'] }], all)).not.toThrow();
});

it('a CSV download guards texts that look like formulas', () => {
  expect(convert('csv', units, options).toString()).toContain(",'=1,'=1+1,");
});

it('each kind of component has its download formats', () => {
  expect(isConverterAvailable('mo', 'po', false)).toBe(true);
  expect(isConverterAvailable('mo', 'json', true)).toBe(false);
  expect(isConverterAvailable('json', 'json', false)).toBe(false);
  expect(isConverterAvailable('aresource', 'json', true)).toBe(true);
  expect(isConverterAvailable('pdf', 'po', true)).toBe(false);
  expect(converterInfo('po')?.mediaType).toBe('text/x-po');
});

it('a failed download names the string that the format cannot represent', () => {
  const many = Array.from({ length: 20 }, (_, i): ConvertUnit => ({ ...units[0]!, context: `key${i}`, target: ['x'] }));
  const odd = many.with(13, { ...many[13]!, target: ['x\u0001'] });
  expect(() => convert('aresource', odd, options)).toThrow('string "key13"');
});

it('a download drops characters that files cannot contain', () => {
  const odd = [{ ...units[0]!, target: ['a\0b\ud800c'] }];
  for (const { id } of converters) {
    const file = formatOf(reader[id] ?? id).parse(convert(id, odd, options), { language: 'cs' });
    expect(file.units.at(-1)?.target).toEqual(['abc']);
  }
});
