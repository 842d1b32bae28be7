import type { FileFormat } from '../format';
import { formatContract } from '../testing/contract';
import { wholeXml } from '../testing/readers';
import { plainXliff, poXliff, xliff } from './xliff1';
import { xliff2 } from './xliff2';

const content = `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file original="f" source-language="en" target-language="cs" datatype="plaintext">
    <body>
      <trans-unit id="1" approved="yes">
        <source>One <g id="1">b</g></source>
        <target state="translated">Jedna <g id="1">b</g></target>
        <note>why</note>
        <context-group purpose="location"><context context-type="sourcefile">a.c</context><context context-type="linenumber">3</context></context-group>
      </trans-unit>
      <group>
        <trans-unit id="2" translate="no"><source>s &amp; t</source></trans-unit>
        <trans-unit id="3"><source>x</source><target/></trans-unit>
        <trans-unit id="4"><source>y</source><target state="needs-translation"><![CDATA[z]]></target></trans-unit>
      </group>
    </body>
  </file>
</xliff>
`;
const plurals = `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.1" xmlns="urn:oasis:names:tc:xliff:document:1.1">
  <file original="f" source-language="en" target-language="cs" datatype="po">
    <body>
      <group id="5" restype="x-gettext-plurals">
        <trans-unit id="5[0]"><source>one</source><target>a</target></trans-unit>
        <trans-unit id="5[1]"><source>many</source><target>b</target></trans-unit>
      </group>
      <trans-unit id="6"><source>q</source><target>r</target></trans-unit>
    </body>
  </file>
</xliff>
`;
const apple = `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file original="A/en.lproj/A.strings" source-language="en" target-language="de" datatype="plaintext">
    <header><tool tool-id="com.apple.dt.xcode" tool-name="Xcode"/></header>
    <body>
      <trans-unit id="k" xml:space="preserve">
        <source>v</source>
      </trans-unit>
    </body>
  </file>
  <file original="B.strings" source-language="en" target-language="de" datatype="plaintext">
    <body>
      <trans-unit id="k" xml:space="preserve">
        <source>w</source>
        <target>W</target>
      </trans-unit>
    </body>
  </file>
</xliff>
`;
const segments = `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de">
  <file id="f">
    <unit id="u1">
      <notes><note category="location">a:1</note><note>why</note></notes>
      <segment state="initial">
        <source>a <ph id="1"/></source>
        <target>b <ph id="1"/></target>
      </segment>
    </unit>
    <unit id="u2"><segment id="s1"><source>x</source></segment><ignorable><source> </source></ignorable><segment id="s2"><source>y</source><target>z</target></segment><segment id="s3"><source>w</source></segment></unit>
  </file>
</xliff>
`;
const units = {
  name: 'notes, groups of places and ids of their own',
  content: `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2" xmlns:x="urn:x">
  <file original="f" source-language="en" target-language="cs" datatype="plaintext">
    <body>
      <trans-unit id="1" resname="one" maxwidth="20" size-unit="char" x:mark="7" approved="yes">
        <source>One</source>
        <target state="final">Jedna</target>
        <note from="developer">why</note>
        <context-group purpose="location"><context context-type="sourcefile">a.c</context></context-group>
        <alt-trans><target>Jednička</target></alt-trans>
      </trans-unit>
      <trans-unit id="2" xml:space="preserve"><source>two
        lines</source><note>n</note></trans-unit>
    </body>
  </file>
</xliff>
`,
};
const twoFiles = { name: "Apple's files", content: apple };
/** An XLIFF without state names and without empty `<file>` elements. */
const whole = (text: string): unknown =>
  wholeXml(text.replace(/ state="[^"]*"| approved="[^"]*"/g, '').replace(/<target\/>|<target><\/target>/g, ''));
formatContract(plainXliff, {
  carries: { files: [units, twoFiles], whole },
  samples: [
    { name: 'a file', content, targets: [['Jedna b'], [''], [''], ['z']] },
    { name: "Apple's files", content: apple, newKey: 'A/en.lproj/A.strings///new', targets: [[''], ['W']] },
  ],
  broken: [{ name: 'XLIFF 2', content: '<xliff version="2.0"/>', line: 1 }],
  inverse: false,
});
formatContract(xliff, {
  samples: [{ name: 'a file', content }],
  inverse: false,
  carries: { files: [units], whole },
});
formatContract(poXliff, {
  carries: { files: [units, { name: 'plurals', content: plurals }], whole },
  samples: [{ name: 'plurals', content: plurals, targets: [['a', 'b'], ['r']] }],
  inverse: false,
});
formatContract(xliff2, {
  carries: {
    files: [
      {
        name: 'data, notes and states',
        content: `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de">
  <file id="f">
    <unit id="u1" name="n" type="x:y">
      <notes><note>why</note></notes>
      <originalData><data id="d1">&lt;br/></data></originalData>
      <segment id="s">
        <source>a <ph id="1" dataRef="d1"/></source>
        <target>b <ph id="1" dataRef="d1"/></target>
      </segment>
    </unit>
    <unit id="u2"><segment><source>x</source></segment></unit>
  </file>
  <file id="g" original="g.txt"><skeleton href="g.skl"/>
    <unit id="u1"><segment><source>z</source><target>Z</target></segment></unit>
  </file>
</xliff>
`,
      },
    ],
    whole,
  },
  samples: [
    {
      name: 'segments',
      bound: true,
      content: segments,
      targets: [['b <ph id="1"/>'], [''], ['z'], ['']],
    },
  ],
  inverse: false,
});

describe('a string that is added to XLIFF', () => {
  const add = (context: string, source: string, target: string) =>
    ({ op: 'add', context, source: [source], target: [target] }) as const;
  const keys = (text: Buffer, format = plainXliff): string[] => format.parse(text).units.map((unit) => unit.context);
  const without = (name: string): string => apple.replace(new RegExp(`  <file original="${name}"[^]*?</file>\n`), '');

  it('a string that is added to XLIFF creates the <file> of its key with the header of the base', () => {
    const three = apple.replace(
      '</xliff>',
      apple.slice(apple.indexOf('  <file')).replaceAll('.strings"', '2.strings"'),
    );
    const lacking = three
      .replace(/ {2}<file original="A\/en.lproj\/A.strings"[^]*?<\/file>\n/, '')
      .replaceAll('"de"', '"cs"');
    const change = add('A/en.lproj/A.strings///k', 'v', 'V');
    const written = plainXliff.parse(Buffer.from(lacking)).apply([change], Buffer.from(three));
    expect(keys(written)).toContain(change.context);
    expect(written.toString()).toContain(
      '<file original="A/en.lproj/A.strings" source-language="en" target-language="cs" datatype="plaintext">\n    <header><tool tool-id="com.apple.dt.xcode" tool-name="Xcode"/></header>\n    <body>\n      <trans-unit id="k" xml:space="preserve">\n        <source>v</source>\n        <target>V</target>\n      </trans-unit>\n    </body>\n  </file>',
    );
    const alone = plainXliff.parse(Buffer.from(lacking)).apply([change]);
    expect(keys(alone)).toContain(change.context);
  });

  it('a string that is added to XLIFF is stored in the <file> of its key or rejected', () => {
    const file = plainXliff.parse(Buffer.from(apple));
    expect(keys(file.apply([add('A/en.lproj/A.strings///new', 's', 't')]))).toEqual([
      'A/en.lproj/A.strings///k',
      'A/en.lproj/A.strings///new',
      'B.strings///k',
    ]);
    expect(() => file.apply([add('new', 's', 't')])).toThrow('begins with the name of one');
    expect(keys(plainXliff.parse(Buffer.from(without('B.strings'))).apply([add('new', 's', 't')]))).toEqual([
      'k',
      'new',
    ]);
  });

  it('a string that is added to XLIFF has no key if the change has none', () => {
    for (const [format, text] of [
      [plainXliff, apple],
      [poXliff, plurals],
      [xliff2, segments],
    ] as const) {
      const written = format.parse(Buffer.from(text)).apply([add('', 'no key', 't')]);
      expect(format.parse(written).units.find(({ source }) => source[0] === 'no key')?.context).toBe('');
    }
  });

  it('a string that is added to XLIFF is rejected if the file has its id, even for an element that is not a string', () => {
    const header = plurals.replace('<trans-unit id="6">', '<trans-unit id="6" restype="x-gettext-domain-header">');
    expect(() => poXliff.parse(Buffer.from(header)).apply([add('6', 'new', 't')])).toThrow('already has the id 6');
    expect(() => poXliff.parse(Buffer.from(plurals)).apply([add('5', 'new', 't')])).toThrow('already has the id 5');
    expect(() => xliff2.parse(Buffer.from(segments)).apply([add('u1', 'new', 't')])).toThrow('already has the id u1');
  });

  it('a string that is added to XLIFF becomes a segment of its unit', () => {
    const two = Buffer.from(segments);
    const one = two.toString().replace('<segment id="s3"><source>w</source></segment>', '');
    const change = add('u2:s3', 'w', 'W');
    const added = '<segment id="s3"><source>w</source><target>W</target></segment>';
    const written = xliff2.parse(Buffer.from(one)).apply([change], two);
    expect(written.toString()).toBe(segments.replace('<segment id="s3"><source>w</source></segment>', added));
    expect(keys(xliff2.parse(Buffer.from(one)).apply([change]), xliff2)).toEqual(['u1', 'u2:s1', 'u2:s2', 'u2:s3']);
    const none = two.toString().replace(/ {4}<unit id="u2">.*<\/unit>\n/, '');
    const whole = xliff2.parse(Buffer.from(none)).apply([add('u2:s2', 'y', 'Y')], two);
    expect(xliff2.parse(whole).units.map(({ context, target }) => [context, target[0]])).toEqual([
      ['u1', 'b <ph id="1"/>'],
      ['u2:s1', ''],
      ['u2:s2', 'Y'],
      ['u2:s3', ''],
    ]);
  });

  it('a string that is added to XLIFF is rejected if the keys of other segments of its unit would change', () => {
    const lone = segments.replace(/<ignorable>.*<\/unit>/, '</unit>');
    expect(keys(Buffer.from(lone), xliff2)).toEqual(['u1', 'u2']);
    expect(() => xliff2.parse(Buffer.from(lone)).apply([add('u2:s2', 'y', 'Y')], Buffer.from(segments))).not.toThrow();
  });
});

it('XLIFF units have states, notes, locations and contexts', () => {
  const units = xliff.parse(Buffer.from(content)).units;
  expect(units.map((unit) => unit.state)).toEqual(['approved', 'readonly', 'empty', 'fuzzy']);
  expect(units[0]).toMatchObject({ source: ['One <g id="1">b</g>'], note: 'why', location: 'a.c:3', context: '1' });
  expect(plainXliff.parse(Buffer.from(apple)).units.map((unit) => unit.context)).toEqual([
    'A/en.lproj/A.strings///k',
    'B.strings///k',
  ]);
});

it('XLIFF states are written if the change sets them', () => {
  const file = xliff.parse(Buffer.from(content));
  const set = (index: number, state: 'fuzzy' | 'translated' | 'approved'): string =>
    file.apply([{ op: 'set', index, target: file.units[index]?.target ?? [], state }]).toString();
  expect(set(0, 'translated')).toBe(content.replace('approved="yes"', 'approved="no"'));
  expect(set(3, 'translated')).toBe(content.replace('needs-translation', 'translated'));
  expect(set(0, 'fuzzy')).toContain('<target state="needs-translation">Jedna');
});

it.each(['', '<target/>', '<target></target>', '<target state="new"/>'])(
  'a new text that needs editing is marked in an XLIFF unit with %j',
  (target) => {
    const unit = `<trans-unit id="1"><source>a</source>${target}</trans-unit>`;
    const text = `<xliff version="1.2"><file original="f" source-language="en" target-language="cs" datatype="po"><body>${unit}</body></file></xliff>`;
    for (const format of [plainXliff, xliff, poXliff]) {
      const written = format.parse(Buffer.from(text)).apply([{ op: 'set', index: 0, target: ['á'], state: 'fuzzy' }]);
      expect(format.parse(written).units).toMatchObject([{ target: ['á'], state: 'fuzzy' }]);
    }
  },
);

describe('an XLIFF unit without translatable content', () => {
  const xliff1 = (body: string): string =>
    `<xliff version="1.2"><file original="f" source-language="en" target-language="cs" datatype="po"><body>${body}</body></file></xliff>`;
  const sources = (format: FileFormat, text: string): unknown[] =>
    format.parse(Buffer.from(text)).units.map(({ source }) => source);

  it.each([plainXliff, xliff, poXliff])(
    'an XLIFF unit without translatable content is not a string in the format $id: no source text and no inline element',
    (format) => {
      const text = xliff1(
        '<trans-unit id="1"><source></source><target>x</target></trans-unit><trans-unit id="2"><source/></trans-unit>' +
          '<trans-unit id="3"><source><x id="1"/></source></trans-unit><trans-unit id="4"><source>a</source></trans-unit>' +
          '<group restype="x-gettext-plurals" id="5"><trans-unit id="5[0]"><source/></trans-unit></group>',
      );
      expect(sources(format, text)).toEqual([[format === plainXliff ? '' : '<x id="1"/>'], ['a']]);
    },
  );

  it.each([plainXliff, xliff, poXliff])(
    'an XLIFF unit without translatable content is kept and not listed by $id if it holds a gettext header',
    (format) => {
      const header =
        '<trans-unit id="1" restype="x-gettext-domain-header" approved="no"><source>Language: cs&#10;</source><target>Language: cs&#10;</target></trans-unit>';
      const text = xliff1(`${header}<trans-unit id="2"><source>a</source><target>b</target></trans-unit>`);
      const file = format.parse(Buffer.from(text));
      expect(file.units.map(({ source }) => source)).toEqual([['a']]);
      expect(file.apply([{ op: 'remove', index: 0 }]).toString()).toContain(header);
      expect(format.createTranslation(Buffer.from(text), { language: 'de' }).toString()).toContain(header);
    },
  );

  it('an XLIFF unit without translatable content is not a string of XLIFF 2 and is removed with the last string of its unit', () => {
    const text = (units: string): string =>
      `<xliff version="2.0" srcLang="en" trgLang="cs"><file id="f">${units}</file></xliff>`;
    const unit =
      '<unit id="u"><segment><source/></segment><segment><source>a</source></segment><segment><source><ph id="1"/></source></segment></unit>';
    const file = xliff2.parse(Buffer.from(text(unit)));
    expect(file.units.map(({ context, source }) => [context, source[0]])).toEqual([
      ['u:1', 'a'],
      ['u:2', '<ph id="1"/>'],
    ]);
    const none = file.apply(file.units.map(({ index }) => ({ op: 'remove', index }) as const));
    expect(none.toString()).toBe(text(''));
  });

  it('an XLIFF unit without translatable content is a string of a monolingual file, because its values may be empty', () => {
    const units = plainXliff.parse(Buffer.from(xliff1('<trans-unit id="k"><source></source></trans-unit>')), {
      monolingual: true,
    }).units;
    expect(units.map(({ context, state }) => [context, state])).toEqual([['k', 'empty']]);
  });
});

describe('CDATA in XLIFF', () => {
  const unit = (source: string, target: string): string =>
    `<xliff version="1.2"><file original="f" source-language="en" target-language="cs" datatype="html"><body><trans-unit id="1"><source>${source}</source>${target}</trans-unit></body></file></xliff>`;
  const two = (source: string, target: string): string =>
    `<xliff version="2.0" srcLang="en" trgLang="cs"><file id="f"><unit id="u"><segment><source>${source}</source>${target}</segment></unit></file></xliff>`;
  const versions: [FileFormat, typeof unit][] = [
    [plainXliff, unit],
    [xliff, unit],
    [poXliff, unit],
    [xliff2, two],
  ];

  it.each(versions)('CDATA in XLIFF is text and keeps a changed text (%#)', (format, made) => {
    const source = '<![CDATA[<b>a</b> & b]]>';
    const file = format.parse(Buffer.from(made(source, '<target><![CDATA[<i>c</i>]]></target>')));
    expect(file.units[0]).toMatchObject({ source: ['<b>a</b> & b'], target: ['<i>c</i>'] });
    const set = (target: string): string => file.apply([{ op: 'set', index: 0, target: [target] }]).toString();
    expect(set('<i>d</i> & e')).toBe(made(source, '<target><![CDATA[<i>d</i> & e]]></target>'));
    expect(set('a]]>b')).toBe(made(source, '<target><![CDATA[a]]]]><![CDATA[>b]]></target>'));
    const fresh = format.parse(Buffer.from(made(source, '')));
    expect(fresh.apply([{ op: 'set', index: 0, target: ['<i>d</i>'] }]).toString()).toBe(
      made(source, '<target><![CDATA[<i>d</i>]]></target>'),
    );
  });

  it.each(versions.slice(1))('CDATA in XLIFF becomes escaped text beside inline elements (%#)', (format, made) => {
    const file = format.parse(Buffer.from(made('<ph id="1"/><![CDATA[a < b]]>', '')));
    expect(file.units[0]?.source).toEqual(['<ph id="1"/>a &lt; b']);
  });

  it.each(versions.slice(1))(
    'CDATA in XLIFF is not created from a text that looks like CDATA or markup (%#)',
    (format, made) => {
      const file = format.parse(Buffer.from(made('a', '<target>b</target>')));
      const text = '<![CDATA[x]]> <b>y</b> <!-- z -->';
      const written = file.apply([{ op: 'set', index: 0, target: [text] }]);
      expect(format.parse(written).units[0]?.target).toEqual([text]);
      expect(written.toString()).toContain('&lt;b&gt;y');
    },
  );
});
