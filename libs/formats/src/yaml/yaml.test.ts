import fc from 'fast-check';
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
    fc.constantFrom('', '---\n', '# top\n'),
    fc.array(fc.tuple(key, node), { minLength: 1, maxLength: 4 }),
  );

  it('gives the same strings in the same places, and the same files after a change', () => {
    let short = 0;
    fc.assert(
      fc.property(top, fc.boolean(), fc.nat(), ([head, pairs], dos, pick) => {
        const lf = head + pairs.map(([name, value]) => `${name}:${value}`).join('');
        const text = dos ? lf.replaceAll('\n', '\r\n') : lf;
        if (!parseSimple(text)) return;
        short += 1;
        // A directive is beyond the short way, so the library reads this one.
        const directive = dos ? '%YAML 1.2\r\n---\r\n' : '%YAML 1.2\n---\n';
        const whole = directive + text.replace(/^---\r?\n/, '');
        const parse = (content: string) => {
          const tree = new YamlTree(new TextDocument(Buffer.from(content)));
          const shift = content.length - text.length;
          return tree.leaves().map(({ path, text: value, node, owner }) => ({
            place: [
              path,
              value,
              node?.style,
              node?.range.map((at) => at - shift),
              owner.start - shift,
              owner.keyEnd - shift,
              // Where no value ends is of no use to anybody.
              node && owner.end - shift,
            ],
            range: owner.container.range[0] - shift,
          }));
        };
        expect(parse(text)).toEqual(parse(whole));
        const [a, b] = [yaml.parse(Buffer.from(text)), yaml.parse(Buffer.from(whole))];
        if (a.units.length === 0) return;
        const index = pick % a.units.length;
        for (const change of [{ op: 'remove', index } as const, { op: 'set', index, target: ['new: text'] } as const]) {
          const after = (file: typeof a, from: number): string => {
            try {
              return file.apply([change]).toString().slice(from);
            } catch (error) {
              return (error as Error).message;
            }
          };
          const start = /^---\r?\n/.exec(text)?.[0].length ?? 0;
          expect(after(a, start)).toBe(after(b, directive.length));
        }
      }),
      { numRuns: 200 },
    );
    expect(short).toBeGreaterThan(100);
  });

  it.each([
    'a: b\n c: d\n',
    'a: b\n  c: d\n',
    'a: b: c\n',
    'a: b\nc\n',
    'a: "b" c\n',
    'a: !t b\n',
    'a: |2\n   b\n',
    '? a\n: b\n',
    'a: &x\n',
    'a: &x &y b\n',
    'a: *x: b\n',
    '- &x a: b\n',
    'a: "b\nc"\n',
    'a: [b,\nc]\n',
    'a: b\n  c: d\n',
    'a: b # c\n  d\n',
    'a: b\n  # c\n  d\n',
    'a: [b: c]\n',
    '\ta: b\n',
    'a: b\n---\nc: d\n',
  ])('leaves %j to the library', (text) => expect(parseSimple(text)).toBeUndefined());

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
