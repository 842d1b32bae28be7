import { formatOf } from '../formats';

it.each([
  ['strings-utf8', '', '"a" = "x"; /* c */', '"b" = "y";', ''],
  ['strings-utf8', '', '"a" = "x"; /* c */ // d', '/* e */\n"b" = "y";', ''],
  ['strings-utf8', '{\n', '  a = x; // c', '  b;', '}\n'],

  ['dtd', '', '<!ENTITY a "x"> <!-- c -->', '<!ENTITY b "y">', ''],
  ['dtd', '', '<!ENTITY a "x"> <!-- c --> <!-- d\n -->', '<!-- e -->\n<!ENTITY b "y">', ''],
  [
    'aresource',
    '<resources>\n',
    '<string name="a">x</string> <!-- c -->',
    '<string name="b">y</string>',
    '</resources>\n',
  ],
  [
    'aresource',
    '<resources>\n',
    '<string name="a">x</string><!-- c -->',
    '<!-- d -->\n<string name="b">y</string>',
    '</resources>\n',
  ],
  ['yaml', '', 'a: x # c', 'b: y', ''],
  ['toml', '', 'a = "x" # c', '# d\nb = "y"', ''],
  ['php', '<?php\n', "$a = 'x'; // c", "$b = 'y';", ''],
] as const)(
  'a trailing comment of a string stays when the next string is removed: %s %j',
  (id, head, first, second, tail) => {
    for (const eol of ['\n', '\r\n']) {
      const bytes = (...lines: string[]): Buffer =>
        Buffer.from([head, ...lines.map((line) => `${line}\n`), tail].join('').replaceAll('\n', eol));
      const file = formatOf(id).parse(bytes(first, second));
      const removed = file.units.slice(1).map(({ index }) => ({ op: 'remove', index }) as const);
      expect(file.apply(removed).toString()).toBe(bytes(first).toString());
      expect(file.units[0]?.note).toBe('');
      expect(file.units[1]?.note).not.toBe('c');
    }
  },
);

it.each([
  ['strings-utf8', '"a" = "x"; /* c */ // d\n', '// e\n"b" = "y";\n'],
  ['dtd', '<!ENTITY a "x"> <!-- c -->\n', '<!-- e -->\n<!ENTITY b "y">\n'],
] as const)('a trailing comment is removed with its string: %s', (id, first, second) => {
  const file = formatOf(id).parse(Buffer.from(first + second));
  expect(file.units.map(({ note }) => note)).toEqual(['', 'e']);
  expect(file.apply([{ op: 'remove', index: 0 }]).toString()).toBe(second);
});
