import fc from 'fast-check';
import { parseDocument } from 'yaml';
import { TextDocument } from '../core/document';
import { fromLibrary, type YamlNode } from './node';
import { parseSimple } from './simple';
import { YamlTree } from './tree';
import { yaml } from './yaml';

describe('the fast YAML scanner', () => {
  const scalar = fc.constantFrom(
    'plain text',
    'a#b',
    "it's",
    'x, [y] {z}',
    ':symbol',
    '-1.5',
    '~',
    'true',
    'no',
    '0x1F',
    '2001-01-01',
    '"double \\"x\\"\\n\\u00e9 {x}"',
    "'it''s'",
    '""',
    'plain # note',
    '"q" # note',
    '[]',
    '{}',
    '[a, "b c", :day, 1] # note',
    '{ a: b, "c": \'d\' }',
    '&x text',
    '&y "q" # note',
    '&z [a]',
    '*x',
    '*y # note',
    '[a, [b, *x], { c: d }]',
    '[&x a, &y "q", !t {b: &z c}, *x]',
    '{ &k a: !!str 1, b: &l [c], ? d }',
    ...['Off', 'Y', '0777', '1_000', '12:30:45', '2001-12-14 21:59:43', '0b11', '.', '+.5', '<<', '-.INF', '2001-1-1'],
    '{ a: [b, "c"], d: { e: *x } }',
    '[a,\n            "b",\n            c ]',
    '"one \n            two\n\n            three"',
    '"one \\\n            two \\\\\n            \\tthree\n            "',
    "'it''s\n            one''\n\n\n            two' # note",
    'plain\n            and - more\n\n            words # note',
    'plain\n            1',
    '\n            alone\n            "x" y',
    '\n            "alone"',
    '&w\n            alone',
    '',
    ' # note',
  );
  const block = fc.constantFrom('|', '>', '|-', '>-', '|+');
  const key = fc.constantFrom('a', 'b_c.d', 'two words', '"q u"', "'s'", 'yes', 'null', '1', 'other', 'one');
  const gap = fc.constantFrom('', '', '', '\n', '  # note\n', '\n\n');
  const lines = (text: string, indent: string): string => text.replace(/^(?=.)/gm, indent);
  const { node } = fc.letrec<{ node: string; map: string; list: string }>((tie) => ({
    node: fc.oneof(
      { weight: 5, arbitrary: scalar.map((text) => ` ${text}\n`) },
      {
        weight: 1,
        arbitrary: fc.tuple(block, gap).map(([sign, end]) => ` ${sign}\n  one\n\n  two\n  three # x\n${end}`),
      },
      { weight: 2, arbitrary: tie('map').map((text) => `\n${lines(text, '  ')}`) },
      { weight: 1, arbitrary: tie('list').map((text) => `\n${text}`) },
      { weight: 1, arbitrary: tie('list').map((text) => `\n${lines(text, '    ')}`) },
    ),
    map: fc
      .array(fc.tuple(gap, key, tie('node')), { minLength: 1, maxLength: 4 })
      .map((pairs) => pairs.map(([before, name, value]) => `${before}${name}:${value}`).join('')),
    list: fc
      .array(
        fc.oneof(
          tie('node'),
          tie('map').map((text) => ` ${lines(text, '  ').slice(2)}`),
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((items) => items.map((item) => `-${item}`).join('')),
  }));
  const top = fc.tuple(
    fc.constantFrom('', '---\n', '# top\n', '%YAML 1.1\n---\n', '# x\n%YAML 1.2\n--- # y\n'),
    fc.array(fc.tuple(key, node), { minLength: 1, maxLength: 4 }),
  );

  const options = { uniqueKeys: false, prettyErrors: false, logLevel: 'silent', strict: true } as const;
  /** A tree without irrelevant properties: ranges of missing values and the types of keys. */
  const shown = (node: YamlNode | undefined): unknown => {
    if (!node || (node.kind === 'scalar' && node.value === null && node.start === node.end)) return null;
    if (node.kind === 'alias') return node;
    const { kind, start, end, anchor } = node;
    if (node.kind === 'scalar') {
      const value = typeof node.value === 'string' || node.value === null ? node.value : typeof node.value;
      return { kind, start, end, anchor, value, style: node.style, source: node.source };
    }
    const items =
      node.kind === 'seq'
        ? node.items.map(shown)
        : node.items.map(({ key: name, value }) => [
            name?.kind === 'scalar' ? [name.source, name.style, name.start, name.end] : shown(name),
            shown(value),
          ]);
    return { kind, start, end, anchor, flow: node.flow, items };
  };
  /** Whether the fast scanner accepts a text. If so, asserts that it agrees with the library. */
  const isSimple = (text: string): boolean => {
    const tree = parseSimple(text);
    if (!tree) return false;
    const whole = parseDocument(text, options);
    expect([text, whole.errors]).toEqual([text, []]);
    expect([text, shown(tree)]).toEqual([text, shown(fromLibrary(whole.contents, text))]);
    return true;
  };

  it('the fast YAML scanner finds the same strings and ranges as the library', () => {
    let short = 0;
    fc.assert(
      fc.property(top, fc.boolean(), ([head, pairs], dos) => {
        const lf = head + pairs.map(([name, value]) => `${name}:${value}`).join('');
        if (isSimple(dos ? lf.replaceAll('\n', '\r\n') : lf)) short += 1;
      }),
      { numRuns: 400 },
    );
    expect(short).toBeGreaterThan(200);
  });

  const piece = fc.constantFrom(
    ...[
      'a',
      'b c',
      'x:y',
      '#c',
      '- d',
      '-e',
      '?f',
      ': g',
      ':h',
      '"q"',
      "'s'",
      '"a\\n\\x41"',
      '"l\n  m"',
      "'n\n\n   o'",
    ],
    ...[
      '|',
      '>',
      '|-',
      '>+',
      '|2',
      '[',
      '[a, b]',
      '{a: b}',
      '{"x":"y","z":[1]}',
      '[b: c]',
      '[a,\n  b # z\n ]',
      '&n',
      '*n',
    ],
    ...[
      '!t',
      '!!str',
      '!',
      '~',
      'null',
      '1.5',
      '---',
      '...',
      '\t',
      '\u00a0',
      '%',
      '@',
      'é',
      '',
      '"',
      "'",
      ',',
      ']',
      '}',
    ],
    ...[
      '? k',
      '<<',
      '.inf',
      'a\tb',
      'a  b ',
      '"a\tb\n  \tc "',
      '{a: "b\n  c"}',
      '[a b\n  c, d]',
      '[&n a, *n]',
      '{&n a: !t b}',
      '[!!str\n  1]',
      '[& n, !]',
      '[&n a: b, &m *n]',
      '[&n, b]',
      '{!t a, &n : b}',
      '[&n # z\n  a]',
      'Off',
      '1_0',
      '1:30',
      '2001-01-01',
      '"\\\n  x"',
      '{a : b}',
    ],
  );
  const indent = fc.constantFrom('', '', '  ', '  ', '    ', ' ');
  const line = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(indent, key, piece).map(([before, name, value]) => `${before}${name}: ${value}`) },
    { weight: 2, arbitrary: fc.tuple(indent, piece).map(([before, value]) => `${before}- ${value}`) },
    { weight: 1, arbitrary: fc.tuple(indent, piece).map(([before, value]) => before + value) },
    {
      weight: 1,
      arbitrary: fc.tuple(indent, piece, piece).map(([before, a, b]) => `${before}? ${a}\n${before}: ${b}`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(indent, fc.constantFrom('|', '>-', '|+', '>2', '|1'), gap, piece, indent, piece)
        .map(
          ([before, sign, blank, a, more, b]) => `${before}t: ${sign}\n${blank}${before}  ${a}\n${before}  ${more}${b}`,
        ),
    },
  );

  it('the fast YAML scanner gives up where the library would read the text differently or report an error', () => {
    let short = 0;
    const file = fc.tuple(
      fc.constantFrom('', '', '--- # x\n', '# y\n---\n', '%YAML 1.1\n---\n', '%YAML 1.1\n'),
      fc.array(line, { minLength: 1, maxLength: 5 }),
    );
    fc.assert(
      fc.property(file, fc.constantFrom('', '\n', '\n...\n'), ([head, lines], tail) => {
        if (isSimple(head + lines.join('\n') + tail)) short += 1;
      }),
      { numRuns: 3000 },
    );
    expect(short).toBeGreaterThan(100);
  });

  it.each([
    '--- # note\na: b\n',
    '# note\n---\na: b\n...\n',
    '{"a": {"b":"c", "d": [1, "e"]}}\n',
    'a: !ruby/symbol b\nc: !!str 5\nd: !t\n  e: f\n',
    'a: &x\n  b: c\nd:\n  <<: *x\n',
    '- &x a\n- *x\n',
    "\"k \\\"q\": a\n'it''s': b\n",
    '? a long key\n: b\n',
    'a: |2\n    b\n   c\n',
    'a: |\n\n  b\n',
    'a: >\n  b\n    c\n  d\n',
    'a: |+\n  b\n\nc: d\n',
    'a: |\n  b',
    'a: {\n  b: "c", # why\n  d: e f\n}\n',
    'a: [b c, d: e]\n',
    'a: [&x b, !t "c", {&y d: *x}]\n',
    '%YAML 1.1\n---\na: yes\nb: 1_000\nc: 2001-12-14\nd: 1:30\ne: ~\n',
    'a:\tb\nc: "d\te"\n',
    'a:b: c#d, [x] {y}\n-e: f\n?g: h\n',
    'a: "\\U0001F600"\n',
    'a: b\u00a0\n',
  ])('the fast YAML scanner accepts %j', (text) => expect(isSimple(text)).toBe(true));

  it.each([
    'a: b\n c: d\n',
    'a: b\n  c: d\n',
    'a: b: c\n',
    'a: b\nc\n',
    'a: "b" c\n',
    'a: !!int b\n',
    'a: !h!t b\n',
    '? [a]\n: b\n',
    'a: &x\n',
    'a: &x &y b\n',
    'a: *x: b\n',
    '- &x a: b\n',
    'a: "b\nc"\n',
    'a: [b,\nc]\n',
    'a: b # c\n  d\n',
    'a: b\n  # c\n  d\n',
    '\ta: b\n',
    'a: b\n---\nc: d\n',
    'a: b\n...\nc: d\n',
    '%YAML 1.3\n---\na: yes\n',
    'a: [&x]\n',
    'a: [&x *y]\n',
  ])('the fast YAML scanner leaves %j to the library', (text) => expect(parseSimple(text)).toBeUndefined());

  it('the fast YAML scanner leaves texts that are too long to the library', () => {
    const words = 'x '.repeat(4_000_000).trim();
    const file = yaml.parse(Buffer.from(`a: [${words}]\n`));
    expect(file.units[0]?.target[0] === words).toBe(true);
  });

  it.each(['', '\n', '# a\n\n  # b', ' \t\n\r\n'])('the fast YAML scanner finds no content in %j', (text) => {
    expect(parseDocument(text, options).contents).toBeNull();
    expect(new YamlTree(new TextDocument(Buffer.from(text))).root).toBeUndefined();
  });

  it('the fast YAML scanner agrees with the library about values', () => {
    for (const value of [
      'a b',
      'a#b',
      'a:b',
      "it's",
      'a "b"',
      'x, y',
      'é',
      'a - b',
      '1 a',
      '%d',
      'a\\n',
      '-a',
      '?x',
      '"\\x41\\e"',
    ]) {
      const text = `k: ${value}\n`;
      if (!parseSimple(text)) continue;
      expect(yaml.parse(Buffer.from(text)).units[0]?.target[0]).toEqual(
        (parseDocument(text).toJS() as { k: string }).k,
      );
    }
  });
});
