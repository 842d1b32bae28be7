import { converters, convert, type ConvertUnit } from '../convert/convert';
import { FormatError } from '../format';
import { formatOf } from '../formats';

const reader: Record<string, string> = { xliff: 'poxliff', xliff11: 'plainxliff', 'csv-multi': 'csv-multi-utf-8' };
const unit: ConvertUnit = { context: 'key', source: ['Open'], target: ['Otevřít'.repeat(10)], state: 'translated' };

/** The parsed file or the error. */
function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}

it.each(converters)('a text above the length limit is rejected in the format $id', ({ id }) => {
  const bytes = convert(id, [unit], { language: 'cs', sourceLanguage: 'en', name: 'x' });
  const format = formatOf(reader[id] ?? id);
  expect(format.parse(bytes, { limits: { maxText: 70 } }).units).toHaveLength(1);
  const error = attempt(() => format.parse(bytes, { limits: { maxText: 69 } }));
  expect(error).toBeInstanceOf(FormatError);
  expect(error).toMatchObject({ code: 'limit', message: 'a text of more than 69 characters' });
  expect((error as FormatError).line).toBeGreaterThan(0);
});

it('the length limit applies to all forms of a plural together', () => {
  const po = Buffer.from('msgid "a"\nmsgid_plural "b"\nmsgstr[0] "xx"\nmsgstr[1] "yy"\n');
  expect(attempt(() => formatOf('po').parse(po, { limits: { maxText: 3 } }))).toMatchObject({ code: 'limit', line: 1 });
  expect(formatOf('po').parse(po, { limits: { maxText: 4 } }).units).toHaveLength(1);
});

it('any number of strings can be removed in one change', () => {
  const count = 200_000;
  const bytes = Buffer.from(Array.from({ length: count }, (_, i) => `a${i}=b\n`).join(''));
  const file = formatOf('properties').parse(bytes);
  expect(file.apply(file.units.map(({ index }) => ({ op: 'remove', index }) as const))).toHaveLength(0);
});

it.each([
  ['php', '<?php $a = match (1) { 1 => 2 }; return [', (i: number) => `'k${i}' => 'v',`, '];'],
  ['php', "<?php return ['a' => function () { return 1; },", (i: number) => `'k${i}' => 'v',`, '];'],
  ['json', '{"a": [', (i: number) => `"v${i}", `, '"v"]}'],
  ['strings-utf8', '', (i: number) => `"k${i}" = "v"; `, ''],
  ['aresource', '<resources>', (i: number) => `<string name="k${i}">v</string>`, '</resources>'],
  ['toml', 'a = [', (i: number) => `["v${i}"], `, ']'],
  ['toml', '', (i: number) => `[[a]]\nb = "v${i}"\n`, ''],
  [
    'xliff2',
    '<xliff version="2.0" srcLang="en" trgLang="cs"><file id="f"><unit id="u">',
    (i: number) => `<segment><source>v${i}</source></segment>`,
    '</unit></file></xliff>',
  ],
] as const)(
  'a line or list with tens of thousands of strings can be parsed and emptied: %s %s',
  (id, head, item, tail) => {
    const count = 40_000;
    const bytes = Buffer.from(head + Array.from({ length: count }, (_, i) => item(i)).join('') + tail);
    const file = formatOf(id).parse(bytes);
    expect(file.units.length).toBeGreaterThanOrEqual(count);
    const rest = formatOf(id).parse(file.apply(file.units.map(({ index }) => ({ op: 'remove', index }) as const)));
    expect(rest.units).toHaveLength(0);
  },
);
