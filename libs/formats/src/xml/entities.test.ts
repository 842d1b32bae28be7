import { FormatError } from '../format';
import { formatOf } from '../formats';

const file = (declarations: string, text: string): Buffer =>
  Buffer.from(
    `<?xml version="1.0"?>\n<!DOCTYPE xliff [\n${declarations}\n]>\n<xliff version="1.2"><file source-language="en"><body>\n<trans-unit id="a"><source>x</source><target>${text}</target></trans-unit>\n</body></file></xliff>\n`,
  );

function refused(declarations: string, text: string): FormatError {
  try {
    formatOf('xliff').parse(file(declarations, text));
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
  throw new Error('the file was accepted');
}

it('XML texts keep entity references verbatim', () => {
  const bytes = file('<!ENTITY app "Example"><!ENTITY long "The &app; &amp; more">', '&long;!');
  const read = formatOf('xliff').parse(bytes);
  expect(read.units[0]?.target).toEqual(['&long;!']);
  const edited = read.apply([{ op: 'set', index: 0, target: ['&app;?'] }]);
  expect(edited.toString()).toBe(bytes.toString().replace('&long;!', '&app;?'));
});

it.each([
  [
    'expand exponentially',
    Array.from({ length: 20 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('\n'),
    7,
    'limit',
  ],
  ['are recursive', '<!ENTITY a "&b;">\n<!ENTITY b "&a;">', 3, 'limit'],
  ['are a long chain', Array.from({ length: 5000 }, (_, i) => `<!ENTITY l${i} "&l${i + 1};">`).join('\n'), 3, 'limit'],
  [
    'are too many',
    '<!ENTITY a "">'.concat(Array.from({ length: 10_001 }, (_, i) => `<!ENTITY l${i} "">`).join('')),
    3,
    'limit',
  ],
])('the XML parser rejects entities that %s', (_, declarations, line, code) => {
  const base = declarations.includes('l0 ') ? '' : '<!ENTITY l0 "lol">';
  expect(refused(base + declarations, 'x')).toMatchObject({ code, line });
});

it.each([
  ['another file', '<!ENTITY x SYSTEM "file:///etc/passwd">'],
  ['another file', '<!ENTITY x PUBLIC "-//X" "http://example.com/x">'],
  ['markup', '<!ENTITY x "<trans-unit id=\'b\'><source>y</source></trans-unit>">'],
  ['markup', '<!ENTITY x "&#60;b>">'],
])('the XML parser rejects a reference to an entity that stands for %s', (what, declaration) => {
  expect(formatOf('xliff').parse(file(declaration, 'y')).units).toHaveLength(1);
  const error = refused(declaration, '&x;');
  expect(error.message).toContain(what);
  expect(error).toMatchObject({ line: 6, column: expect.any(Number) });
});
