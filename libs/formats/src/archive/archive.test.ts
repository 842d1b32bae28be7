import { FormatError } from '../format';
import { mo, writeMo } from '../po/mo';
import { formatContract } from '../testing/contract';
import { toXlsx } from '../convert/tables';
import { appstore, packFolder, unpackFolder } from './appstore';
import { idml, odf } from './office';
import { xlsx } from './xlsx';
import { writeZip, ZipArchive } from './zip';

const common = { text: false, copies: true } as const;
const zip = (files: Readonly<Record<string, string>>): Buffer =>
  writeZip(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));
const content =
  '<?xml version="1.0"?><office:document-content xmlns:office="o" xmlns:text="t"><office:body><text:h>Head</text:h><text:p>a <text:span>b</text:span> &amp; c</text:p><text:p/></office:body></office:document-content>';
formatContract(odf, {
  ...common,
  samples: [
    {
      name: 'a document',
      content: zip({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': content }),
      targets: [['Head'], ['a <text:span>b</text:span> &amp; c']],
    },
  ],
  broken: [
    { name: 'no archive', content: 'hello' },
    { name: 'another archive', content: zip({ a: 'b' }) },
  ],
});
formatContract(idml, {
  ...common,
  samples: [
    {
      name: 'stories',
      content: zip({
        'designmap.xml': '<D/>',
        'Stories/Story_1.xml': '<S><Content>One</Content><Br/><Content>Two</Content></S>',
      }),
      targets: [['One'], ['Two']],
    },
  ],
});
formatContract(xlsx, {
  text: false,
  inverse: false,
  samples: [
    {
      name: 'our own workbook',
      content: toXlsx(
        [
          { context: 'c', source: ['a'], target: ['=b'], state: 'fuzzy', note: 'n' },
          { context: '', source: ['d'], target: [''], state: 'empty' },
        ],
        { language: 'cs', sourceLanguage: 'en', name: 'x' },
      ),
      targets: [['=b'], ['']],
    },
  ],
});
it('a workbook stores which texts need editing, even if the row has no cell for it', () => {
  const book = toXlsx([{ context: 'c', source: ['a'], target: [''], state: 'empty' }], {
    language: 'cs',
    sourceLanguage: 'en',
    name: 'x',
  });
  const fuzzy = xlsx.parse(book).apply([{ op: 'set', index: 0, target: ['á'], state: 'fuzzy' }]);
  expect(xlsx.parse(fuzzy).units).toMatchObject([{ target: ['á'], state: 'fuzzy' }]);
  const done = xlsx.parse(fuzzy).apply([{ op: 'set', index: 0, target: ['á'], state: 'translated' }]);
  expect(xlsx.parse(done).units).toMatchObject([{ target: ['á'], state: 'translated' }]);
});

describe('appstore archives', () => {
  const folder = packFolder([
    ['title.txt', Buffer.from('Title\n')],
    ['changelogs/1.txt', Buffer.from('First')],
    ['icon.png', Buffer.from([1, 2])],
  ]);
  formatContract(appstore, {
    text: false,
    samples: [{ name: 'a folder', content: folder, targets: [['First'], ['Title']] }],
  });
  it('appstore archives keep the other files', () => {
    const file = appstore.parse(folder);
    const out = unpackFolder(file.apply([{ op: 'set', index: 1, target: ['Název'] }]));
    expect(out.map(([name, data]) => [name, data.toString()])).toEqual([
      ['changelogs/1.txt', 'First'],
      ['icon.png', '\u0001\u0002'],
      ['title.txt', 'Název\n'],
    ]);
  });
});
const header = 'Language: cs\nContent-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n!=1;\n';
formatContract(mo, {
  text: false,
  samples: [
    {
      name: 'a catalog',
      content: writeMo([
        { id: Buffer.alloc(0), text: Buffer.from(header) },
        { id: Buffer.from('ctx\x04a'), text: Buffer.from('á') },
        { id: Buffer.from('one\0many'), text: Buffer.from('jeden\0mnoho') },
      ]),
      targets: [['á'], ['jeden', 'mnoho']],
    },
  ],
  inverse: false,
});

describe('hostile archives', () => {
  const refuse = (bytes: Buffer, limits?: { maxBytes: number }): FormatError => {
    try {
      const archive = new ZipArchive(bytes, limits);
      for (const name of archive.names) archive.read(name);
    } catch (error) {
      if (error instanceof FormatError) return error;
      throw error;
    }
    throw new Error('was accepted');
  };

  it('hostile archives are rejected before they are unpacked', () => {
    expect(refuse(writeZip([['bomb', Buffer.alloc(40_000_000)]])).code).toBe('limit');
    expect(refuse(writeZip([['big', Buffer.from('x'.repeat(5000))]]), { maxBytes: 4000 }).code).toBe('limit');
    expect(refuse(writeZip([['../x', Buffer.from('x')]])).message).toContain('leads out');
    expect(refuse(writeZip([['/etc/x', Buffer.from('x')]])).message).toContain('leads out');
    expect(
      refuse(
        writeZip([
          ['a', Buffer.from('x')],
          ['a', Buffer.from('y')],
        ]),
      ).message,
    ).toContain('two files');
  });

  it('hostile archives are rejected if they declare wrong sizes', () => {
    const bytes = writeZip([['a', Buffer.alloc(900_000)]]);
    const at = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    bytes.writeUInt32LE(10, at + 24);
    expect(refuse(bytes).message).toContain('damaged');
  });
});
