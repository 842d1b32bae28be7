import { FormatError } from '../format';
import fc from 'fast-check';
import { parse as load } from 'smol-toml';
import { formatContract, readable } from '../testing/contract';
import { fluent } from './fluent';
import { parseSimplePhp } from './php-simple';
import { laravel, parseWhole, php } from './php';
import { toml } from './toml';

/** Result of the library: returned and assigned lists as arrays or objects. */
function phpData(text: string): unknown {
  const shown = (node: unknown): unknown => {
    const { kind, items, value } = node as {
      kind: string;
      items?: { key: unknown; value: unknown }[];
      value?: unknown;
    };
    if (!items) return kind === 'nullkeyword' ? undefined : value;
    if (items.every(({ key }) => !key)) return items.map((item) => shown(item.value));
    return new Map(items.map((item) => [String(shown(item.key)), shown(item.value)]));
  };
  const found = new Map<string, unknown>();
  for (const statement of parseWhole(text)['children'] as Record<string, unknown>[]) {
    const { left, right } = (statement['expression'] ?? {}) as {
      left?: { name?: string; what?: { name: string } };
      right?: unknown;
    };
    const value = shown(left ? right : statement['expr']);
    const blank = Array.isArray(value) && value.length === 0;
    if (!blank) found.set(left ? (left.name ?? `${left.what?.name}[]`) : 'return', value);
  }
  return found;
}

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
const content =
  '<?php\n// top\n$a = "b $";\n$l["k"] = \'v\\\'s\';\ndefine("D", "e");\n$arr = array(\n    "a" => "b",\n    \'n\' => [\'z\' => \'w\', \'q\'],\n);\n';
formatContract(php, {
  samples: [
    // Constants and variables in one file: an empty file does not show which kind a new string has.
    { name: 'assignments', bound: true, content, targets: [['b $'], ["v's"], ['e'], ['b'], ['w'], ['q']] },
    {
      name: 'a returned list',
      bound: true,
      content:
        "<?php\nreturn [\n    'x' => 'y|z', // note\n    'n' => [\n        'z' => 'w' . 'v',\n    ],\n    'e' => 1 + 2,\n];\n",
      targets: [['y|z'], ['wv']],
    },
  ],
  bases: [
    {
      name: 'nested lists',
      content:
        "<?php\nreturn [\n    'a' => [['t' => 'x', 'u' => ['p', 'q']], ['t' => 'y']],\n    'l' => [['m', 'n'], ['o']],\n    'n' => [5 => 'five', 'k' => 'v'],\n];\n",
    },
    { name: 'variables', content: '<?php\n$a = "b";\n$l[\'k\'] = "v";\n$arr = array("x" => array("y", "z"));\n' },
  ],
  structure: (text) => phpData(text),
  broken: [{ name: 'an open list', content: '<?php\nreturn [\n "a" => "b"\n', line: 4 }],
  inverse: false,
});

it.each([
  ['return ["deep" => ["w" => "1"]];', 'deep.x.y', 'return ["deep" => ["w" => "1", "x" => ["y" => "T"]]];'],
  ['return ["list" => ["p1"]];', 'list[2]', 'return ["list" => ["p1", null, "T"]];'],
  ["return array('l' => array());", 'l[0]', "return array('l' => array(\n    'T',\n));"],
  ["return ['a.b' => 'c'];", 'a.d', "return ['a.b' => 'c', 'a.d' => 'T'];"],
  ["return ['a.b' => 'c'];", 'n[0]', "return ['a.b' => 'c', 'n' => ['T']];"],
])('adding to the PHP code %s the key %s', (code, context, expected) => {
  const file = php.parse(Buffer.from(`<?php\n${code}\n`));
  const written = file.apply([{ op: 'add', context, source: [context], target: ['T'] }]);
  expect(written.toString()).toBe(`<?php\n${expected}\n`);
});
formatContract(laravel, {
  samples: [
    {
      name: 'forms',
      content: "<?php\nreturn [\n    'x' => 'one|many',\n    'y' => 'z'\n];\n",
      targets: [['one', 'many'], ['z']],
    },
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
])('with a limit of four levels %j is parsed and %j rejected', (fits, deeper, line, column) => {
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

describe('the fast PHP scanner', () => {
  const name = fc.constantFrom('a', 'b.c', "it\\'s", 'x y', '0');
  const blank = fc.constantFrom('', ' ', '\n    ', ' // why?\n', ' /* x */ ', '\t# y\n');
  const literal = fc.oneof(
    fc.constantFrom(
      "'v'",
      '"w\\n\\$x"',
      '\'p\' . "q"',
      "'it\\'s \\n'",
      '""',
      '"{x} $ 1\\u{e9}"',
      '12',
      'true',
      '"a $b"',
      '"{$a} b"',
      "<<<'EOT'\nno $w\n\n  x\\n\nEOT",
      '<<<EOT\nhere "q"\nEOTX\nEOT',
      '<<<"EOT"\nEOT',
      '<<<EOT\nhere $x\nEOT',
      '<<<EOT\n  here\n  EOT',
      "__('x')",
      "f('a', $b . 'c', ...$d)",
      "$a ? 'b' : 'c' /* x */",
      "PHP_EOL . 'x'",
      '\\A\\B::C',
      "$a->b('c')['d'] ?? 'e'",
      "-1 + (int) '5'",
      "new A('b')",
      "fn($a) => $a > 1 ? 'b' : 'c'",
      "static fn (?int $a = 1, A|B ...$b): string => 'x' . $a",
      "function (array &$a, $b = ['c']) use ($d, &$e) : ?A { if ($a) { throw new B('c'); } return 'd }'; }",
      "match (true) { $a > 1, 'b' => 'c', default => fn() => 'd', }",
      "match ($a) { 1 => 'b' } . 'c'",
      "(function () { return 'a'; })()",
      "(f('a')) . 'b' ",
    ),
  );
  const { list } = fc.letrec<{ list: string; value: string }>((tie) => ({
    value: fc.oneof({ weight: 4, arbitrary: literal }, { weight: 1, arbitrary: tie('list') }),
    list: fc
      .tuple(
        fc.boolean(),
        fc.array(fc.tuple(blank, fc.option(name, { nil: undefined }), tie('value'), blank), { maxLength: 4 }),
        fc.constantFrom('', ',', ',\n'),
      )
      .map(([short, items, tail]) => {
        const body = items.map(([a, key, value, b]) => `${a}${key === undefined ? '' : `'${key}' =>${b}`}${value}${b}`);
        const inner = body.join(',') + (items.length > 0 ? tail : '');
        return short ? `[${inner}]` : `array(${inner})`;
      }),
  }));
  const statement = fc.oneof(
    fc.tuple(fc.constantFrom('$a', "$l['k']", '$m["x"][\'y\']', '$z[]'), list).map(([v, value]) => `${v} = ${value};`),
    fc.tuple(fc.constantFrom('$b', "$l['q']"), literal).map(([v, value]) => `${v} = ${value} ;`),
    literal.map((value) => `define('D', ${value});`),
    list.map((value) => `return ${value};`),
    fc.constantFrom(
      'declare(strict_types=1);',
      'use A\\B ;',
      "if (!defined('X')) die;",
      'if ( ! defined( "X" ) ) { exit(1); }',
      "defined('X') or die('No');",
      "defined('X') || exit ( ) ;",
      "if ($a) { $b = 'no'; } elseif (!$b) return; else { echo 'x', $y; }",
      "function f($a) { return ['x' => 'y }']; }",
      "class A { public $b = 'c'; /* } */ }",
      "const A = 'b', B = 1;",
      "foreach ($a as $b) { $c[] = 'x'; }",
      "try { f('x'); } catch (E $e) { } finally { }",
      "#[A('x')]\nfunction g(#[B] $a) { return ['x' => 'y']; }",
      "#[A] final class C { #[B(1)] public function f() { return 'x'; } #[C]\n const D = 'e'; }",
      "enum E: string { case A = 'b'; }",
      "throw new A('b');",
      "$a->b = 'c';",
      "$l['q'] .= 'd';",
      "?>\n<p>'text'</p>\n<?php",
    ),
  );

  it('finds the same strings, ranges and removals as the full parser', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(blank, statement), { maxLength: 4 }), (parts) => {
        const simple = `<?php\n${parts.map(([before, code]) => `${before}${code}\n`).join('')}`;
        // Statements that only the full parser supports.
        const whole = `${simple}goto a;\na:\n`;
        const tail = whole.slice(simple.length);
        const [a, b] = [php.parse(Buffer.from(simple)), php.parse(Buffer.from(whole))];
        const shown = (unit: (typeof a.units)[number]) => [unit.context, unit.target, unit.line, unit.column];
        expect(a.units.map(shown)).toEqual(b.units.map(shown));
        for (const { index } of a.units) {
          const changes = [{ op: 'remove', index }] as const;
          expect(`${a.apply(changes).toString()}${tail}`).toBe(b.apply(changes).toString());
        }
      }),
      { numRuns: 200 },
    );
  });

  it('agrees with the full parser or gives up after a token is deleted or repeated', () => {
    let short = 0;
    const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const sign = fc.constantFrom(
      '',
      '',
      '',
      ',',
      ')',
      '}',
      '=>',
      '$a',
      "'x'",
      'fn',
      'static',
      '&',
      '...',
      ':',
      '#[A]',
      '\n',
    );
    fc.assert(
      fc.property(statement, place, sign, (code, where, put) => {
        const tokens = code.match(/\w+|[^]/g) as string[];
        const broken = tokens.with(Math.floor(where * tokens.length), put).join('');
        const text = `<?php\n${broken}\n`;
        const judged = (piece: string): boolean => {
          try {
            return parseWhole(`<?php\n${piece}`).kind === 'program';
          } catch {
            return false;
          }
        };
        if (!parseSimplePhp(text, judged)) return;
        short += 1;
        expect([text, judged(broken)]).toEqual([text, true]);
      }),
      { numRuns: 2000 },
    );
    expect(short).toBeGreaterThan(200);
  });
});

it.each([
  "return ['a' => __('b'), C::D => 'e', ...$f];",
  "$a['b'] = $c ? 'd' : \"e $f\";",
  'if (!isset($a)) { $a = []; }',
  "class A { function b() { return 'c'; } }",
  "const A = 'b';",
  "?><p><?php $a = 'b';",
  "return ['a' => fn($b) => 'c', 'd' => static function ($e) use (&$f): ?G { return 'h'; }, 'i' => 'j'];",
  "$a = match ($b) { 1, 2 => 'c', default => 'd' };",
  "#[A('b')] class C { #[D]\n public $e = 'f'; }",
])('the fast PHP scanner accepts %j', (code) => expect(parseSimplePhp(`<?php\n${code}\n`, () => true)).toBeDefined());

it.each([
  'goto a;',
  "$a = fn($a, ...$b = 'c') => 'd';",
  "$a = function () { const B = 'c'; };",
  "$a = function () { return 'b'; }();",
  "$a = fn(class $b) => 'c';",
  '$a = "{$b["c"]}";',
  "$a = ('b');",
  "if ($a): $b = 'c'; endif;",
  "$a = 'b' 'c';",
  "'a'[];",
])('the fast PHP scanner leaves %j to the full parser', (code) =>
  expect(parseSimplePhp(`<?php\n${code}\n`, () => true)).toBeUndefined(),
);

it('PHP concatenations may have any length', () => {
  const file = php.parse(Buffer.from(`<?php\n$a = 'b'${" . 'c'".repeat(100_000)};\n`));
  expect(file.units[0]?.target[0]).toHaveLength(100_001);
});

it('the full parser validates the code that the fast PHP scanner skips', () => {
  expect(() => php.parse(Buffer.from("<?php\nfunction f( { }\n$a = 'b';\n"))).toThrow('not valid PHP');
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
