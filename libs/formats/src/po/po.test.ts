import { FormatError, type SetChange } from '../format';
import { po, poMono } from './po';

const sample = [
  '# Translators of the sample',
  'msgid ""',
  'msgstr ""',
  '"Language: cs\\n"',
  '"Content-Type: text/plain; charset=UTF-8\\n"',
  '"Plural-Forms: nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;\\n"',
  '',
  '# by a translator',
  '#. for translators',
  '#: a.c:1 b.c:2',
  '#, fuzzy, c-format',
  '#| msgid "Old %d"',
  'msgctxt "menu"',
  'msgid "New %d"',
  'msgstr "Nové %d"',
  '',
  'msgid "One"',
  'msgid_plural "Many"',
  'msgstr[0] "Jeden"',
  'msgstr[1] "Dva"',
  'msgstr[2] ""',
  '"Mnoho "',
  '"slov"',
  '',
  'msgid "Empty\\q\\n"',
  'msgstr ""',
  '',
  '#~ msgid "gone"',
  '#~ msgstr "pryč"',
  '',
].join('\n');

const parse = (text: string) => po.parse(Buffer.from(text));
const apply = (text: string, ...changes: Parameters<ReturnType<typeof parse>['apply']>[0]) =>
  parse(text).apply(changes).toString();

describe('parsing PO', () => {
  it('parsing PO returns units with all properties', () => {
    const { units, metadata } = parse(sample);
    expect(metadata.headers.get('Language')).toBe('cs');
    expect(metadata.plural?.count).toBe(3);
    expect(units.map((unit) => unit.source[0])).toEqual(['New %d', 'One', 'Empty\\q\n']);
    expect(units[0]).toMatchObject({
      context: 'menu',
      target: ['Nové %d'],
      state: 'fuzzy',
      note: 'for translators',
      comment: 'by a translator',
      location: 'a.c:1, b.c:2',
      flags: ['c-format'],
      previousSource: 'Old %d',
      line: 13,
    });
    expect(units[1]).toMatchObject({ source: ['One', 'Many'], target: ['Jeden', 'Dva', 'Mnoho slov'], plural: true });
    expect(units[2]).toMatchObject({ target: [''], state: 'empty' });
  });

  it('parsing PO uses the charset of the header', () => {
    const text = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-2\\n"\n\nmsgid "a"\nmsgstr "\xb9"\n';
    const file = po.parse(Buffer.from(text, 'latin1'));
    expect(file.units[0]?.target).toEqual(['š']);
    expect(file.apply([{ op: 'set', index: 0, target: ['ž'] }]).toString('latin1')).toBe(text.replace('\xb9', '\xbe'));
  });

  it.each(['\n', '\r\n', '\r'])(
    'parsing PO converts the file to UTF-8 for texts outside its charset, with the line end %j',
    (eol) => {
      const lines = [
        '# \xa9ar\xe1d',
        'msgid ""',
        'msgstr ""',
        '"Language: cs\\n"',
        '"Content-Type: text/plain; charset=iso-8859-2\\n"',
        '',
        'msgid "a"',
        'msgstr "\xb9"',
        '',
        'msgid "b"',
        'msgstr "charset=iso-8859-2 \xe8"',
        '',
      ];
      const file = po.parse(Buffer.from(lines.join(eol), 'latin1'));
      const written = file.apply([
        { op: 'set', index: 0, target: ['oko €'] },
        { op: 'add', context: '', source: ['c'], target: ['日'] },
      ]);
      const wanted = ['# Šarád', ...lines.slice(1, 4), lines[4]!.replace('iso-8859-2', 'UTF-8'), '', 'msgid "a"'];
      wanted.push(
        'msgstr "oko €"',
        '',
        'msgid "b"',
        'msgstr "charset=iso-8859-2 č"',
        '',
        'msgid "c"',
        'msgstr "日"',
        '',
      );
      expect(written.toString()).toBe(wanted.join(eol));
      expect(file.apply([{ op: 'set', index: 0, target: ['oko'] }]).toString('latin1')).toBe(
        lines.join(eol).replace('"\xb9"', '"oko"'),
      );
    },
  );

  it.each(['US-ASCII', 'ascii', 'ANSI_X3.4-1968', 'ISO646-US', 'ISO_646.irv:1991', 'cp367'])(
    'parsing PO converts the file to UTF-8 for texts outside %s',
    (charset) => {
      const text = (name: string, target: string): string =>
        `msgid ""\nmsgstr "Content-Type: text/plain; charset=${name}\\n"\n\nmsgid "a"\nmsgstr "${target}"\n`;
      const file = po.parse(Buffer.from(text(charset, 'z')));
      expect(file.apply([{ op: 'set', index: 0, target: ['é ž'] }]).toString()).toBe(text('UTF-8', 'é ž'));
      expect(file.apply([{ op: 'set', index: 0, target: ['e z'] }]).toString()).toBe(text(charset, 'e z'));
      expect(po.parse(Buffer.from(text(charset, 'é'))).units[0]?.target).toEqual(['é']);
    },
  );

  it.each([
    ['GB2312', '中', '镕€丂—'],
    ['EUC-CN', '中', '镕'],
    ['GBK', '中—ⅰ', '€'],
    ['GB18030', '中€镕', '︐'],
    ['EUC-KR', '똑€', '똠'],
    ['KS_C_5601-1987', '똑', '똠'],
    ['Shift_JIS', '表ｱ', '①～髙'],
    ['SJIS', '表', '①'],
    ['EUC-JP', '表ｱ丂', '①髙'],
    ['Big5', '中十', 'éЁ'],
    ['Big5-HKSCS', '中é', '€'],
    ['macintosh', 'é', '¤∆'],
    ['KOI8-R', 'ж', 'é\uFFFD'],
    ['CP949', '똠', 'ž'],
    ['CP932', '①', 'ž'],
  ])('parsing PO encodes %s by its standard, not by its supersets', (charset, held, lacking) => {
    const text = (name: string, target: string): string =>
      `msgid ""\nmsgstr "Content-Type: text/plain; charset=${name}\\n"\n\nmsgid "a"\nmsgstr "${target}"\n`;
    const file = po.parse(Buffer.from(text(charset, 'z')));
    const written = (target: string): Buffer => file.apply([{ op: 'set', index: 0, target: [target] }]);
    expect(written(held).toString('latin1')).toContain(`charset=${charset}`);
    expect(po.parse(written(held)).units[0]?.target).toEqual([held]);
    for (const char of lacking) expect(written(char).toString()).toBe(text('UTF-8', char));
  });

  it.each([
    ['an unknown charset', 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=x-nothing\\n"\n', 'charset', 3],
    ['bytes of another charset', 'msgid "a"\nmsgstr "\xb9"\n', 'charset', 2],
    ['an unknown word', 'msgid "a"\nmsgstr "b"\n\nhello\n', 'syntax', 4],
    ['an open string', 'msgid "a\nmsgstr "b"\n', 'syntax', 1],
    ['no msgstr', 'msgid "a"\n\nmsgid "b"\nmsgstr ""\n', 'syntax', 3],
    ['a msgstr alone', 'msgstr "b"\n', 'syntax', 1],
    ['a NUL', 'msgid "a"\nmsgstr "\0"\n', 'syntax', 2],
    ['the end in an entry', 'msgid "a"\n', 'syntax', 1],
  ])('parsing PO reports the code and line of %s', (_, text, code, line) => {
    const error = (() => {
      try {
        return po.parse(Buffer.from(text, 'latin1'));
      } catch (caught) {
        return caught;
      }
    })();
    expect(error).toBeInstanceOf(FormatError);
    expect(error).toMatchObject({ code, line });
  });
});

describe('writing PO', () => {
  it('writing PO returns the same bytes without a change, for all line ends and byte order marks', () => {
    for (const text of [sample, sample.replaceAll('\n', '\r\n'), `\uFEFF${sample}`]) expect(apply(text)).toBe(text);
  });

  it('writing PO changes only the edited string', () => {
    expect(apply(sample, { op: 'set', index: 0, target: ['Úplně "nové" %d'] })).toBe(
      sample.replace('"Nové %d"', '"Úplně \\"nové\\" %d"'),
    );
    expect(apply(sample, { op: 'set', index: 1, target: ['Jeden', 'Dvě', 'Mnoho slov'] })).toBe(
      sample.replace('"Dva"', '"Dvě"'),
    );
  });

  it('writing PO wraps long strings and strings with line feeds', () => {
    const long = 'slovo '.repeat(30).trim();
    const out = apply(sample, { op: 'set', index: 2, target: [long] });
    expect(out.split('\n').every((line) => line.length <= 79)).toBe(true);
    expect(parse(out).units[2]?.target).toEqual([long]);
    expect(apply(sample, { op: 'set', index: 2, target: ['a\nb\n'] })).toContain('msgstr ""\n"a\\n"\n"b\\n"\n');
  });

  it('writing PO adds and removes the fuzzy flag with the state', () => {
    expect(apply(sample, { op: 'set', index: 0, target: ['Nové %d'], state: 'translated' })).toBe(
      sample.replace('#, fuzzy, c-format\n#| msgid "Old %d"', '#, c-format'),
    );
    expect(apply(sample, { op: 'set', index: 1, target: ['Jeden', 'Dva', 'Mnoho slov'], state: 'fuzzy' })).toBe(
      sample.replace('msgid "One"', '#, fuzzy\nmsgid "One"'),
    );
  });

  it('writing PO removes any combination of entries', () => {
    const ids = ['A', 'B', 'C', 'D'];
    const entry = (id: string) => `msgid "${id}"\nmsgstr "${id.toLowerCase()}"\n`;
    const file = (some: readonly string[]) => some.map(entry).join('\n');
    for (let mask = 1; mask < 16; mask++) {
      const kept = ids.filter((_, i) => !(mask & (1 << i)));
      const changes = ids.flatMap((_, index) => (mask & (1 << index) ? [{ op: 'remove' as const, index }] : []));
      expect(apply(file(ids), ...changes)).toBe(file(kept));
    }
  });

  it('writing PO adds entries before the obsolete ones and removes them again', () => {
    const added = apply(sample, { op: 'add', context: 'c', source: ['Added'], target: ['Přidáno'], note: 'why' });
    expect(added).toBe(
      sample.replace('\n#~ msgid', '\n#. why\nmsgctxt "c"\nmsgid "Added"\nmsgstr "Přidáno"\n\n#~ msgid'),
    );
    expect(apply(added, { op: 'remove', index: 3 })).toBe(sample);
    const shorter = apply(sample, { op: 'remove', index: 0 }, { op: 'remove', index: 1 }, { op: 'remove', index: 2 });
    expect(parse(shorter).units).toEqual([]);
    expect(shorter).toContain('#~ msgid "gone"');
  });

  it('writing PO applies all changes of a call with the original indexes', () => {
    const out = parse(sample).apply([
      { op: 'remove', index: 0 },
      { op: 'add', context: '', source: ['x'], target: ['y'] },
      { op: 'set', index: 2, target: ['z'] },
    ]);
    expect(po.parse(out).units.map((unit) => unit.target.at(-1))).toEqual(['Mnoho slov', 'z', 'y']);
  });

  it.each(['\n', '\r\n', '\r'])(
    'writing PO reads back any combination of texts and states, also without lines between the entries (%j)',
    (eol) => {
      const plural = 'msgid "n"\nmsgid_plural "ns"\nmsgstr[0] "N"';
      const text = `msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=n!=1;\\n"\n${plural}\nmsgid "b"\nmsgstr "B"\n#, fuzzy\n#| msgid "old"\nmsgid "c"\nmsgstr ""\n"C"\n#~ msgid "o"\n#~ msgstr "O"`;
      const file = po.parse(Buffer.from(text.replaceAll('\n', eol)), { plural: { count: 2, formula: 'n != 1' } });
      const texts = ['', 'x', 'two\nlines\n', '"quoted" \\ #, fuzzy', 'ž'.repeat(200)];
      const states = ['fuzzy', 'translated'] as const;
      for (const [i, one] of texts.entries())
        for (const other of texts)
          for (const state of states) {
            const changes: SetChange[] = [
              { op: 'set', index: 2, target: [one], state },
              { op: 'set', index: 1, target: [other], state: states[i % 2]! },
              { op: 'set', index: 0, target: [other, one], state },
            ];
            for (const some of [changes, changes.toReversed(), changes.slice(i % 3)]) {
              const read = po.parse(file.apply(some), { plural: { count: 2, formula: 'n != 1' } }).units;
              const wanted = file.units.map(
                ({ target }, at) => some.find(({ index }) => index === at)?.target ?? target,
              );
              expect(read.map(({ target }) => target)).toEqual(wanted);
            }
          }
    },
  );

  it('writing PO keeps texts that the character set of the file has twice or not at all', () => {
    const text = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=Shift_JIS\\n"\n\nmsgid "a"\nmsgstr "A"\n';
    for (const target of ['\u301C and \uFF5E', '¥ and ‾', 'ž']) {
      const written = apply(text, { op: 'set', index: 0, target: [target] });
      expect(parse(written).units[0]?.target).toEqual([target]);
    }
  });

  it('writing PO rejects invalid changes', () => {
    expect(() => apply(sample, { op: 'set', index: 9, target: ['x'] })).toThrow('no string number 9');
    expect(() => apply(sample, { op: 'set', index: 0, target: ['x', 'y'] })).toThrow('no plural forms');
    expect(() => apply(sample, { op: 'set', index: 0, target: ['\uD800'] })).toThrow('half a character');
    expect(() => apply(sample, { op: 'add', context: '', source: ['One'], target: ['x'] })).toThrow('already');
  });

  it('writing PO sets header fields by line', () => {
    expect(apply(sample, { op: 'header', fields: { Language: 'sk', 'X-New': '1' } })).toBe(
      sample.replace('Language: cs', 'Language: sk').replace('1 : 2;\\n"', '1 : 2;\\n"\n"X-New: 1\\n"'),
    );
  });
});

describe('a new PO string with a base', () => {
  const entry = (text: string): string =>
    `#. why\n#: a.py:1 b.py:2\n#, python-format\nmsgctxt "shop"\nmsgid "foobar"\nmsgid_plural "foobars"\nmsgstr[0] "${text}"\nmsgstr[1] "${text}s"\n`;
  const head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n';
  const base = Buffer.from(`${head}\n${entry('x')}`);
  const target = ['Fu', 'Fus'];

  it.each([
    ['po-mono', poMono, { op: 'add', context: 'shop.foobar', source: ['foobar', 'foobar'], target }],
    ['po', po, { op: 'add', context: 'shop', source: ['foobar', 'foobars'], target }],
  ] as const)('a new PO string with a base has all properties of its entry in %s', (_, format, change) => {
    const written = format.parse(Buffer.from(head)).apply([change], base);
    expect(written.toString()).toBe(`${head}\n${entry('Fu')}`);
    expect(format.parse(written).units[0]?.source).toEqual(['foobar', 'foobars']);
    const noted = format.parse(Buffer.from(head)).apply([{ ...change, note: 'own', flags: [] }], base);
    expect(noted.toString()).toMatch(/\n#\. own\n#: a\.py:1 b\.py:2\nmsgctxt/);
  });

  it('a new PO string with a base does not require an entry in the base', () => {
    const written = poMono
      .parse(Buffer.from(head))
      .apply([{ op: 'add', context: 'other', source: ['other'], target }], base);
    expect(written.toString()).toContain('msgid "other"\nmsgid_plural "other"\nmsgstr[0] "Fu"\n');
  });
});

describe('the PO file of a new language', () => {
  it('the PO file of a new language has blank targets, the plural forms and the language', () => {
    const out = po.createTranslation(Buffer.from(sample), { language: 'de', plural: { count: 2, formula: 'n != 1' } });
    const file = po.parse(out);
    expect(file.units.map((unit) => unit.target)).toEqual([[''], ['', ''], ['']]);
    expect(file.units.map((unit) => unit.state)).toEqual(['empty', 'empty', 'empty']);
    expect(file.metadata.headers.get('Language')).toBe('de');
    expect(file.metadata.plural).toEqual({ count: 2, formula: 'n != 1' });
    expect(out.toString()).not.toContain('gone');
  });

  it('the PO file of a new language requires a base unless the format is monolingual', () => {
    expect(() => po.createTranslation(undefined, { language: 'de' })).toThrow('base');
    const empty = poMono.createTranslation(undefined, { language: 'de' });
    const file = poMono.parse(empty);
    expect(file.metadata.headers.get('Language')).toBe('de');
    const out = file.apply([{ op: 'add', context: 'key', source: [], target: ['Wert'] }]);
    expect(poMono.parse(out).units[0]).toMatchObject({ context: 'key', target: ['Wert'] });
  });
});

it('a PO comment may have any number of locations', () => {
  const places = 200_000;
  const { units } = po.parse(Buffer.from(`#: ${'a:1 '.repeat(places)}\nmsgid "a"\nmsgstr "b"\n`), {});
  expect(units[0]?.location.split(', ')).toHaveLength(places);
});

describe('plural forms of a PO header', () => {
  const withForms = (count: number | string, forms: readonly string[]) =>
    `msgid ""\nmsgstr "Plural-Forms: nplurals=${count}; plural=0;\\n"\n\nmsgid "One"\nmsgid_plural "Many"\n${forms
      .map((form, at) => `msgstr[${at}] "${form}"\n`)
      .join('')}`;
  const plural = { count: 3, formula: '(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2' };
  const open = (count: number | string, ...forms: string[]) =>
    po.parse(Buffer.from(withForms(count, forms)), { plural });

  it.each([
    [4, ['a', '', '', '']],
    [2, ['a', '']],
    [1, ['a']],
    ['INTEGER', ['a', '', '']],
    [0, ['a', '', '']],
    [99, ['a', '', '']],
  ])('plural forms of a PO header override those of the language in units: %s', (count, target) => {
    expect(open(count, 'a').units[0]!.target).toEqual(target);
  });
  it('plural forms of a PO header determine the number of written forms', () => {
    const file = open(4, 'a', 'b', 'c', 'd');
    const write = (...target: string[]) => file.apply([{ op: 'set', index: 0, target }]).toString();
    expect(write('A', 'B', 'C', 'D')).toBe(withForms(4, ['A', 'B', 'C', 'D']));
    expect(write('A', 'B', 'C')).toBe(withForms(4, ['A', 'B', 'C', '']));
    expect(() => write('A', 'B', 'C', 'D', 'E')).toThrow('4 plural forms');
    const add = { op: 'add', context: '', source: ['x', 'y'], target: ['X', 'Y', 'Z'], state: 'translated' } as const;
    expect(file.apply([add]).toString()).toMatch(/msgstr\[2\] "Z"\nmsgstr\[3\] ""\n$/);
  });
  it('plural forms of a PO header do not change a file that is parsed without a language', () => {
    const file = po.parse(Buffer.from(withForms(3, ['a', 'b'])));
    expect(file.units[0]!.target).toEqual(['a', 'b']);
    expect(file.apply([{ op: 'set', index: 0, target: ['A', 'B'] }]).toString()).toBe(withForms(3, ['A', 'B']));
  });
});

describe('the line ends of a PO file with mixed line ends', () => {
  const dos = 'msgid ""\r\nmsgstr "Language: cs\\n"\r\n\r\nmsgid "a"\r\nmsgstr "b"\r\n';
  const unix = '\nmsgid "c"\nmsgid_plural "d"\nmsgstr[0] "e"\n';

  it('the line ends of an edited PO entry are those of the entry, in a file with mixed line ends', () => {
    const file = po.parse(Buffer.from(dos + unix), { plural: { count: 2, formula: 'n != 1' } });
    const set = (index: number, target: string[]): string =>
      file.apply([{ op: 'set', index, target, state: 'fuzzy' }]).toString();
    expect(set(0, ['x\ny'])).toBe(
      dos.replace('msgid "a"', '#, fuzzy\r\nmsgid "a"').replace('"b"', '""\r\n"x\\n"\r\n"y"') + unix,
    );
    expect(set(1, ['x\ny', 'z'])).toBe(
      dos + unix.replace('msgid', '#, fuzzy\nmsgid').replace('"e"\n', '""\n"x\\n"\n"y"\nmsgstr[1] "z"\n'),
    );
  });

  it('the line ends of a new PO entry are those of the preceding entry, in a file with mixed line ends', () => {
    const file = po.parse(Buffer.from(dos + unix));
    const added = file.apply([{ op: 'add', context: 'k', source: ['s'], target: ['t'], note: 'n' }]).toString();
    expect(added).toBe(`${dos}${unix}\n#. n\nmsgctxt "k"\nmsgid "s"\nmsgstr "t"\n`);
  });
});
