import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edit, listUnits, open } from './commands';

const head = '<?xml version="1.0" encoding="utf-8"?>\n';
const ts = (body: string): string =>
  `${head}<!DOCTYPE TS>\n<TS version="2.1" language="cs">\n<context>\n<name>W</name>\n${body}</context>\n</TS>\n`;
const message = (source: string, translation: string): string =>
  `<message><source>${source}</source>${translation}</message>\n`;

/** Formats with a file and the targets of its strings in file order. */
const FILES: readonly (readonly [
  rule: string,
  format: string,
  content: string,
  targets: readonly (readonly string[])[],
])[] = [
  [
    'headers and obsolete entries are none, a plural is one',
    'po',
    'msgid ""\nmsgstr "Language: cs\\n"\n\nmsgid "a"\nmsgstr ""\n\nmsgid "b"\nmsgid_plural "c"\nmsgstr[0] "d"\nmsgstr[1] "e"\n\n#~ msgid "x"\n#~ msgstr "y"\n',
    [[''], ['d', 'e']],
  ],
  [
    'vanished and obsolete messages are none, a numerus is one',
    'ts',
    ts(
      message('a', '<translation type="unfinished"></translation>') +
        message('b', '<translation type="vanished">x</translation>') +
        message('c', '<translation type="obsolete">x</translation>') +
        '<message numerus="yes"><source>d</source><translation><numerusform>1</numerusform><numerusform>2</numerusform></translation></message>\n',
    ),
    [[''], ['1', '2']],
  ],
  [
    'items of a string-array are one each, a plural is one, fixed ones are read-only',
    'aresource',
    `${head}<resources>\n<string name="a">b</string>\n<string name="n" translatable="false">c</string>\n<string-array name="l"><item>d</item><item>e</item></string-array>\n<plurals name="p"><item quantity="one">f</item><item quantity="other">g</item></plurals>\n</resources>\n`,
    [['b'], ['c'], ['d'], ['e'], ['f', 'g']],
  ],
  ['empty values count, items of lists are one each', 'json', '{"a":"","b":["c","d"],"n":null}', [[''], ['c'], ['d']]],
  ['empty values count, items of lists are one each', 'yaml', 'a: ""\nb:\n- c\n- d\n', [[''], ['c'], ['d']]],
  ['maps of categories are one', 'ruby-yaml', 'cs:\n  a:\n    one: b\n    other: c\n', [['b', 'c']]],
  ['keys with @ are none', 'arb', '{"@@locale":"cs","a":"b","@a":{"description":"c"}}', [['b']]],
  ['both forms are one', 'i18next', '{"k":"a","k_plural":"b"}', [['a', 'b']]],
  ['both forms are one', 'go-i18n-json', '[{"id":"k","translation":{"one":"a","other":"b"}}]', [['a', 'b']]],
  ['a message with its attributes is one', 'fluent', 'a = b\n    .c = d\n-e = f\n', [['b\n.c = d'], ['f']]],
  [
    'a trans-unit with a source is one',
    'xliff',
    `${head}<xliff version="1.2"><file source-language="en" target-language="cs" original="x" datatype="plaintext"><body><trans-unit id="a"><source>b</source><target>c</target></trans-unit><trans-unit id="d"><source>e</source></trans-unit></body></file></xliff>`,
    [['c'], ['']],
  ],
  [
    'a segment is one',
    'xliff2',
    `${head}<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="cs"><file id="f"><unit id="u"><segment><source>a</source><target>b</target></segment><segment><source>c</source></segment></unit></file></xliff>`,
    [['b'], ['']],
  ],
  [
    'every leaf is one',
    'toml',
    'a = "b"\nc = 1\nd = ["e", "f"]\n[t]\ng = true\n',
    [['b'], ['1'], ['e'], ['f'], ['true']],
  ],
  ['an empty cell counts', 'csv', 'source,target\na,\nb,c\n', [[''], ['c']]],
  ['empty values count', 'properties', 'a=\nb=c\n', [[''], ['c']]],
  ['empty values count', 'ini', '[s]\na=\nb = c\n', [[''], ['c']]],
  ['empty values count', 'islu', '[Messages]\nA=\nB=c\n', [[''], ['c']]],
  ['empty values count', 'joomla', 'A=""\nB="c"\n', [[''], ['c']]],
  ['empty values count', 'strings-utf8', '"a" = "";\n"b" = "c";\n', [[''], ['c']]],
  ['empty values count', 'php', "<?php\n$a = '';\n$b = 'c';\n", [[''], ['c']]],
  ['empty values count', 'laravel', "<?php\nreturn ['a' => '', 'b' => 'c'];\n", [[''], ['c']]],
  ['empty values count', 'dtd', '<!ENTITY a "">\n<!ENTITY b "c">\n', [[''], ['c']]],
  ['empty values count', 'flatxml', '<root><str key="a"></str><str key="b">c</str></root>', [[''], ['c']]],
  ['empty values count', 'po-mono', 'msgid "a"\nmsgstr ""\n\nmsgid "b"\nmsgstr "c"\n', [[''], ['c']]],
  [
    'empty values count, with and without a closing tag',
    'aresource',
    `${head}<resources><string name="a"></string><string name="b"/><string name="n" translatable="false">d</string></resources>`,
    [[''], [''], ['d']],
  ],
  [
    'empty values are final',
    'resx',
    `${head}<root><data name="a"><value></value></data><data name="b"><value>c</value></data></root>`,
    [['c']],
  ],
];

function fileOf(content: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'formats-')), 'file');
  writeFileSync(file, content);
  return file;
}

describe('the strings of a file', () => {
  it.each(FILES)('the strings of a file are listed in file order: %s (%s)', (_, format, content, targets) => {
    const units = listUnits(open(format, fileOf(content), { language: 'cs' }));
    expect(units.map(({ target }) => target)).toEqual(targets);
    expect(units.filter(({ readonly }) => readonly).map(({ context }) => context)).toEqual(
      format === 'aresource' ? ['n'] : [],
    );
  });

  it.each(FILES)('the strings of a file are edited individually by their index: %s (%s)', (_, format, content) => {
    const file = fileOf(content);
    const units = listUnits(open(format, file, { language: 'cs' }));
    units.forEach(({ context, source, target }, index) => {
      writeFileSync(file, content);
      // Numbers and booleans accept only values of their type, so they keep their value.
      const wanted = target.with(
        0,
        /^(?:1|true)$/.test(target[0] ?? '') && format === 'toml' ? (target[0] as string) : 'new',
      );
      edit(format, file, { language: 'cs' }, { index, context, source, target: wanted });
      const after = listUnits(open(format, file, { language: 'cs' }));
      expect(after.map((unit) => unit.target)).toEqual(units.map((unit) => unit.target).with(index, wanted));
      const states = (list: typeof after): string[] => list.map(({ state }) => state).toSpliced(index, 1);
      expect(states(after)).toEqual(states(units));
    });
    writeFileSync(file, content);
    edit(format, file, { language: 'cs' }, {});
    expect(readFileSync(file, 'utf8')).toBe(content);
  });
});

it('an edit changes neither states nor header dates', () => {
  const cases = [
    [
      'po',
      'msgid ""\nmsgstr "PO-Revision-Date: 2020-01-01 00:00+0000\\n"\n\n#, fuzzy\nmsgid "a"\nmsgstr "b"\n',
      '"b"',
      '"n"',
    ],
    ['ts', ts(message('a', '<translation type="unfinished">b</translation>')), '>b<', '>n<'],
    [
      'xliff',
      `${head}<xliff version="1.2"><file source-language="en" target-language="cs" original="x" datatype="plaintext" date="2020-01-01T00:00:00Z"><body><trans-unit id="a" approved="no"><source>a</source><target state="needs-translation">b</target></trans-unit></body></file></xliff>`,
      '>b<',
      '>n<',
    ],
  ] as const;
  for (const [format, content, before, after] of cases) {
    const file = fileOf(content);
    edit(format, file, { language: 'cs' }, { index: 0, target: ['n'] });
    expect(readFileSync(file, 'utf8')).toBe(content.replace(before, after));
  }
});
