import { formatContract } from '../testing/contract';
import { fluent } from './fluent';
import { laravel, php } from './php';
import { toml } from './toml';

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
  broken: [{ name: 'deep nesting', content: `a = b\nc = ${'{'.repeat(100_000)}`, line: 2 }],
});
formatContract(toml, {
  samples: [
    {
      name: 'kinds of values',
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
  broken: [
    { name: 'a missing value', content: 'a = "b"\nc = \n', line: 2 },
    { name: 'deep nesting', content: `a = ${'['.repeat(100_000)}` },
  ],
  inverse: false,
});
const content =
  '<?php\n// top\n$a = "b $";\n$l["k"] = \'v\\\'s\';\ndefine("D", "e");\n$arr = array(\n    "a" => "b",\n    \'n\' => [\'z\' => \'w\', \'q\'],\n);\n';
formatContract(php, {
  samples: [
    { name: 'assignments', content, targets: [['b $'], ["v's"], ['e'], ['b'], ['w'], ['q']] },
    {
      name: 'a returned list',
      content:
        "<?php\nreturn [\n    'x' => 'y|z', // note\n    'n' => [\n        'z' => 'w' . 'v',\n    ],\n    'e' => 1 + 2,\n];\n",
      targets: [['y|z'], ['wv']],
    },
  ],
  broken: [{ name: 'an open list', content: '<?php\nreturn [\n "a" => "b"\n', line: 4 }],
  inverse: false,
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
