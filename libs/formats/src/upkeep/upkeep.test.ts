import {
  compilePo,
  creditAuthor,
  followBase,
  formatOf,
  layoutJson,
  layoutXml,
  layoutYaml,
  mergeTemplate,
  removeBlank,
  removeUnknownStrings,
  rewrapPo,
  sortProperties,
} from '../index';

const header = (extra = '') => `# Example.
msgid ""
msgstr ""
"POT-Creation-Date: 2026-01-01 12:00+0000\\n"
"Language: cs\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;\\n"
${extra}`;
const text = (bytes: Buffer) => bytes.toString('utf8');
const merge = (po: string, pot: string, options = {}) =>
  text(
    mergeTemplate(Buffer.from(po), Buffer.from(pot), { previous: true, noLocation: false, fuzzy: true, ...options }),
  );

describe('mergeTemplate', () => {
  const po = `${header()}
# Remark.
#: a.c:1
msgid "One"
msgstr "Jedna"

#: a.c:2
msgid "Open the file now"
msgstr "Otevřít soubor nyní"

#: a.c:3
msgid "Gone"
msgstr "Pryč"

#: a.c:4
msgid "Never translated"
msgstr ""

#~ msgid "Comes back"
#~ msgstr "Vrací se"
`;
  const pot = `${header().replace('2026-01-01', '2026-02-02').replace('Language: cs', 'Language: ')}
#. For developers.
#: a.c:9
#, c-format
msgid "%d new"
msgid_plural "%d news"
msgstr[0] ""
msgstr[1] ""

#: a.c:1
msgid "One"
msgstr ""

#: b.c:7
msgid "Open the files now"
msgstr ""

#: b.c:8
msgid "Comes back"
msgstr ""
`;
  const merged = `${header().replace('2026-01-01', '2026-02-02')}
#. For developers.
#: a.c:9
#, c-format
msgid "%d new"
msgid_plural "%d news"
msgstr[0] ""
msgstr[1] ""
msgstr[2] ""

# Remark.
#: a.c:1
msgid "One"
msgstr "Jedna"

#: b.c:7
#, fuzzy
#| msgid "Open the file now"
msgid "Open the files now"
msgstr "Otevřít soubor nyní"

#: b.c:8
msgid "Comes back"
msgstr "Vrací se"

#~ msgid "Gone"
#~ msgstr "Pryč"
`;

  it('mergeTemplate adds new strings, keeps translations, uses similar and obsolete ones, and marks removed strings obsolete', () => {
    expect(merge(po, pot)).toBe(merged);
  });

  it('mergeTemplate is idempotent and returns the same bytes for an unchanged template', () => {
    expect(merge(merged, pot)).toBe(merged);
    expect(merge(po, po)).toBe(po);
  });

  it('mergeTemplate uses similar strings, previous texts and locations only if the options say so', () => {
    expect(merge(po, pot, { fuzzy: false })).toContain('msgid "Open the files now"\nmsgstr ""');
    expect(merge(po, pot, { previous: false })).not.toContain('#| ');
    expect(merge(po, pot, { noLocation: true })).not.toContain('#: ');
  });

  it('mergeTemplate marks a string fuzzy when it gains plural forms', () => {
    const plural = `${header()}\nmsgid "One"\nmsgid_plural "Many"\nmsgstr[0] ""\nmsgstr[1] ""\n`;
    expect(merge(`${header()}\nmsgid "One"\nmsgstr "Jedna"\n`, plural)).toContain(
      '#, fuzzy\n#| msgid "One"\nmsgid "One"\nmsgid_plural "Many"\nmsgstr[0] "Jedna"\nmsgstr[1] "Jedna"\nmsgstr[2] "Jedna"\n',
    );
  });

  it('mergeTemplate keeps charset and line ends', () => {
    const latin = Buffer.from(
      `${header().replace('UTF-8', 'ISO-8859-2')}\nmsgid "One"\nmsgstr "Jedna\xed"\n`.replace(/\n/g, '\r\n'),
      'latin1',
    );
    const out = mergeTemplate(latin, Buffer.from(pot), { previous: true, noLocation: false, fuzzy: true });
    expect(out.toString('latin1')).toContain('msgstr "Jedna\xed"\r\n');
    expect(out.toString('latin1')).not.toMatch(/[^\r]\n/);
  });

  it('mergeTemplate converts the file to UTF-8 for strings outside its charset', () => {
    const latin = Buffer.from(
      `${header().replace('UTF-8', 'ISO-8859-2')}\nmsgid "One"\nmsgstr "Jedna\xed"\n`,
      'latin1',
    );
    const template = `${header()}\nmsgid "One"\nmsgstr ""\n\nmsgid "5 €"\nmsgstr ""\n`;
    const out = text(mergeTemplate(latin, Buffer.from(template), { previous: true, noLocation: false, fuzzy: true }));
    expect(out).toBe(`${header()}\nmsgid "One"\nmsgstr "Jednaí"\n\nmsgid "5 €"\nmsgstr ""\n`);
  });
});

describe('the maintenance of gettext files', () => {
  it('credits an author once per year', () => {
    const ann = { name: 'Ann', email: 'ann@example.com' };
    const once = text(creditAuthor(Buffer.from(header()), ann, 2025));
    expect(once.split('\n').slice(0, 3)).toEqual(['# Example.', '# Ann <ann@example.com>, 2025.', 'msgid ""']);
    expect(text(creditAuthor(Buffer.from(once), ann, 2025))).toBe(once);
    const twice = text(creditAuthor(Buffer.from(once), ann, 2026));
    expect(twice).toContain('# Ann <ann@example.com>, 2025, 2026.\n');
    const closed = text(creditAuthor(Buffer.from(`# Title.\n#\n${header().slice(11)}`), ann, 2026));
    expect(closed).toMatch(/^# Title\.\n# Ann <ann@example\.com>, 2026\.\n#\nmsgid/);
  });

  it('the maintenance of gettext files converts a file to UTF-8 for authors outside its charset', () => {
    const plain = header().replace('UTF-8', 'US-ASCII');
    const author = { name: 'Žofie', email: 'z@example.com' };
    const line = '# Žofie <z@example.com>, 2025.\n';
    expect(text(creditAuthor(Buffer.from(plain), author, 2025))).toBe(header().replace('msgid', `${line}msgid`));
  });

  it('the maintenance of gettext files converts a file to UTF-8 when wrapped lines have characters outside its charset', () => {
    const named = header().replace('UTF-8', 'EUC-KR');
    const long = Buffer.from(`${named}\nmsgid "a"\nmsgstr "\x8cc${' word'.repeat(30)}"\n`, 'latin1');
    const out = text(rewrapPo(long, 77));
    expect(out).toContain('charset=UTF-8');
    expect(out).toContain('"똠 word');
  });

  it('the maintenance of gettext files wraps lines at the given width and reverts it', () => {
    const long = 'word '.repeat(30).trim();
    const one = `${header()}\nmsgid "a"\nmsgstr "${long}"\n`;
    const wrapped = text(rewrapPo(Buffer.from(one), 77));
    expect(wrapped).toContain('msgstr ""\n"word word');
    expect(Math.max(...wrapped.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(text(rewrapPo(Buffer.from(wrapped), -1))).toBe(one);
    expect(text(rewrapPo(Buffer.from(wrapped), 77))).toBe(wrapped);
  });

  it('the maintenance of gettext files compiles translated strings', () => {
    const source = `${header()}
msgctxt "menu"
msgid "Open"
msgstr "Otevřít"

#, fuzzy
msgid "Save"
msgstr "Uložit"

msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d soubor"
msgstr[1] "%d soubory"
msgstr[2] "%d souborů"
`;
    const units = (fuzzy: boolean) =>
      formatOf('mo')
        .parse(compilePo(Buffer.from(source), fuzzy))
        .units.map((unit) => [unit.context, ...unit.target]);
    expect(units(false)).toEqual([
      ['', '%d soubor', '%d soubory', '%d souborů'],
      ['menu', 'Otevřít'],
    ]);
    expect(units(true)).toContainEqual(['', 'Uložit']);
  });
});

describe('the layout of files', () => {
  it('the layout of JSON files is indented and sorted without changing values', () => {
    const json = '{"b":1.50,"a":{"z":"\\u0041","y":[]},"list":[1,{"k":null}]}\n';
    expect(text(layoutJson(Buffer.from(json), { sortKeys: true, indent: '  ' }))).toBe(
      '{\n  "a": {\n    "y": [],\n    "z": "\\u0041"\n  },\n  "b": 1.50,\n  "list": [\n    1,\n    {\n      "k": null\n    }\n  ]\n}\n',
    );
    const done = layoutJson(Buffer.from(json), { sortKeys: false, indent: '\t' });
    expect(layoutJson(done, { sortKeys: false, indent: '\t' })).toBe(done);
    expect(JSON.parse(text(done))).toEqual(JSON.parse(json));
    expect(() => layoutJson(Buffer.from('{"a":'), { sortKeys: false, indent: '' })).toThrow('not JSON');
  });

  it('the layout of YAML files is normalized and keeps comments', () => {
    const yaml = '# Head\nen:\n    hello: World # remark\n    list:\n        - a\n';
    expect(text(layoutYaml(Buffer.from(yaml), { indent: 2, width: 80, lineBreak: 'dos' }))).toBe(
      '# Head\r\nen:\r\n  hello: World # remark\r\n  list:\r\n    - a\r\n',
    );
  });

  it('the layout of empty XML elements has closing tags or none', () => {
    const xml = '<r><!-- <a/> --><a x="1/>"/><b></b><c>text</c></r>';
    expect(text(layoutXml(Buffer.from(xml), true))).toBe('<r><!-- <a/> --><a x="1/>"></a><b></b><c>text</c></r>');
    expect(text(layoutXml(Buffer.from(xml), false))).toBe('<r><!-- <a/> --><a x="1/>"/><b/><c>text</c></r>');
  });

  it('the layout of XML elements can change if their attributes have characters outside the charset', () => {
    const file = (element: string): Buffer =>
      Buffer.from(`<?xml version="1.0" encoding="EUC-KR"?>\n<r>${element}</r>\n`, 'latin1');
    expect(layoutXml(file('<a k="\x8cc"/>'), true)).toEqual(file('<a k="&#46624;"></a>'));
  });

  it('the layout of properties files is sorted together with comments and continuation lines', () => {
    const source = '# Licence\n\n# About b\nb = 2 \\\n   more\nA=1\nc:3\n';
    expect(text(sortProperties(Buffer.from(source), 'properties', false))).toBe(
      '# Licence\n\nA=1\n# About b\nb = 2 \\\n   more\nc:3\n',
    );
    expect(text(sortProperties(Buffer.from('b=1\nB=2\na=3\n'), 'properties', true))).toBe('B=2\na=3\nb=1\n');
  });
});

describe('the update from a base file', () => {
  const json = formatOf('json');
  const options = { monolingual: true, language: 'cs', sourceLanguage: 'en' };

  it('the update from a base file removes strings that the base does not have, and blank ones', () => {
    const base = Buffer.from('{"a": "A", "b": "B"}');
    expect(text(removeUnknownStrings(json, Buffer.from('{"a": "1", "x": "2"}'), base, options))).toBe('{"a": "1"}');
    expect(text(removeBlank(json, Buffer.from('{"a": "", "b": "2"}'), options))).not.toContain('"a"');
    const same = Buffer.from('{"a": "1"}');
    expect(removeUnknownStrings(json, same, base, options)).toBe(same);
  });

  it('the update from a base file adds and removes keys like the base', () => {
    const resx = (body: string) => Buffer.from(`<?xml version="1.0"?>\n<root>\n${body}</root>\n`);
    const data = (name: string, value: string) =>
      `  <data name="${name}" xml:space="preserve">\n    <value>${value}</value>\n  </data>\n`;
    const out = text(
      followBase(
        formatOf('resx'),
        resx(data('a', '1') + data('x', '2')),
        resx(data('a', 'A') + data('b', 'B')),
        options,
      ),
    );
    expect(out).toContain('name="b"');
    expect(out).toContain('<value>B</value>');
    expect(out).toContain('<value>1</value>');
    expect(out).not.toContain('name="x"');
  });
});
