// Files in unusual styles, for formats with a fast path for common files.
import { grow, text } from './samples.mjs';

const list = (item) => grow('<?php\nreturn [\n', item, '];\n');
const lang = (i) => `$lang['key${i}'] = '${text(i)}';\n`;
const block = (item) => grow('strings:\n', item);

/** Generators by format and style; the parameter is the approximate size in bytes. */
export const unusual = {
  php: {
    calls: list(
      (i) => `    'a${i}' => __('${text(i)}'),\n    'b${i}' => '${text(i)}' . PHP_EOL,\n    'c${i}' => '${text(i)}',\n`,
    ),
    'variables in texts': grow('<?php\n', (i) => `$lang['v${i}'] = "${text(i)} {$name} $x";\n${lang(i)}`),
    'class and function': grow(
      '<?php\nclass A {\n    function f($a) { return $a + 1; }\n}\nif (!isset($lang)) { $lang = []; }\n',
      lang,
    ),
    'constants as keys': list(
      (i) => `    Text::KEY_${i} => '${text(i)}',\n    'b${i}' => $x ? 'yes' : 'no',\n    'c${i}' => '${text(i)}',\n`,
    ),
    heredoc: list((i) => `    'a${i}' => <<<EOT\n${text(i)} $name\nEOT\n,\n    'b${i}' => '${text(i)}',\n`),
    'functions as values': list(
      (i) =>
        `    'a${i}' => '${text(i)}',\n    'b${i}' => static fn ($n) => $n . '${text(i)}',\n` +
        `    'c${i}' => match ($n) { 1, 2 => '${text(i)}', default => function ($n) { return $n; } },\n`,
    ),
    attributes: grow(
      '<?php\n#[Attribute]\nfinal class A {\n    #[B(1)]\n    public function f(#[C] $a) { return $a + 1; }\n}\n',
      lang,
    ),
    'between HTML': grow('<html>\n<?php\n', lang, '?>\n</html>\n'),
  },
  yaml: {
    tags: block((i) => `  a${i}: !ruby/symbol ${text(i)}\n  b${i}: !!str ${text(i)}\n  c${i}: !t\n    d: ${text(i)}\n`),
    'anchors and merged maps': block(
      (i) => `  a${i}: &a${i}\n    b: ${text(i)}\n  c${i}:\n    <<: *a${i}\n    d: ${text(i)}\n`,
    ),
    'JSON as YAML': grow('{"strings": {\n', (i) => `  "key${i}":"${text(i)}",\n`, '"end":"x"}}\n'),
    'between brackets': block(
      (i) => `  a${i}: {\n    b: "${text(i)}", # why\n    c: plain text, d: [x y, e: f]\n  }\n`,
    ),
    'blocks with marks': block(
      (i) => `  a${i}: |2\n      ${text(i)}\n    more\n  b${i}: >+\n    ${text(i)}\n      deep\n\n`,
    ),
    'version 1.1': grow(
      '%YAML 1.1\n---\nstrings:\n',
      (i) => `  a${i}: ${text(i)}\n  b${i}: yes\n  c${i}:\n    d: "${text(i)}"\n`,
    ),
    'names and types between brackets': block(
      (i) => `  a${i}: [&a${i} ${text(i)}, !t ${text(i)}]\n  b${i}: { c: *a${i}, d: !!str ${text(i)} }\n`,
    ),
    'long keys': block((i) => `  ? ${text(i)}\n  : ${text(i)}\n  "a \\"${i}\\"": "${text(i)}\\u0021 \\U0001F600"\n`),
    'head, tabs, odd words': grow(
      '# note\n--- # start\nstrings:\n',
      (i) => `  -a:${i}:\t${text(i)}\n  b${i}: a:b c#d, [${i}]\n`,
      '...\n',
    ),
  },
};
