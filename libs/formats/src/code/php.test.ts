import fc from 'fast-check';
import { formatContract } from '../testing/contract';
import { parseSimplePhp } from './php-simple';
import { laravel, parseWhole, php } from './php';

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

  it('the fast PHP scanner finds the same strings, ranges and removals as the full parser', () => {
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

  it('the fast PHP scanner agrees with the full parser or gives up after a token is deleted or repeated', () => {
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
