import { withCategories } from '../core/plural-categories';
import { formatOf } from '../formats';

/** The plural forms of Czech, as services pass them. */
const plural = { count: 3, formula: '(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2' };
const head = '<?xml version="1.0"?>\n';

/** Czech files with the plural forms of a two-form language, and their parsed targets. */
const FILES: readonly (readonly [format: string, content: string, target: readonly string[]])[] = [
  [
    'aresource',
    `${head}<resources>\n  <plurals name="p">\n    <item quantity="one">x</item>\n    <item quantity="other">y</item>\n  </plurals>\n</resources>\n`,
    ['x', '', 'y'],
  ],
  ['i18nextv4', '{\n "p_one":"x",\n "p_other":"y"\n}\n', ['x', '', 'y']],
  ['i18next', '{\n "p":"x",\n "p_plural":"y"\n}\n', ['x', 'y', '']],
  ['go-i18n-json', '[{"id":"p","translation":{"one":"x","other":"y"}}]\n', ['x', '', 'y']],
  ['go-i18n-json-v2', '{"p":{"one":"x","other":"y"}}\n', ['x', '', 'y']],
  ['ruby-yaml', 'cs:\n  p:\n    one: x\n    other: y\n', ['x', '', 'y']],
  ['gwt', 'p=y\np[one]=x\n', ['x', '', 'y']],
  [
    'stringsdict',
    `${head}<plist version="1.0"><dict><key>p</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@v@</string><key>v</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string><key>NSStringFormatValueTypeKey</key><string>d</string><key>one</key><string>x</string><key>other</key><string>y</string></dict></dict></dict></plist>\n`,
    ['x', '', 'y'],
  ],
  [
    'xcstrings',
    '{"sourceLanguage":"en","strings":{"p":{"localizations":{"cs":{"variations":{"plural":{"one":{"stringUnit":{"state":"translated","value":"x"}},"other":{"stringUnit":{"state":"translated","value":"y"}}}}}}}},"version":"1.0"}\n',
    ['x', '', 'y'],
  ],
  ['laravel', "<?php\nreturn ['p' => 'x|y'];\n", ['x', 'y']],
];

describe.each(FILES)('a file of the format %s with two forms', (id, content, target) => {
  const open = (bytes: Buffer) => formatOf(id).parse(bytes, { language: 'cs', plural });

  it('a file with two forms has its forms at the positions of the language', () => {
    expect(open(Buffer.from(content)).units.at(-1)?.target).toEqual(target);
  });

  it('a file with two forms accepts all forms of the language and keeps its bytes for unchanged forms', () => {
    const file = open(Buffer.from(content));
    const { index, context, target: before } = file.units.at(-1)!;
    expect(file.apply([{ op: 'set', index, target: before }]).toString()).toBe(content);
    const again = open(file.apply([{ op: 'set', index, target: ['A', 'B', 'C'] }]));
    expect(again.units).toHaveLength(file.units.length);
    expect(again.units.at(-1)).toMatchObject({ context, target: ['A', 'B', 'C'] });
  });
});

it('the file of a new language accepts all plural forms of the language', () => {
  for (const [id, content] of FILES.filter(([format]) => !['aresource', 'xcstrings', 'laravel'].includes(format))) {
    const made = formatOf(id).createTranslation(Buffer.from(content), { language: 'cs', plural, sourceLanguage: 'en' });
    const file = formatOf(id).parse(made, { language: 'cs', plural });
    const { index } = file.units.at(-1)!;
    const written = file.apply([{ op: 'set', index, target: ['A', 'B', 'C'] }]);
    expect([id, formatOf(id).parse(written, { language: 'cs', plural }).units.at(-1)!.target]).toEqual([
      id,
      ['A', 'B', 'C'],
    ]);
  }
});

it.each([
  ['en', 2, 'n != 1', ['one', 'other']],
  ['fr', 2, 'n > 1', ['one', 'other']],
  ['ja', 1, '0', ['other']],
  ['cs_CZ', 3, '(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2', ['one', 'few', 'other']],
  ['pl', 3, 'n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2', ['one', 'few', 'many']],
  ['lv', 3, 'n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2', ['one', 'other', 'zero']],
  [
    'ar',
    6,
    'n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5',
    ['zero', 'one', 'two', 'few', 'many', 'other'],
  ],
  ['x-nobody', 2, 'n != 1', ['one', 'other']],
  ['en', 2, 'nonsense', undefined],
] as const)('withCategories names the plural forms of %s', (language, count, formula, names) => {
  expect(withCategories({ count, formula }, language)?.names).toEqual(names);
});
