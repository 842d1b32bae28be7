import { formatContract } from '../testing/contract';
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
formatContract(plainXliff, {
  samples: [
    { name: 'a file', content, targets: [['Jedna b'], [''], [''], ['z']] },
    { name: "Apple's files", bound: true, content: apple, targets: [[''], ['W']] },
  ],
  broken: [{ name: 'XLIFF 2', content: '<xliff version="2.0"/>', line: 1 }],
  inverse: false,
});
formatContract(xliff, { samples: [{ name: 'a file', content }], inverse: false });
formatContract(poXliff, {
  samples: [{ name: 'plurals', content: plurals, targets: [['a', 'b'], ['r']] }],
  inverse: false,
});
formatContract(xliff2, {
  samples: [
    {
      name: 'segments',
      bound: true,
      content: `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de">
  <file id="f">
    <unit id="u1">
      <notes><note category="location">a:1</note><note>why</note></notes>
      <segment state="initial">
        <source>a <ph id="1"/></source>
        <target>b <ph id="1"/></target>
      </segment>
    </unit>
    <unit id="u2"><segment id="s1"><source>x</source></segment><ignorable><source> </source></ignorable><segment id="s2"><source>y</source><target>z</target></segment></unit>
  </file>
</xliff>
`,
      targets: [['b <ph id="1"/>'], [''], ['z']],
    },
  ],
  inverse: false,
});

it('shows states, notes, places and contexts', () => {
  const units = xliff.parse(Buffer.from(content)).units;
  expect(units.map((unit) => unit.state)).toEqual(['approved', 'readonly', 'empty', 'fuzzy']);
  expect(units[0]).toMatchObject({ source: ['One <g id="1">b</g>'], note: 'why', location: 'a.c:3', context: '1' });
  expect(plainXliff.parse(Buffer.from(apple)).units.map((unit) => unit.context)).toEqual([
    'A/en.lproj/A.strings///k',
    'B.strings///k',
  ]);
});

it('writes states where they are given', () => {
  const file = xliff.parse(Buffer.from(content));
  const set = (index: number, state: 'fuzzy' | 'translated' | 'approved'): string =>
    file.apply([{ op: 'set', index, target: file.units[index]?.target ?? [], state }]).toString();
  expect(set(0, 'translated')).toBe(content.replace('approved="yes"', 'approved="no"'));
  expect(set(3, 'translated')).toBe(content.replace('needs-translation', 'translated'));
  expect(set(0, 'fuzzy')).toContain('<target state="needs-translation">Jedna');
});
