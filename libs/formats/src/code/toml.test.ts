import { parse as load } from 'smol-toml';
import { formatContract } from '../testing/contract';
import { readable } from '../testing/readers';
import { toml } from './toml';

formatContract(toml, {
  carries: {
    files: [
      {
        name: 'numbers, booleans, dates and quotes',
        content: 'a = 5\nb = true\nc = \'x\'\nd = 1979-05-27T07:32:00Z\n\n[t]\ne = 2.5\nf = "y"\n[t.u]\ng = false\n',
      },
    ],
    whole: load,
  },
  samples: [
    {
      // A name with a dot. A file without it cannot distinguish it from a path.
      name: 'kinds of values',
      bound: true,
      content:
        '# note\na = 1\nb = "x \\u00e9"\nc = true\nl = ["p", \'q\',\n  "r"]\n"d.e" = """\none\ntwo"""\n\n[t]\nd = 1979-05-27\ne = \'lit\' # end\nf = { g = "h", i = "j" }\n\n[[arr]]\nx = "1"\n[[arr]]\nx = "2"\n',
      targets: [
        ['1'],
        ['x é'],
        ['true'],
        ['p'],
        ['q'],
        ['r'],
        ['one\ntwo'],
        ['1979-05-27'],
        ['lit'],
        ['h'],
        ['j'],
        ['1'],
        ['2'],
      ],
    },
  ],
  structure: (text) => readable(load(text)),
  bases: [
    {
      name: 'tables in lists',
      content:
        'a = "1"\n[t]\ne = "2"\nf = { g = "h", i = ["j", "k"] }\n[[arr]]\nx = "1"\n[[arr]]\nx = "2"\nm = [["n"], ["o", "p"]]\n[[t.deep]]\ny = "1"\n[[t.deep]]\ny = "2"\nq = [{ r = "1" }, { r = "2", s = "3" }]\n',
    },
    {
      name: 'lists of tables in such',
      content: '[[a]]\nn = "x"\n[[a.b]]\nm = "1"\n[[a.b]]\nm = "2"\n[[a]]\nn = "y"\n[[a.b]]\nm = "3"\n',
    },
  ],
  broken: [
    { name: 'a missing value', content: 'a = "b"\nc = \n', line: 2 },
    { name: 'deep nesting', content: `a = ${'['.repeat(100_000)}`, line: 1 },
    { name: 'a key of 20 000 names', content: `b = 1\na${'.a'.repeat(20_000)} = "x"\n`, line: 2 },
    { name: 'a table of 20 000 names', content: `b = 1\n[a${'.a'.repeat(20_000)}]\n`, line: 2 },
    { name: 'a long key behind a mistake', content: `\ufeff\ufeffa${'.a'.repeat(20_000)} = "x"\n`, line: 1 },
    { name: 'a character that does not exist', content: 'a = "b"\nc = "\\UFFFFFFFF"\n', line: 2 },
  ],
  inverse: false,
});

it.each([
  ['a.b.c.d = "x"', 'a.b.c.d.e = "x"', 1, 8],
  ['[a.b]\nc.d = "x"', '[a.b]\nc.d.e = "x"', 2, 4],
  ['[a.b.c]\nd = "x"', '[a.b.c.d]\ne = "x"', 1, 1],
  ['[[a]]\n[a.b]\nc = "x"', '[[a]]\n[[a.b]]\nc = "x"', 2, 1],
  ['a = { b = { c.d = "x" } }', 'a = { b = { c = { d.e = "x" } } }', 1, 20],
  ['a.b = [["x"], ["y"]]', 'a.b = [["x"], [["y"]]]', 1, 16],
])('with a limit of four levels the TOML text %j is parsed and %j rejected', (fits, deeper, line, column) => {
  const read = (text: string): number => toml.parse(Buffer.from(text), { limits: { maxDepth: 4 } }).units.length;
  expect(read(fits)).toBeGreaterThan(0);
  expect(() => read(deeper)).toThrow(
    expect.objectContaining({ code: 'limit', message: 'more than 4 nested levels', line, column }),
  );
});

it.each([
  ['list = ["p1"]\n[[tbl]]\nt = "x"\n', 'list[1]', 'list = ["p1", "T"]\n[[tbl]]\nt = "x"\n'],
  ['list = [\n  "p1",\n]\n', 'list[2]', 'list = [\n  "p1",\n  "",\n  "T",\n]\n'],
  ['[[tbl]]\nt = "x"\n[z]\n', 'tbl[1].t', '[[tbl]]\nt = "x"\n[[tbl]]\nt = "T"\n[z]\n'],
  ['', 'x[0].y[1]', '[[x]]\ny = ["", "T"]\n'],
  ['l = []\nm = {}\n', 'm.a[0]', 'l = []\nm = { a = ["T"] }\n'],
  ['[deep.x]\na = "b"\n', 'deep.k', 'deep.k = "T"\n[deep.x]\na = "b"\n'],
])('adding to the TOML text %j the key %s', (text, context, expected) => {
  const written = toml.parse(Buffer.from(text)).apply([{ op: 'add', context, source: [context], target: ['T'] }]);
  expect(written.toString()).toBe(expected);
});

it('TOML integers of any allowed length keep their digits', () => {
  const long = '9'.repeat(4300);
  const text = `a = 9223372036854775807\nb = -9_223_372_036_854_775_808\nc = 0xFFFF_FFFF_FFFF_FFFF\nd = ${long}\n`;
  const file = toml.parse(Buffer.from(text));
  expect(file.units.map(({ target }) => target[0])).toEqual([
    '9223372036854775807',
    '-9_223_372_036_854_775_808',
    '0xFFFF_FFFF_FFFF_FFFF',
    long,
  ]);
  const set = (target: string): string =>
    file
      .apply([{ op: 'set', index: 0, target: [target] }])
      .toString()
      .split('\n')[0] as string;
  expect(set('-9223372036854775808')).toBe('a = -9223372036854775808');
  expect(set('9223372036854775808')).toBe('a = "9223372036854775808"');
  expect(() => toml.parse(Buffer.from(`a = 1\nb = ${long}9\n`))).toThrow('more than 4300 digits');
});
