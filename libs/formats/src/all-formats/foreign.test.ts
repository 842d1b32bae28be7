import { FormatError } from '../format';
import { formatOf, formats } from '../formats';

/** Files that users may upload under a wrong name. */
const FOREIGN: Readonly<Record<string, string | Buffer>> = {
  'a plain text': 'Dear reader,\nthis is a letter\n',
  'a page': '<html><body><p>x</p></body></html>\n',
  'bytes of a program': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0xff]),
};
/** Formats that accept nearly every text, possibly without strings. */
const TAKE_ANYTHING = /^(?:properties|gwt|csv|txt|dokuwiki|mediawiki|markdown|html|xwiki-java|appstore)/;

describe.each([...formats.keys()].filter((id) => !TAKE_ANYTHING.test(id)))('the format %s', (id) => {
  it.each(Object.keys(FOREIGN))('the format rejects %s', (name) => {
    try {
      formatOf(id).parse(Buffer.from(FOREIGN[name]!));
    } catch (error) {
      expect(error).toBeInstanceOf(FormatError);
      expect((error as FormatError).line).toBeGreaterThan(0);
      expect((error as FormatError).column).toBeGreaterThan(0);
      return;
    }
    throw new Error('the file was accepted');
  });
});

it('XLIFF of another version is rejected with an error that names the version', () => {
  const file = (version: string) => Buffer.from(`<xliff version="${version}"><file source-language="en"/></xliff>`);
  expect(() => formatOf('xliff2').parse(file('1.2'))).toThrow('XLIFF 1');
  expect(() => formatOf('xliff').parse(file('2.0'))).toThrow('XLIFF 2');
});

it('all lines of a subtitle file may be indented', () => {
  const text =
    '[Script Info]\nTitle: x\n\n[Events]\nFormat: Layer, Start, End, Text\nDialogue: 0,0:00:01.00,0:00:02.00,Hello, you\n';
  const bytes = Buffer.from(text.replace(/^(?=.)/gm, ' '));
  const file = formatOf('ass').parse(bytes);
  expect(file.units.map(({ target }) => target)).toEqual([['Hello, you']]);
  const edited = file.apply([{ op: 'set', index: 0, target: ['Ahoj'] }]).toString();
  expect(edited).toBe(bytes.toString().replace('Hello, you', 'Ahoj'));
});
