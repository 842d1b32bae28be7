import { FormatError } from '../format';
import fc from 'fast-check';
import { formatContract } from '../testing/contract';
import { fluent } from './fluent';

formatContract(fluent, {
  samples: [
    {
      name: 'messages',
      content:
        '### top\n\n# note\nkey = value { $x }\n    .attr = at\n-term = t\nonly =\n    .x = y\nml =\n    line1\n    line2\n\nsel = { $n ->\n    [one] x\n   *[other] y\n}\nblank = { "" }\n',
      targets: [
        ['value { $x }\n.attr = at'],
        ['t'],
        ['.x = y'],
        ['line1\nline2'],
        ['{ $n ->\n    [one] x\n   *[other] y\n}'],
        [''],
      ],
    },
  ],
  broken: [
    { name: 'deep nesting', content: `a = b\nc = ${'{'.repeat(100_000)}`, line: 2 },
    { name: 'mistakes alone', content: '\njunk\n'.repeat(1000), line: 2 },
  ],
});

it('parsing Fluent by entries gives the same result as parsing the whole file', () => {
  const line = fc.constantFrom(
    'a = b\n',
    'key-1 = text with "signs" = # and [x]  \n',
    'c =\n    block\n    text\n',
    'd = { $x }\n',
    'e = { $n ->\n    [one] x\n   *[other] y\n}\n',
    'f = x\n    .g = y\n',
    '-t = term\n',
    '# note\n',
    '## group\n',
    '### file\n',
    '\n',
    '  \n',
    'h = x\r\n',
    'i = two\n    lines\n\n    more\n',
    'j =\tx\n',
    'k\n',
    'no entry { at all\n',
    '-l\n',
    'm = {\n-t\n}\n',
    'n = { $y } and {m}, { -t }\n',
    'o = { m.a } { "" }\n',
    '#p\n',
    'q = x\u2028r = y\n',
  );
  const shown = (text: string) => {
    try {
      const { units } = fluent.parse(Buffer.from(text));
      return units.map(({ context, target, note, line: at, column }) => [context, target, note, at, column]);
    } catch (error) {
      // A file with only junk is rejected.
      if (error instanceof FormatError) return [];
      throw error;
    }
  };
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const text = lines.join('');
      // Junk at the end makes the library parse the whole file.
      expect(shown(text)).toEqual(shown(`${text}\n\nz = {\n`));
    }),
    { numRuns: 500 },
  );
});

it('Fluent texts may have any number of lines', () => {
  const lines = 200_000;
  for (const line of [' y\n', ' .x = y\n'])
    expect(fluent.parse(Buffer.from(`a = b\n${line.repeat(lines)}`)).units[0]?.target[0]?.split('\n')).toHaveLength(
      lines + 1,
    );
});

it('a new Fluent file does not contain the junk of its base', () => {
  const base = Buffer.from('### file\n\na = x\nb = {\nc = z\n# note\n1 = y\n\n## group\n\n-t = u\n');
  expect(fluent.createTranslation(base, { language: 'de' }).toString()).toBe('### file\n\n# note\n## group\n\n');
  for (const text of ['a = x\nb = {\n', '1 = y\na = x\n', 'a = x\nb\n'])
    expect(fluent.createTranslation(Buffer.from(text), { language: 'de' }).toString()).toBe('');
  expect(fluent.createTranslation(Buffer.from('\n'), { language: 'de' }).toString()).toBe('\n');
  expect(() => fluent.createTranslation(Buffer.from('b = {\n'), { language: 'de' })).toThrow('expected a message');
});

it('a lone carriage return does not end a line of Fluent', () => {
  for (const text of ['a = x\rb = y\r### z', 'a = x\rb = y\r### z\nc = d\n']) {
    const file = fluent.parse(Buffer.from(text));
    expect([file.units[0]?.target, file.metadata.eol]).toEqual([['x\rb = y\r### z'], '\n']);
    expect(file.apply([{ op: 'set', index: 0, target: ['n\ro\np'] }]).toString()).toContain('a = n\ro\n    p');
    for (const target of ['n\r', 'n\r\no'])
      expect(() => file.apply([{ op: 'set', index: 0, target: [target] }])).toThrow();
  }
});
