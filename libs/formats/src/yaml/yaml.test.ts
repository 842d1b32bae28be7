import { formatContract } from '../testing/contract';
import { readable } from '../testing/readers';
import { parse as load } from 'yaml';
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
    // The value of an alias is at its anchor.
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

it.each(['What?', '?', 'a ? b', 'a?b'])(
  'the YAML text %s is quoted in flow style, where PyYAML reads the question mark as an indicator',
  (text) => {
    const written = (content: string): string =>
      yaml
        .parse(Buffer.from(content))
        .apply([{ op: 'set', index: 0, target: [text] }])
        .toString();
    expect(written('a: {b: x, c: [y]}\n')).toBe(`a: {b: "${text}", c: [y]}\n`);
  },
);

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
])('adding to the YAML text %j the key %s', (text, key, expected) => expect(added(text, key)).toBe(expected));

it.each([
  ['cs:\n', 'cs:\n  a:\n    b: T\n'],
  ['cs: # note\n', 'cs: # note\n  a:\n    b: T\n'],
  ['cs: ~\n', 'cs:\n  a:\n    b: T\n'],
  ['cs: {}\n', 'cs:\n  a:\n    b: T\n'],
  ['', 'cs:\n  a:\n    b: T\n'],
])('the language of %j is known although the file has no strings', (text, expected) =>
  expect(added(text, 'a->b', rubyYaml)).toBe(expected),
);

it.each([
  ['n: x\n', 'n->y'],
  ['n:\n  y: x\n', 'n'],
  ['n:\n- x\n', 'n->y'],
  ['n:\n  y: x\n', 'n->[0]'],
  ['n: &a x\nm: *a\n', 'm->y'],
])('a key without a position in %j is rejected with its name: %s', (text, key) =>
  expect(() => added(text, key)).toThrow(`the file uses a part of "${key}" for something else`),
);

it('YAML aliases with exponential expansion are rejected, others are accepted', () => {
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

it('YAML keys may be aliases of texts', () => {
  const text = 'top: &a x\n? &b "k"\n: y\nsub:\n  *a : z\n  *b : &b w\n*b : u\nm: &c {d: e}\n*c : t\n';
  const file = yaml.parse(Buffer.from(text));
  expect(file.units.map(({ context, target }) => [context, target[0]])).toEqual([
    ['top', 'x'],
    ['k', 'y'],
    ['sub->x', 'z'],
    ['sub->k', 'w'],
    ['w', 'u'],
    ['m->d', 'e'],
  ]);
  const set = (index: number): string => file.apply([{ op: 'set', index, target: ['new'] }]).toString();
  for (const index of [0, 3]) expect(() => set(index)).toThrow('also a key');
  expect(set(2)).toBe(text.replace(': z', ': new'));
  expect(file.apply([{ op: 'remove', index: 2 }]).toString()).toBe(text.replace('  *a : z\n', ''));
  expect(() => added(text, 'sub->k')).toThrow('already has this key');
});

it('the text of a YAML value with a language-specific tag excludes its quotes', () => {
  const text = 'a: !!binary "R0l\\\n  GOD"\nb: !!binary |\n R0l\n GOD\nc: !!int "3"\nd: !!float 1.5\n';
  const file = yaml.parse(Buffer.from(text));
  expect(file.units.map(({ target }) => target[0])).toEqual(['R0lGOD', 'R0l\nGOD\n', '3', '1.5']);
  const set = (index: number, target: string): string =>
    file.apply([{ op: 'set', index, target: [target] }]).toString();
  expect(set(0, 'QUJD')).toBe(text.replace('"R0l\\\n  GOD"', '"QUJD"'));
  expect(set(1, 'QUJD\n')).toBe(text.replace(' R0l\n GOD', ' QUJD'));
});

it('the first of several YAML documents is parsed, and all must be valid', () => {
  const text = '%TAG !t! tag:x,2000:\n--- !t!a\na: b\n--- !t!b\nc: d\n';
  expect(() => yaml.parse(Buffer.from(text))).toThrow('Could not resolve tag');
  expect(yaml.parse(Buffer.from(text.replace('!t!b', '!b'))).units).toHaveLength(1);
});

it('a new Rails file starts with its language', () => {
  const out = rubyYaml.createTranslation(Buffer.from('en:\n  a: b\n'), { language: 'cs' }).toString();
  expect(out).toBe('cs:\n  a: ""\n');
});

it('keys can be added to YAML without a language key, also in the Rails format', () => {
  const add = { op: 'add', context: 'c->d', source: ['c->d'], target: ['new'] } as const;
  const written = (text: string): string =>
    rubyYaml.parse(Buffer.from(text), { language: 'cs' }).apply([add]).toString();
  expect(written('a: x\nb: y\n')).toBe('a: x\nb: y\nc:\n  d: new\n');
  expect(written('cs:\n  a: x\n')).toBe('cs:\n  a: x\n  c:\n    d: new\n');
  expect(written('')).toBe('cs:\n  c:\n    d: new\n');
});

it('a plural that is added to a Rails file has the form `other` in every language', () => {
  const plural = { count: 3, formula: 'n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2' };
  const options = { language: 'pl', plural };
  const base = Buffer.from("en:\n  files:\n    one: 'a file'\n    other: '%d files'\n");
  const add = { op: 'add', context: 'files', source: ['a file', '%d files'], target: ['a', 'b', 'c'] } as const;
  const written = rubyYaml.parse(Buffer.from('pl:\n  a: x\n'), options).apply([add], base);
  expect(written.toString()).toBe("pl:\n  a: x\n  files:\n    one: 'a'\n    few: 'b'\n    many: 'c'\n    other: 'c'\n");
  expect(rubyYaml.parse(written, options).units.at(-1)?.target).toEqual(['a', 'b', 'c']);
});
