import { formatContract } from '../testing/contract';
import { wholeXml } from '../testing/readers';
import { aresource, cmpResource, mokoResource } from './android';

const content = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE resources [
    <!ENTITY app "Example">
]>
<resources xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2">
    <!-- A section -->

    <!-- greets -->
    <string name="hello">Hello, \\'you\\' of &app; &amp; all</string>
    <string name="rich">A <b>bold</b> <xliff:g id="x">%s</xliff:g></string>
    <string name="cdata"><![CDATA[<a href="x">y</a>]]></string>
    <string name="quoted">"  two  blanks "</string>
    <string name="fixed" translatable="false">no</string>
    <string name="escaped">see &lt;b&gt;\\n
        next \\u00e9</string>
    <string-array name="list">
        <item>first</item>
        <item>second</item>
    </string-array>
    <plurals name="files">
        <item quantity="one">%d file</item>
        <item quantity="other">%d files</item>
    </plurals>
    <string name="none"/>
</resources>
`;
const targets = [
  ["Hello, 'you' of &app; & all"],
  ['A <b>bold</b> <xliff:g id="x">%s</xliff:g>'],
  ['<![CDATA[<a href="x">y</a>]]>'],
  ['  two  blanks '],
  ['no'],
  ['see <b>\n next é'],
  ['first'],
  ['second'],
  ['%d file', '%d files'],
  [''],
];
const broken = [
  { name: 'a wrong closing tag', content: '<resources>\n<string name="a">x</strin>\n</resources>', line: 2 },
  { name: 'nested elements', content: `<resources>\n${'<a>'.repeat(100_000)}`, line: 2 },
  { name: 'an unknown entity', content: '<resources>\n<string name="a">&x;</string>\n</resources>', line: 2 },
  { name: 'another root', content: '<html/>', line: 1 },
  { name: 'no element', content: '', line: 1 },
];
const marked = {
  name: 'kinds of markup, attributes and lists',
  content: `<?xml version="1.0" encoding="utf-8"?>
<resources xmlns:tools="http://schemas.android.com/tools" xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2">
    <string name="a" formatted="false" tools:ignore="Typo"><![CDATA[<b>A</b>]]></string>
    <string name="b">&lt;b>B&lt;/b></string>
    <string name="c">Hi <xliff:g id="who" example="Ana">%s</xliff:g></string>
    <string name="d">"it's  d"</string>
    <plurals name="e" tools:ignore="MissingQuantity">
        <item quantity="one">&lt;i>one&lt;/i></item>
        <item quantity="other">other</item>
    </plurals>
    <string-array name="f" translatable="true">
        <item>x</item>
        <item><![CDATA[y]]></item>
    </string-array>
</resources>
`,
};
const items = {
  name: 'items',
  content: `<resources>
    <item type="dimen" name="size">7dp</item>
    <string name="a">A</string>
    <item name="b" type="string" format="string">It\\'s</item>
    <item type="string" name="c" translatable="false">no</item>
</resources>
`,
  targets: [['A'], ["It's"], ['no']],
};
const carries = { files: [marked], whole: wholeXml };
formatContract(aresource, {
  samples: [{ name: 'resources', content, targets }, items],
  broken,
  carries: { files: [marked, items], whole: wholeXml },
});
formatContract(cmpResource, {
  carries,
  samples: [
    {
      name: 'resources',
      content: `<resources>\n    <string name="a">it's\\n "x" &lt;</string>\n</resources>\n`,
      targets: [['it\'s\n "x" <']],
    },
  ],
});
formatContract(mokoResource, {
  samples: [
    {
      name: 'plurals',
      content: `<resources>\n    <plural name="a">\n        <item quantity="one">x</item>\n    </plural>\n</resources>\n`,
      targets: [['x']],
    },
  ],
});

it('Android files keep entity references verbatim', () => {
  const text = '<!DOCTYPE resources [<!ENTITY app "Example">]><resources><string name="a">&app; 1</string></resources>';
  expect(aresource.parse(Buffer.from(text)).units[0]?.target).toEqual(['&app; 1']);
});

describe('Android lists', () => {
  const add = (text: string, ...strings: [context: string, text: string][]): string =>
    aresource
      .parse(Buffer.from(text))
      .apply(strings.map(([context, target]) => ({ op: 'add', context, source: [context], target: [target] })))
      .toString();

  it('Android lists are created and extended item by item, with blank items for gaps', () => {
    const made = add('<resources>\n</resources>\n', ['l[0]', 'a'], ['s', 'x']);
    expect(made).toBe(
      '<resources>\n    <string name="s">x</string>\n    <string-array name="l">\n        <item>a</item>\n    </string-array>\n</resources>\n',
    );
    expect(add(made, ['l[2]', "c's"])).toBe(
      made.replace('a</item>\n', "a</item>\n        <item></item>\n        <item>c\\'s</item>\n"),
    );
  });

  it('Android lists require a name', () =>
    expect(() => add('<resources/>', ['l[0][1]', 'x'])).toThrow('a resource name cannot hold'));
});

it('Android files store plural forms in CLDR order', () => {
  const plural = { count: 3, formula: 'n', names: ['one', 'few', 'other'] };
  const file = aresource.parse(Buffer.from(content), { plural });
  const unit = file.units.find(({ context }) => context === 'files');
  const out = file
    .apply([{ op: 'set', index: unit?.index ?? -1, target: ['%d soubor', '%d soubory', '%d souborů'] }])
    .toString();
  expect(out).toContain(
    'soubor</item>\n        <item quantity="few">%d soubory</item>\n        <item quantity="other">%d souborů',
  );
});

it('Android files keep the quotes around a text and the blanks in them', () => {
  const file = aresource.parse(Buffer.from(`<resources><string name="a">"  It's "</string></resources>`));
  expect(file.units[0]?.target).toEqual(["  It's "]);
  const target = ['  It\'s "so" \\ <\nnew '];
  const out = file.apply([{ op: 'set', index: 0, target }]);
  expect(out.toString()).toContain(`>"  It's \\"so\\" \\\\ &lt;\\nnew "<`);
  expect(aresource.parse(out).units[0]?.target).toEqual(target);
});

it('a string that is added to an Android file gets markup, attributes and namespaces of the base', () => {
  const base = Buffer.from(marked.content);
  const file = aresource.parse(Buffer.from('<resources>\n  <string name="z">Z</string>\n</resources>\n'));
  const add = (context: string, text: string) => ({ op: 'add', context, source: [context], target: [text] }) as const;
  const changes = [add('b', '<b>X</b>'), add('c', 'Ahoj <xliff:g id="who">%s</xliff:g>'), add('f[1]', '<![CDATA[Y]]>')];
  expect(file.apply(changes, base).toString()).toBe(
    `<resources xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2">
  <string name="z">Z</string>
  <string name="b">&lt;b>X&lt;/b></string>
  <string name="c">Ahoj <xliff:g id="who">%s</xliff:g></string>
  <string-array name="f" translatable="true">
    <item></item>
    <item><![CDATA[Y]]></item>
  </string-array>
</resources>
`,
  );
});

it('a plural that is added to an Android file has the forms of the language in the style of the base', () => {
  const plural = { count: 3, formula: 'n==1 ? 0 : n%10>=2 && n%10<=4 ? 1 : 2', names: ['one', 'few', 'many'] };
  const file = aresource.parse(Buffer.from('<resources>\n</resources>\n'), { language: 'pl', plural });
  const target = ['<i>a</i>', '<i>b</i>', 'c'];
  const written = file.apply(
    [{ op: 'add', context: 'e', source: ['one', 'other'], target }],
    Buffer.from(marked.content),
  );
  expect(written.toString()).toBe(
    `<resources xmlns:tools="http://schemas.android.com/tools">
    <plurals name="e" tools:ignore="MissingQuantity">
        <item quantity="one">&lt;i>a&lt;/i></item>
        <item quantity="few">&lt;i>b&lt;/i></item>
        <item quantity="many">c</item>
    </plurals>
</resources>
`,
  );
});
