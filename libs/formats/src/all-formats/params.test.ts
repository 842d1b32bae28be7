import { mergeTemplate } from '../po/merge';
import { formatOf } from '../formats';
import type { Change, FormatParams } from '../format';
import { formatInfo, registry } from '../registry';

const long = `${'word '.repeat(30)}end`;

/** The content of a file after changes with the given parameters. */
function written(format: string, content: string, changes: readonly Change[], params: FormatParams): string {
  return formatOf(format).parse(Buffer.from(content), { language: 'cs', params }).apply(changes).toString();
}

const set = (target: string, index = 0): Change => ({ op: 'set', index, target: [target] });
const add = (context: string, target: string): Change => ({ op: 'add', context, source: [context], target: [target] });

describe('the parameter yaml_line_wrap', () => {
  const widest = (text: string): number => Math.max(...text.split(/\r?\n/).map((line) => line.length));

  it.each([
    ['a plain text', 'a: b\nx: y\n'],
    ['a text in quotes', 'a: "b"\nx: y\n'],
    ['a text in apostrophes', "a: 'b'\nx: y\n"],
    ['an item of a list', 'a:\n  - b\nx: y\n'],
  ])('the parameter yaml_line_wrap wraps %s that is changed', (_, content) => {
    const text = written('yaml', content, [set(long)], { yaml_line_wrap: 80 });
    expect(widest(text)).toBeLessThanOrEqual(80);
    expect(text.split('\n').length).toBeGreaterThan(3);
    expect(text.endsWith('x: y\n')).toBe(true);
    expect(formatOf('yaml').parse(Buffer.from(text)).units[0]?.target).toEqual([long]);
    const wider = written('yaml', content, [set(long)], { yaml_line_wrap: 120 });
    expect(widest(wider)).toBeGreaterThan(100);
    expect(widest(wider)).toBeLessThanOrEqual(120);
  });

  it('the parameter yaml_line_wrap wraps the texts of new strings', () => {
    const text = written('ruby-yaml', 'cs: {}\n', [add('a->b', long)], { yaml_line_wrap: 80 });
    expect(widest(text)).toBeLessThanOrEqual(80);
    expect(formatOf('ruby-yaml').parse(Buffer.from(text)).units[0]?.target).toEqual([long]);
  });

  it('the parameter yaml_line_wrap has no effect in files with long lines or with the value for no wrapping', () => {
    const kept = written('yaml', `a: b\nx: ${long}\n`, [set(`${long}!`)], { yaml_line_wrap: 80 });
    expect(kept).toBe(`a: ${long}!\nx: ${long}\n`);
    expect(written('yaml', 'a: b\n', [set(long)], { yaml_line_wrap: 65535 })).toBe(`a: ${long}\n`);
    expect(written('yaml', 'a: b\n', [set(long)], {})).toBe(`a: ${long}\n`);
  });

  it('the parameter yaml_line_wrap is not needed in files that wrap long texts, or for texts that were wrapped', () => {
    const broken = written('yaml', 'a: b\nx: "some text that is long enough\n  and goes on"\n', [set(long)], {});
    expect(widest(broken)).toBeLessThanOrEqual(80);
    const folded = written('yaml', 'a: >-\n  some text\n  that goes on\nx: y\n', [set(long)], {});
    expect(folded.startsWith('a: >-\n  word word')).toBe(true);
    expect(widest(folded)).toBeLessThanOrEqual(80);
    expect(formatOf('yaml').parse(Buffer.from(folded)).units[0]?.target).toEqual([long]);
  });

  it('the parameter yaml_line_wrap never wraps where the new line would change the meaning', () => {
    for (const text of [
      ' a b'.repeat(40),
      'a - b '.repeat(40),
      `${'a # '.repeat(40)}`,
      '"x" '.repeat(40),
      "'' ".repeat(40),
    ]) {
      for (const content of [
        'a: b\n',
        'a: "b"\n',
        "a: 'b'\n",
        'a:\n- b\n',
        'a: >\n  b\n  c\n',
        'a: "b\n  c"\n',
        'a: [b]\n',
      ]) {
        const after = written('yaml', content, [set(text)], { yaml_line_wrap: 80 });
        expect(formatOf('yaml').parse(Buffer.from(after)).units[0]?.target).toEqual([text]);
      }
    }
  });
});

describe('the parameter yaml_line_break', () => {
  it.each([
    ['dos', '\r\n'],
    ['unix', '\n'],
    ['mac', '\r'],
  ] as const)(
    'yaml_line_break with the value %s sets the line ends of a new file and of additions to it',
    (yaml_line_break, eol) => {
      const params = { yaml_line_break };
      for (const base of [undefined, Buffer.from('en:\n  a: b\n')]) {
        const file = formatOf('ruby-yaml').createTranslation(base, { language: 'cs', params });
        const again = formatOf('ruby-yaml').parse(file, { language: 'cs', params });
        const text = again.apply([add('d->e', 'one'), add('d->f', 'two')]).toString();
        expect(text.split(eol)).toEqual(['cs:', ...(base ? ['  a: ""'] : []), '  d:', '    e: one', '    f: two', '']);
        expect(again.metadata.eol).toBe(eol);
      }
    },
  );

  it('the parameter yaml_line_break has no effect in files with line ends', () => {
    expect(written('yaml', 'a: b\n', [add('c', 'd')], { yaml_line_break: 'dos' })).toBe('a: b\nc: d\n');
    expect(written('yaml', 'a: b\r\n', [add('c', 'd')], { yaml_line_break: 'unix' })).toBe('a: b\r\nc: d\r\n');
    expect(written('yaml', 'a: b', [add('c', 'd')], { yaml_line_break: 'dos' })).toBe('a: b\r\nc: d');
  });
});

describe('the parameter xml_closing_tags', () => {
  const ts = (inner: string): string =>
    `<TS version="2.1"><context><name>W</name><message><source>a</source>${inner}</message></context></TS>\n`;
  const xliff = (inner: string): string =>
    `<xliff version="1.2"><file source-language="en"><body><trans-unit id="a"><source>a</source>${inner}</trans-unit></body></file></xliff>\n`;
  const xliff2 = (inner: string): string =>
    `<xliff version="2.0" srcLang="en"><file id="f"><unit id="a"><segment><source>a</source>${inner}</segment></unit></file></xliff>\n`;
  const resx = (inner: string): string => `<root><data name="a">${inner}</data></root>\n`;
  const android = (inner: string): string => `<resources>${inner}</resources>\n`;
  const rows: [string, (inner: string) => string, string, string][] = [
    ['ts', ts, 'translation', ''],
    ['plainxliff', xliff, 'target', ''],
    ['xliff', xliff, 'target', ''],
    ['poxliff', xliff, 'target', ''],
    ['xliff2', xliff2, 'target', ''],
    ['resx', resx, 'value', ''],
    ['aresource', android, 'string', ' name="a"'],
    ['moko-resource', android, 'string', ' name="a"'],
    ['cmp-resource', android, 'string', ' name="a"'],
  ];

  it('the parameter xml_closing_tags is tested with every format that supports it', () => {
    const known = registry.filter(({ params }) => params.includes('xml_closing_tags')).map(({ id }) => id);
    expect(rows.map(([id]) => id).sort()).toEqual([...known].sort());
  });

  it.each(rows)(
    'the parameter xml_closing_tags decides how %s writes a text that becomes blank',
    (id, around, name, attributes) => {
      const full = around(`<${name}${attributes}>b</${name}>`);
      const closed = around(`<${name}${attributes}></${name}>`);
      expect(written(id, full, [set('')], { xml_closing_tags: false })).toBe(around(`<${name}${attributes}/>`));
      expect(written(id, full, [set('')], { xml_closing_tags: true })).toBe(closed);
      expect(written(id, full, [set('')], {})).toBe(closed);
    },
  );

  it.each(rows.filter(([, around]) => around !== android))(
    'the parameter xml_closing_tags decides how %s writes blank texts of a new file',
    (id, around, name) => {
      const made = (xml_closing_tags: boolean): string =>
        formatOf(id)
          .createTranslation(Buffer.from(around(`<${name}/>`)), { language: 'cs', params: { xml_closing_tags } })
          .toString();
      expect(made(true)).toContain(`></${name}>`);
      expect(made(false)).not.toContain(`</${name}>`);
    },
  );

  it.each([
    ['ts', ts('<translation>b</translation>'), '<translation type="unfinished"/>'],
    ['resx', resx('<value>b</value>'), '<value/>'],
    ['aresource', android('<string name="a">b</string>'), '<string name="W"/>'],
  ])('the parameter xml_closing_tags decides how %s adds a blank text', (id, content, wanted) => {
    const blank: Change = { op: 'add', context: 'W', source: ['new'], target: [''] };
    expect(written(id, content, [blank], { xml_closing_tags: false })).toContain(wanted);
    expect(written(id, content, [blank], { xml_closing_tags: true })).not.toContain(wanted);
  });

  it('the parameter xml_closing_tags keeps the attributes of an element that loses its closing tag', () => {
    const change: Change = { op: 'set', index: 0, target: [''], state: 'empty' };
    expect(written('xliff', xliff('<target state="final">b</target>'), [change], { xml_closing_tags: false })).toBe(
      xliff('<target state="new"/>'),
    );
    expect(written('ts', ts('<translation>b</translation>'), [change], { xml_closing_tags: false })).toBe(
      ts('<translation type="unfinished"/>'),
    );
  });
});

describe('the parameters of JSON formats', () => {
  const ids = registry.filter(({ params }) => params.includes('json_sort_keys')).map(({ id }) => id);
  const tabs: FormatParams = { json_indent: 1, json_indent_style: 'tabs' };

  it.each(ids.filter((id) => formatInfo(id)?.newFile === 'built-in'))(
    'the parameters of JSON formats set the layout of additions to a new %s file',
    (id) => {
      const made = (params: FormatParams): string => {
        const format = formatOf(id);
        const file = format.createTranslation(undefined, { language: 'cs', params });
        return format
          .parse(file, { language: 'cs', params })
          .apply([add('b', 'B'), add('a', 'A')])
          .toString();
      };
      expect(made(tabs)).toMatch(/\n\t+"/);
      expect(made(tabs)).not.toMatch(/\n +"/);
      expect(made({ json_indent: 32 })).toMatch(/\n {32}["{]/);
      expect(made({ json_use_compact_separators: true })).not.toContain('": ');
      expect(made({})).toMatch(/\n {4}["{][^]*": /);
    },
  );

  it.each(['json', 'json-nested', 'webextension', 'i18next', 'i18nextv4', 'go-i18n-json-v2', 'arb', 'formatjs'])(
    'the parameters of JSON formats sort new keys of %s, also in a new file',
    (id) => {
      const params = { json_sort_keys: true };
      const format = formatOf(id);
      const file = format.createTranslation(undefined, { language: 'cs', params });
      const text = format.parse(file, { language: 'cs', params }).apply([add('b', 'B'), add('a', 'A')]);
      const more = format
        .parse(text, { language: 'cs', params })
        .apply([add('ab', 'C')])
        .toString();
      const places = ['"a"', '"ab"', '"b"'].map((key) => more.indexOf(key));
      expect(places.every((place) => place > 0)).toBe(true);
      expect(places).toEqual([...places].sort((a, b) => a - b));
    },
  );
});

describe('the parameter po_line_wrap', () => {
  const content = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "a"\nmsgstr ""\n';
  const text = `${long}\\n${long}`.replaceAll('\\n', '\n');

  it.each(['po', 'po-mono'])(
    'the parameter po_line_wrap wraps new texts of %s if the file shows no wrapping style',
    (id) => {
      const lines = (po_line_wrap: number): string[] =>
        written(id, content, [set(text)], { po_line_wrap })
          .split('msgstr')
          .at(-1)!
          .trim()
          .split('\n');
      expect(lines(77).length).toBeGreaterThan(4);
      expect(lines(65535)).toHaveLength(3);
      expect(lines(-1)).toHaveLength(1);
    },
  );

  it('the parameter po_line_wrap wraps the output of a merge', () => {
    const old = Buffer.from(`${content}\n#~ msgid "b"\n#~ msgstr "${long}"\n`);
    const template = Buffer.from(`${content}\nmsgid "b"\nmsgstr ""\n`);
    const merged = (lineWrap: number): string =>
      mergeTemplate(old, template, { previous: true, noLocation: true, fuzzy: false, lineWrap }).toString();
    expect(merged(-1)).toContain(`msgstr "${long}"`);
    expect(merged(77)).toContain('msgstr ""\n"word');
  });
});

it('the parameters of template merges apply only to gettext files with sources', () => {
  const holders = (name: string): string[] =>
    registry.filter(({ params }) => (params as readonly string[]).includes(name)).map(({ id }) => id);
  for (const name of ['po_keep_previous', 'po_no_location', 'po_fuzzy_matching']) expect(holders(name)).toEqual(['po']);
});

it('the flatxml parameters set the names in parsed, edited and new files', () => {
  const params = { flatxml_root_name: 'texts', flatxml_value_name: 't', flatxml_key_name: 'id' };
  const made = formatOf('flatxml').createTranslation(undefined, { language: 'cs', params }).toString();
  const text = written('flatxml', made, [add('a', 'b')], params);
  expect(text).toContain('<texts>');
  expect(text).toContain('<t id="a">b</t>');
});

it('every format supports lines that end with a lone carriage return', () => {
  const po = 'msgid ""\rmsgstr ""\r"Language: cs\\n"\r\rmsgid "a"\rmsgstr "b"\r';
  expect(written('po', po, [set('c')], {})).toBe(po.replace('"b"', '"c"'));
  const ini = '[s]\ra=b\rc=d\r';
  expect(written('ini', ini, [set('x', 1)], {})).toBe(ini.replace('c=d', 'c=x'));
  expect(written('yaml', 'a: b\rc:\r  d: e\r', [set('x', 1)], {})).toBe('a: b\rc:\r  d: x\r');
  expect(formatOf('yaml').parse(Buffer.from('a: b\rc: d\r')).units[1]).toMatchObject({ line: 2, column: 1 });
});

it('an incomplete UTF-16 character at the end of a file is an error with its location', () => {
  const bytes = Buffer.from('\ufeffmsgid "a"\nmsgstr "b"\n', 'utf16le');
  expect(formatOf('po').parse(bytes).units).toHaveLength(1);
  expect(() => formatOf('po').parse(bytes.subarray(0, -1))).toThrow(
    expect.objectContaining({ code: 'charset', line: 2, column: 11 }),
  );
});
