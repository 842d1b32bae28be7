import type { ParseOptions } from '../format';
import { formatContract } from '../testing/contract';
import { wholeXml } from '../testing/readers';
import { tbx, tmx } from './terminology';

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

  it('the source language of a term base is determined per entry', () => {
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

  it('the source language of a term base is another language of the entry if none is declared', () => {
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
