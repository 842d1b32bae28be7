import { formatContract } from '../testing/contract';
import { parseDocument } from 'yaml';
import { TextDocument } from '../core/document';
import { parseSimple } from './simple';
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
formatContract(yaml, {
  samples: [
    { name: 'styles', content, targets },
    { name: 'nothing', content: '{}\n', targets: [] },
  ],
  broken,
  inverse: false,
});
formatContract(rubyYaml, {
  samples: [
    {
      name: 'plurals',
      content: 'en:\n  a: b\n  c:\n    one: x\n    other: y\n  d:\n    one: x\n    foo: y\n  l: [a, b]\n',
      targets: [['b'], ['x', 'y'], ['x'], ['y'], ['a'], ['b']],
    },
  ],
  inverse: false,
});

it('does not expand aliases', () => {
  const bomb = Array.from(
    { length: 30 },
    (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(', ')}]\n`,
  ).join('');
  expect(yaml.parse(Buffer.from(`a0: &a0 lol\n${bomb}`)).units).toHaveLength(1);
});

it('names the language of a new file', () => {
  const out = rubyYaml.createTranslation(Buffer.from('en:\n  a: b\n'), { language: 'cs' }).toString();
  expect(out).toBe('cs:\n  a: ""\n');
});

describe('the short way through simple files', () => {
  const simple =
    '---\n# top\nen:\n  a: plain text # note\n  "b c": "double \\"x\\"\\n"\n  d: \'it\'\'s\'\n  e:\n    f: g\n\n    h.i: j\n  none:\n  k: l\n';
  it('gives the same strings in the same places', () => {
    expect(parseSimple(simple)).toBeDefined();
    const short = new YamlTree(new TextDocument(Buffer.from(simple))).leaves();
    // A key in braces is beyond the short way, so the library reads this one.
    const long = new YamlTree(new TextDocument(Buffer.from(`${simple}z: {}\n`))).leaves();
    const facts = (leaves: typeof short) =>
      leaves.map(({ path, text, node, owner }) => [
        path,
        text,
        node?.type,
        node?.range?.slice(0, 2),
        owner.start,
        owner.keyEnd,
      ]);
    expect(facts(short)).toEqual(facts(long));
  });

  it.each([
    'a: b\n c: d\n',
    'a: b\n  c: d\n',
    'a: [b]\n',
    'a: b: c\n',
    'a: 1\n',
    'a: yes\n',
    'a: |\n  b\n',
    '- a\n',
    'a: b\nc\n',
    'a: "b" c\n',
    'yes: b\n',
    'a: &x b\n',
  ])('leaves %j to the library', (text) => expect(parseSimple(text)).toBeUndefined());

  it('agrees with the library about values', () => {
    for (const value of ['a b', 'a#b', 'a:b', "it's", 'a "b"', 'x, y', 'é', 'a - b', '1 a', '%d', 'a\\n']) {
      const text = `k: ${value}\n`;
      const map = parseSimple(text);
      if (map) expect(map.toJSON()).toEqual(parseDocument(text).toJS());
    }
  });
});
