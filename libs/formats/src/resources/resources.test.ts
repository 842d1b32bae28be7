import type { ParseOptions } from '../format';
import { SaxesParser } from 'saxes';
import { formatContract, wholeXml } from '../testing/contract';
import { tbx, tmx } from '../terminology/terminology';
import { flatXml, resourceDictionary, resx } from './keyed-xml';
import { stringsdict } from './stringsdict';
import { ts } from './ts';

/** A property list with sorted dictionaries. */
const wholePlist = (text: string): unknown =>
  wholeXml(text.replace(/<key>([^<]*)<\/key>\s*<(\w+)>/g, '<$2 key="$1">').replace(/<!DOCTYPE[^>]*>/, ''));

formatContract(ts, {
  carries: {
    whole: wholeXml,
    files: [
      {
        name: 'places, comments and data of their own',
        content: `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="cs">
<context>
    <name>Main</name>
    <message id="x">
        <location filename="a.cpp" line="3"/>
        <source>One</source>
        <extracomment>why</extracomment>
        <translatorcomment>how</translatorcomment>
        <translation>Jedna</translation>
        <extra-loc>left</extra-loc>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <comment>count</comment>
        <translation><numerusform>a</numerusform><numerusform>b</numerusform></translation>
    </message>
    <message>
        <source>Last</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
`,
      },
    ],
  },
  samples: [
    {
      name: 'contexts',
      content: `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="cs_CZ">
<context>
    <name>Window</name>
    <message>
        <location filename="a.cpp" line="3"/>
        <source>It&apos;s &quot;x&quot;</source>
        <extracomment>why</extracomment>
        <translation type="unfinished">Je to</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>soubor</numerusform>
            <numerusform>soubory</numerusform>
        </translation>
    </message>
    <message>
        <source>gone</source>
        <translation type="vanished">pryč</translation>
    </message>
    <message>
        <source>open</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
`,
      targets: [['Je to'], ['soubor', 'soubory'], ['']],
    },
  ],
  broken: [{ name: 'another root', content: '\n<html/>', line: 2 }],
  inverse: false,
});
formatContract(resx, {
  carries: {
    whole: wholeXml,
    files: [
      {
        name: 'comments and types',
        content: `<?xml version="1.0" encoding="utf-8"?>
<root>
  <data name="a" xml:space="preserve" type="System.String, mscorlib">
    <value>A &amp; b</value>
    <comment>why
  indented</comment>
  </data>
  <data name="b" ext:max="7" xmlns:ext="urn:ext"><value>B</value></data>
</root>
`,
      },
    ],
  },
  samples: [
    {
      name: 'texts and objects',
      content: `<?xml version="1.0" encoding="utf-8"?>
<root>
  <resheader name="version"><value>2.0</value></resheader>
  <data name="a" xml:space="preserve">
    <value>x &lt;b&gt;</value>
    <comment>why</comment>
  </data>
  <data name="icon" type="System.Drawing.Bitmap" mimetype="application/x-microsoft.net.object.bytearray.base64"><value>AAAA</value></data>
  <data name="e"><value/></data>
</root>
`,
      targets: [['x <b>'], ['']],
    },
  ],
});
formatContract(flatXml, {
  carries: {
    whole: wholeXml,
    files: [
      {
        name: 'attributes',
        content: '<root>\n  <str key="a" max="5">A</str>\n  <str note="n" key="b">B &amp; b</str>\n</root>\n',
      },
    ],
  },
  samples: [
    {
      name: 'strings',
      content: '<root>\n  <str key="a">x</str>\n  <str key="b">y &amp; z</str>\n</root>\n',
      targets: [['x'], ['y & z']],
    },
  ],
});
formatContract(resourceDictionary, {
  carries: {
    whole: wholeXml,
    files: [
      {
        name: 'attributes',
        content: `<ResourceDictionary xmlns="http://schemas.microsoft.com/winfx/2006/xaml/presentation" xmlns:x="http://schemas.microsoft.com/winfx/2006/xaml" xmlns:s="clr-namespace:System;assembly=mscorlib">
    <s:String x:Key="a" xml:space="preserve"> A </s:String>
    <s:String x:Key="b" x:Uid="7">B</s:String>
</ResourceDictionary>
`,
      },
    ],
  },
  samples: [
    {
      name: 'strings',
      content:
        '<ResourceDictionary xmlns:x="u" xmlns:s="clr-namespace:System;assembly=mscorlib">\n    <s:String x:Key="a" xml:space="preserve">x</s:String>\n    <Style x:Key="b"/>\n</ResourceDictionary>\n',
      targets: [['x']],
    },
  ],
});
/** A property list according to an independent parser. */
function plistData(text: string): unknown {
  interface Element {
    name: string;
    text: string;
    children: Element[];
  }
  const root: Element = { name: '', text: '', children: [] };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    const element: Element = { name, text: '', children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (piece) => ((open.at(-1) as Element).text += piece));
  parser.on('closetag', () => open.pop());
  parser.write(text).close();
  const shown = ({ name, text: value, children }: Element): unknown => {
    if (name !== 'dict') return value;
    const pairs = children.flatMap((key, i) =>
      i % 2 === 0 ? [[key.text, shown(children[i + 1] as Element)] as const] : [],
    );
    return Object.fromEntries(pairs.filter(([, inner]) => inner !== ''));
  };
  return shown((root.children[0] as Element).children[0] as Element);
}

const dict = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0">\n<dict>\n${body}</dict>\n</plist>\n`;
const choices = dict(`    <key>v</key>
    <dict>
        <key>NSStringVariableWidthRuleType</key>
        <dict>
            <key>20</key>
            <string>sh</string>
            <key>50</key>
            <string>long</string>
        </dict>
    </dict>
    <key>w</key>
    <dict>
        <key>NSStringLocalizedFormatKey</key>
        <string>%#@n@</string>
        <key>NSStringDeviceSpecificRuleType</key>
        <dict>
            <key>iphone</key>
            <string>Tap</string>
            <key>mac</key>
            <string>Click</string>
        </dict>
    </dict>
`);
formatContract(stringsdict, {
  carries: {
    whole: wholePlist,
    files: [
      {
        name: 'types and widths',
        content: `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0">
<dict>
    <key>files</key>
    <dict>
        <key>NSStringLocalizedFormatKey</key>
        <string>%#@n@ in %#@m@</string>
        <key>n</key>
        <dict>
            <key>NSStringFormatSpecTypeKey</key>
            <string>NSStringPluralRuleType</string>
            <key>NSStringFormatValueTypeKey</key>
            <string>lu</string>
            <key>one</key>
            <string>a file</string>
            <key>other</key>
            <string>%lu files</string>
        </dict>
        <key>m</key>
        <dict>
            <key>NSStringFormatSpecTypeKey</key>
            <string>NSStringPluralRuleType</string>
            <key>NSStringFormatValueTypeKey</key>
            <string>lld</string>
            <key>other</key>
            <string>folders</string>
        </dict>
    </dict>
</dict>
</plist>
`,
      },
      { name: 'texts for widths and devices', content: choices },
    ],
  },
  samples: [
    {
      name: 'plural rules',
      content: dict(
        '\t<key>k</key>\n\t<dict>\n\t\t<key>NSStringLocalizedFormatKey</key>\n\t\t<string>%#@v@</string>\n\t\t<key>v</key>\n\t\t<dict>\n\t\t\t<key>NSStringFormatSpecTypeKey</key>\n\t\t\t<string>NSStringPluralRuleType</string>\n\t\t\t<key>NSStringFormatValueTypeKey</key>\n\t\t\t<string>d</string>\n\t\t\t<key>one</key>\n\t\t\t<string>1</string>\n\t\t\t<key>other</key>\n\t\t\t<string></string>\n\t\t</dict>\n\t</dict>\n',
      ),
      targets: [['%#@v@'], ['1', '']],
    },
    {
      name: 'texts for widths and devices',
      content: choices,
      targets: [['sh'], ['long'], ['%#@n@'], ['Tap'], ['Click']],
      bound: true,
    },
  ],
  common: ['%#@v@', '%#@n@'],
  structure: (text) => plistData(text),
  bases: [
    {
      name: 'texts and plurals of several variables',
      content: dict(
        `<key>s</key><string>t</string><key>k</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@v@ in %#@w@</string>${['v', 'w'].map((name) => `<key>${name}</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string><key>NSStringFormatValueTypeKey</key><string>ld</string><key>one</key><string>%ld ${name}</string><key>other</key><string>%ld ${name}s</string></dict>`).join('')}</dict>`,
      ),
    },
  ],
});

it('a stringsdict plural is written with its format, and a later format replaces that', () => {
  const empty = stringsdict.parse(Buffer.from(dict('')));
  const plural = { op: 'add', context: 'k:v', source: ['a', 'b'], target: ['%1$lu a', '%1$lu b'] } as const;
  const written = stringsdict.parse(empty.apply([plural]));
  expect(written.units.map(({ context, target }) => [context, target])).toEqual([
    ['k', ['%#@v@']],
    ['k:v', ['%1$lu a', '%1$lu b']],
  ]);
  expect(plistData(written.apply([]).toString())).toMatchObject({ k: { v: { NSStringFormatValueTypeKey: 'lu' } } });
  const taken = stringsdict.parse(Buffer.from(dict('<key>k</key><string>x</string>')));
  expect(() => taken.apply([plural])).toThrow('the file uses a part of "k:v" for something else');
});
it('a new stringsdict language keeps formats of only variables', () => {
  const format = (text: string): string =>
    dict(`<key>k</key><dict><key>NSStringLocalizedFormatKey</key><string>${text}</string></dict>`);
  const created = (text: string): string =>
    stringsdict.createTranslation(Buffer.from(format(text)), { language: 'cs' }).toString();
  for (const text of ['%#@n@', '%1$#@n@ %2$#@m@']) expect(created(text)).toBe(format(text));
  for (const text of ['%#@n@ in %#@m@', 'none', '%@']) expect(created(text)).toBe(format(''));
});

it('stringsdict width variants are keyed by key and width', () => {
  const file = stringsdict.parse(Buffer.from(choices));
  expect(file.units.map(({ context }) => context)).toEqual(['v:20', 'v:50', 'w', 'w:iphone', 'w:mac']);
  const add = { op: 'add', context: 'v:90', source: ['v:90'], target: ['longer'] } as const;
  const written = file.apply([add]).toString();
  expect(plistData(written)).toMatchObject({
    v: { NSStringVariableWidthRuleType: { 20: 'sh', 50: 'long', 90: 'longer' } },
  });
  const plain = stringsdict.parse(Buffer.from(dict(''))).apply([add]);
  expect(plistData(plain.toString())).toEqual({ 'v:90': 'longer' });
});
const concepts = (prefix: string): string => `<?xml version="1.0" encoding="utf-8"?>
<tbx type="TBX-Basic" style="dct" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2" xmlns:basic="http://www.tbxinfo.net/ns/basic">
	<tbxHeader><fileDesc><sourceDesc><p>source</p></sourceDesc></fileDesc></tbxHeader>
	<text>
		<body>
			<conceptEntry id="c1">
				${prefix === '' ? '<descrip type="definition">why</descrip>' : `<${prefix}definition>why</${prefix}definition>`}
				<langSec xml:lang="en">
					<termSec>
						<term>open cluster</term>
						<note>how</note>
					</termSec>
					<termSec>
						<term>galactic cluster</term>
					</termSec>
				</langSec>
				<langSec xml:lang="es">
					<termSec>
						<term>cúmulo abierto</term>
					</termSec>
				</langSec>
			</conceptEntry>
			<conceptEntry id="c2">
				<langSec xml:lang="en">
					<termSec>
						<term>star</term>
					</termSec>
				</langSec>
			</conceptEntry>
		</body>
	</text>
</tbx>
`;
const spanish = { language: 'es', sourceLanguage: 'en' };
formatContract(tbx, {
  carries: {
    whole: wholeXml,
    files: [
      {
        name: 'definitions and other languages',
        options: { language: 'cs', sourceLanguage: 'en' },
        content: `<martif type="TBX" xml:lang="en">
  <text>
    <body>
      <termEntry id="1">
        <descrip type="definition">what it is</descrip>
        <langSet xml:lang="en"><tig><term>one</term><termNote type="partOfSpeech">noun</termNote></tig></langSet>
        <langSet xml:lang="de"><tig><term>eins</term></tig></langSet>
        <langSet xml:lang="cs"><tig><term>jedna</term></tig></langSet>
      </termEntry>
      <termEntry id="2"><langSet xml:lang="en"><tig><term>two</term></tig></langSet></termEntry>
    </body>
  </text>
</martif>
`,
      },
      { name: 'concepts', options: spanish, content: concepts('basic:') },
    ],
  },
  samples: [
    {
      name: 'terms',
      options: { language: 'cs' },
      content: `<martif type="TBX" xml:lang="en">
  <text>
    <body>
      <termEntry id="1">
        <langSet xml:lang="en"><tig><term>a</term></tig></langSet>
        <langSet xml:lang="cs"><tig><term>b</term></tig></langSet>
      </termEntry>
      <termEntry id="2">
        <langSet xml:lang="en"><tig><term>c</term></tig></langSet>
      </termEntry>
    </body>
  </text>
</martif>
`,
      targets: [['b'], ['']],
    },
    { name: 'concepts', options: spanish, content: concepts(''), targets: [['cúmulo abierto'], ['']] },
    {
      name: 'terms in the newer root',
      options: spanish,
      content:
        '<tbx xml:lang="en">\n<text><body>\n<termEntry id="1"><langSet xml:lang="en"><tig><term>a</term></tig></langSet></termEntry>\n</body></text>\n</tbx>\n',
      targets: [['']],
    },
  ],
  broken: [{ name: 'another root', content: '\n<termEntry/>', line: 2 }],
});

describe('the source language of a term base', () => {
  const base = (root: string, ...entries: [string, string][][]): Buffer =>
    Buffer.from(
      `<martif type="TBX"${root}><text><body>${entries
        .map((terms, i) => {
          const sets = terms.map(
            ([code, term]) => `<langSet xml:lang="${code}"><tig><term>${term}</term></tig></langSet>`,
          );
          return `<termEntry id="${i}">${sets.join('')}</termEntry>`;
        })
        .join('')}</body></text></martif>`,
    );
  const read = (bytes: Buffer, options: ParseOptions): string[][] =>
    tbx.parse(bytes, options).units.map(({ source, target }) => [...source, ...target]);

  it('is determined per entry', () => {
    const mixed = base(
      ' xml:lang="en"',
      [
        ['en', 'a'],
        ['cs', 'b'],
      ],
      [
        ['cs-CZ', 'no'],
        ['en-US', 'c'],
        ['cs', 'd'],
      ],
      [['EN_gb', 'e']],
      [
        ['de', 'f'],
        ['cs', 'g'],
      ],
    );
    expect(read(mixed, { language: 'cs', sourceLanguage: 'en' })).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e', ''],
    ]);
    const written = tbx.parse(mixed, { language: 'cs' }).apply([{ op: 'set', index: 2, target: ['h'] }]);
    expect(read(written, { language: 'cs' })[2]).toEqual(['e', 'h']);
    expect(read(mixed, { language: 'en', sourceLanguage: 'en' })).toEqual([
      ['a', 'a'],
      ['c', 'c'],
      ['e', 'e'],
    ]);
  });

  it('is another language of the entry if none is declared', () => {
    const entries = base(
      '',
      [
        ['en', 'a'],
        ['cs', 'b'],
      ],
      [
        ['de', 'c'],
        ['cs', 'd'],
      ],
      [['cs', 'e']],
    );
    expect(read(entries, { language: 'cs' })).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });
});

it('new terms use the element names of the file’s TBX version', () => {
  for (const prefix of ['', 'basic:']) {
    const file = tbx.parse(Buffer.from(concepts(prefix)), spanish);
    expect(file.units.map(({ context, note }) => [context, note])).toEqual([
      ['c1', 'how\nwhy'],
      ['c2', ''],
    ]);
    const set = file.apply([{ op: 'set', index: 1, target: ['estrella'] }]).toString();
    expect(set).toContain('<langSec xml:lang="es"><termSec><term>estrella</term></termSec></langSec>');
    const added = file.apply([{ op: 'add', context: 'c3', source: ['sun'], target: ['sol'] }]).toString();
    expect(added).toContain('\t\t\t<conceptEntry id="c3">\n\t\t\t\t<langSec xml:lang="en">\n\t\t\t\t\t<termSec>\n');
    expect(added).not.toMatch(/termEntry|langSet|tig/);
  }
});
formatContract(tmx, {
  carries: {
    whole: wholeXml,
    files: [
      {
        name: 'properties and other languages',
        options: { language: 'cs', sourceLanguage: 'en' },
        content: `<tmx version="1.4">
  <header srclang="en"/>
  <body>
    <tu tuid="1" creationdate="20200101T000000Z">
      <prop type="x">y</prop>
      <tuv xml:lang="en"><seg>one</seg></tuv>
      <tuv xml:lang="cs" changeid="ana"><seg>jedna</seg></tuv>
      <tuv xml:lang="de"><seg>eins</seg></tuv>
    </tu>
  </body>
</tmx>
`,
      },
    ],
  },
  samples: [
    {
      name: 'units',
      options: { language: 'cs' },
      content: `<tmx version="1.4">
  <header srclang="en" adminlang="en" segtype="sentence" datatype="plaintext" creationtool="t" creationtoolversion="1" o-tmf="t"/>
  <body>
    <tu><tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="cs"><seg>b</seg></tuv></tu>
  </body>
</tmx>
`,
      targets: [['b']],
    },
  ],
});
