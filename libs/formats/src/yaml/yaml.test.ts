import fc from 'fast-check';
import { formatContract, readable } from '../testing/contract';
import { parse as load, parseDocument } from 'yaml';
import { TextDocument } from '../core/document';
import { parseSimple } from './simple';
import { fromLibrary, type YamlNode } from './node';
import { YamlTree } from './tree';
import { rubyYaml, yaml } from './yaml';

const content = `# top
a: plain text # note
b: "double \\u00e9"
c: 'it''s'
nested:
  deep:
    x: y
  list:
  - p
  - q: r
    s: t
literal: |
  one
  two
folded: >-
  long
  text
flow: { k: v, l: [m, n] }
empty: ""
none:
nothing: ~
number: 3
flag: true
anchor: &id text
alias: *id
`;
const targets = [
  'plain text',
  'double é',
  "it's",
  'y',
  'p',
  'r',
  't',
  'one\ntwo\n',
  'long text',
  'v',
  'm',
  'n',
  '',
  '',
  '3',
  'true',
  'text',
].map((text) => [text]);
const broken = [
  { name: 'wrong indentation', content: 'a: b\n  c: d\n', line: 1 },
  { name: 'an open quote', content: 'a: b\nc: "d\n', line: 3 },
  { name: 'deep flow nesting', content: `a: b\nc: ${'['.repeat(100_000)}`, line: 2 },
  { name: 'deep block nesting', content: `a: b\nc:\n${'- '.repeat(50_000)}x`, line: 3 },
];
const lists = `a: A
deep:
  x:
    y: "Y: z"
list:
- p
- q
objs:
- t: T1
  u: U1
- t: T2
  lists:
  - - m
    - n
  - - o
names:
- null
- January
"yes": on it
1: one
`;
const typed =
  "a: 5\nb:\n  c: true\n  'd e': 'x'\n  f: \"y\"\n  g:\n    - 1\n    - t\n    - false\n  h: 'true'\n  i: 007\nj: {k: 2.5, l: \"m\"}\n";
formatContract(yaml, {
  carries: {
    files: [{ name: 'numbers, booleans and quotes', content: typed }],
    whole: (text) => load(text) as unknown,
  },
  samples: [
    // An alias means what another place holds.
    { name: 'styles', bound: true, content, targets },
    { name: 'nothing', content: '{}\n', targets: [] },
  ],
  structure: (text) => readable(load(text)),
  bases: [
    { name: 'lists', content: lists },
    { name: 'lists between brackets', content: 'a: { l: [p, q], o: [{ t: T }, { t: [x, y] }] }\nm: [a, [b, c]]\n' },
    { name: 'a list of all', content: '- a: x\n  b: y\n- z\n- - p\n  - q\n' },
  ],
  broken,
  inverse: false,
});
formatContract(rubyYaml, {
  carries: {
    files: [
      {
        name: 'numbers, booleans and plurals',
        content: `en:\n  n:\n    one: 1\n    other: 'many'\n${typed.replace(/^/gm, '  ').trimEnd()}\n`,
      },
    ],
    whole: (text) => load(text) as unknown,
  },
  samples: [
    {
      name: 'plurals',
      content: 'en:\n  a: b\n  c:\n    one: x\n    other: y\n  d:\n    one: x\n    foo: y\n  l: [a, b]\n',
      targets: [['b'], ['x', 'y'], ['x'], ['y'], ['a'], ['b']],
    },
  ],
  structure: (text) => readable(load(text)),
  bases: [
    {
      name: 'a Rails file',
      content: `en:\n  date:\n    order:\n      - :year\n      - :month\n    names:\n      - ~\n      - January\n${'  a: A\n  d:\n    one: day\n    other: days\n'}`,
    },
  ],
  inverse: false,
});

const added = (text: string, context: string, format = yaml): string =>
  format
    .parse(Buffer.from(text), { language: 'cs' })
    .apply([{ op: 'add', context, source: [context], target: ['T'] }])
    .toString();

it.each([
  ['list:\n- p1\nz: x\n', 'list->[1]', 'list:\n- p1\n- T\nz: x\n'],
  ['list:\n  - p1\n', 'list->[2]', 'list:\n  - p1\n  - null\n  - T\n'],
  ['list:\n  - p1\n', 'other->[0]->k', 'list:\n  - p1\nother:\n  - k: T\n'],
  ['l:\n  - # note\n  - x\n', 'l->[0]', 'l:\n  - T # note\n  - x\n'],
  ['l:\n  - ~ # note\n  - x\n', 'l->[0]->k', 'l:\n  - k: T # note\n  - x\n'],
  ['a:\n  b: [] # note\n  c: x', 'a->b->[0]', 'a:\n  b: # note\n  - T\n  c: x'],
  ['a: {b: , c, l: [x]}\n', 'a->c->[0]', 'a: {b: , c: [T], l: [x]}\n'],
  ['a: {b: , c, l: [x]}\n', 'a->l->[1]', 'a: {b: , c, l: [x, T]}\n'],
  ['--- {} # note\n', 'a', '--- \na: T # note\n'],
])('adds to %j the key %s', (text, key, expected) => expect(added(text, key)).toBe(expected));

it.each([
  ['cs:\n', 'cs:\n  a:\n    b: T\n'],
  ['cs: # note\n', 'cs: # note\n  a:\n    b: T\n'],
  ['cs: ~\n', 'cs:\n  a:\n    b: T\n'],
  ['cs: {}\n', 'cs:\n  a:\n    b: T\n'],
  ['', 'cs:\n  a:\n    b: T\n'],
])('knows the language of %j, which holds nothing', (text, expected) =>
  expect(added(text, 'a->b', rubyYaml)).toBe(expected),
);

it.each([
  ['n: x\n', 'n->y'],
  ['n:\n  y: x\n', 'n'],
  ['n:\n- x\n', 'n->y'],
  ['n:\n  y: x\n', 'n->[0]'],
  ['n: &a x\nm: *a\n', 'm->y'],
])('refuses by name what has no place in %j: %s', (text, key) =>
  expect(() => added(text, key)).toThrow(`the file uses a part of "${key}" for something else`),
);

it('refuses aliases that grow, and reads others', () => {
  const bomb = (levels: number): Buffer => {
    const lines = Array.from(
      { length: levels },
      (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(', ')}]\n`,
    );
    return Buffer.from(`a0: &a0 lol\n${lines.join('')}`);
  };
  expect(yaml.parse(bomb(4)).units).toHaveLength(1);
  for (const head of ['', '%YAML 1.2\n---\n']) {
    const bytes = Buffer.concat([Buffer.from(head), bomb(30)]);
    expect(() => yaml.parse(bytes)).toThrow('aliases that stand for more than');
  }
  expect(yaml.parse(Buffer.from('a: &a [*a, b]\nc: *a\n')).units.map(({ target }) => target)).toEqual([['b']]);
});

it('names the language of a new file', () => {
  const out = rubyYaml.createTranslation(Buffer.from('en:\n  a: b\n'), { language: 'cs' }).toString();
  expect(out).toBe('cs:\n  a: ""\n');
});

describe('the short way through simple files', () => {
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
  /** A tree without what is of no use: where nothing is written, and what kind of value a key would be. */
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
  /** Whether a text is read the short way; if so, as by the library. */
  const isSimple = (text: string): boolean => {
    const tree = parseSimple(text);
    if (!tree) return false;
    const whole = parseDocument(text, options);
    expect([text, whole.errors]).toEqual([text, []]);
    expect([text, shown(tree)]).toEqual([text, shown(fromLibrary(whole.contents, text))]);
    return true;
  };

  it('gives the same strings in the same places', () => {
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

  it('is left for the library where that would say something else, or that it is a mistake', () => {
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
  ])('takes the short way with %j', (text) => expect(isSimple(text)).toBe(true));

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
  ])('leaves %j to the library', (text) => expect(parseSimple(text)).toBeUndefined());

  it('leaves a text that is too long for it to the library', () => {
    const words = 'x '.repeat(4_000_000).trim();
    const file = yaml.parse(Buffer.from(`a: [${words}]\n`));
    expect(file.units[0]?.target[0] === words).toBe(true);
  });

  it.each(['', '\n', '# a\n\n  # b', ' \t\n\r\n'])('has nothing to read in %j', (text) => {
    expect(parseDocument(text, options).contents).toBeNull();
    expect(new YamlTree(new TextDocument(Buffer.from(text))).root).toBeUndefined();
  });

  it('agrees with the library about values', () => {
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

it('adds keys to YAML that is not around a language, also with the format of Rails', () => {
  const add = { op: 'add', context: 'c->d', source: ['c->d'], target: ['new'] } as const;
  const written = (text: string): string =>
    rubyYaml.parse(Buffer.from(text), { language: 'cs' }).apply([add]).toString();
  expect(written('a: x\nb: y\n')).toBe('a: x\nb: y\nc:\n  d: new\n');
  expect(written('cs:\n  a: x\n')).toBe('cs:\n  a: x\n  c:\n    d: new\n');
  expect(written('')).toBe('cs:\n  c:\n    d: new\n');
});

it('adds plurals for Rails with the form that it looks for in every language', () => {
  const plural = { count: 3, formula: 'n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2' };
  const options = { language: 'pl', plural };
  const base = Buffer.from("en:\n  files:\n    one: 'a file'\n    other: '%d files'\n");
  const add = { op: 'add', context: 'files', source: ['a file', '%d files'], target: ['a', 'b', 'c'] } as const;
  const written = rubyYaml.parse(Buffer.from('pl:\n  a: x\n'), options).apply([add], base);
  expect(written.toString()).toBe("pl:\n  a: x\n  files:\n    one: 'a'\n    few: 'b'\n    many: 'c'\n    other: 'c'\n");
  expect(rubyYaml.parse(written, options).units.at(-1)?.target).toEqual(['a', 'b', 'c']);
});
