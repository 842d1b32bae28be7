import { FormatError, formatOf, registry, keyAncestors, keySeparators } from '../index';

/** Files in which the key `n` has children and `a` is a text. */
const files: Record<string, string> = {
  'json-nested': '{"a":"text","n":{"x":"nested"}}',
  i18next: '{"a":"text","n":{"x":"nested"}}',
  i18nextv4: '{"a":"text","n":{"x":"nested"}}',
  yaml: 'a: text\nn:\n  x: nested\n',
  'ruby-yaml': 'cs:\n  a: text\n  n:\n    x: nested\n',
  toml: 'a = "text"\n\n[n]\nx = "nested"\n',
  php: "<?php\nreturn ['a' => 'text', 'n' => ['x' => 'nested']];\n",
  laravel: "<?php\nreturn ['a' => 'text', 'n' => ['x' => 'nested']];\n",
};
const ids = Object.keys(files);
const adding = (...keys: string[]) =>
  keys.map((context) => ({
    op: 'add' as const,
    context,
    source: [context],
    target: ['new'],
    state: 'translated' as const,
  }));
const parsed = (id: string, text: string) =>
  formatOf(id).parse(Buffer.from(text), { language: 'cs', monolingual: true });

it('the registry lists the formats with nested keys', () => {
  expect(
    registry
      .map(({ id }) => id)
      .filter((id) => keySeparators(id).length > 0)
      .sort(),
  ).toEqual([...ids].sort());
  expect(keyAncestors('json-nested', 'a.b[0].c')).toEqual(['a', 'a.b', 'a.b[0]']);
  expect(keyAncestors('yaml', 'a.b->c')).toEqual(['a.b']);
  expect(keyAncestors('properties', 'a.b')).toEqual([]);
});

describe.each(ids)('the format %s', (id) => {
  const separator = keySeparators(id)[0]!;

  it('the format rejects a text for a key with children', () => {
    expect(() => parsed(id, files[id]!).apply(adding('n'))).toThrow(FormatError);
  });

  it('the format never replaces a text by a child key', () => {
    const file = parsed(id, files[id]!);
    let written: Buffer;
    try {
      written = file.apply(adding(`a${separator}b`));
    } catch (error) {
      expect(error).toBeInstanceOf(FormatError);
      return;
    }
    const texts = new Map(parsed(id, written.toString()).units.map((unit) => [unit.context, unit.target[0]]));
    expect(texts.get('a')).toBe('text');
    expect(texts.get(`a${separator}b`)).toBe('new');
  });

  it('the format rejects or keeps both a text and a child key in one change', () => {
    const keys = [`m${separator}b`, 'm'];
    for (const order of [keys, [...keys].reverse()]) {
      let written: Buffer;
      try {
        written = parsed(id, files[id]!).apply(adding(...order));
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
        continue;
      }
      const contexts = parsed(id, written.toString()).units.map((unit) => unit.context);
      expect(contexts).toEqual(expect.arrayContaining(keys));
    }
  });

  it('the format accepts a key beside another', () => {
    const written = parsed(id, files[id]!)
      .apply(adding(`n${separator}y`, 'o'))
      .toString();
    expect(
      parsed(id, written)
        .units.map((unit) => unit.context)
        .sort(),
    ).toEqual(['a', `n${separator}x`, `n${separator}y`, 'o'].sort());
  });
});

describe.each(ids.filter((id) => id.startsWith('json') || id.startsWith('i18')))('the JSON format %s', (id) => {
  it('the JSON format writes each member once', () => {
    for (const name of ['n', 'a']) {
      const key = name === 'a' ? 'a.b' : name;
      try {
        const written = parsed(id, files[id]!).apply(adding(key)).toString();
        expect(written.match(new RegExp(`"${name}":`, 'g'))).toHaveLength(1);
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
      }
    }
  });

  it('the JSON format replaces a member without a value by a text', () => {
    const file = parsed(id, '{\n  "n": null,\n  "a": "text"\n}');
    expect(file.apply(adding('n')).toString()).toBe('{\n  "n": "new",\n  "a": "text"\n}');
  });
});

describe('added strings without a text', () => {
  const bases: Record<string, string> = {
    po: 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n',
    ts: '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="cs">\n<context><name>c</name></context>\n</TS>\n',
    csv: 'location,source,target,id,fuzzy,context,translator_comments,developer_comments\n,a,b,,,,,\n',
    catkeys: '1\tczech\tapplication/x-vnd.App\t1\n',
    lang: '## active ##\n',
  };
  const bilingual = registry.filter(
    ({ id, kind, can, newFile }) => kind !== 'mono' && can.addUnit && (newFile === 'built-in' || bases[id]),
  );

  it.each(bilingual.map(({ id }) => id))('added strings without a text are stored in files of the format %s', (id) => {
    const options = { language: 'cs', sourceLanguage: 'en', monolingual: false };
    const format = formatOf(id);
    const base = bases[id] ? Buffer.from(bases[id]) : format.createTranslation(undefined, options);
    const change = { op: 'add' as const, context: '', source: ['Lost string'], target: [''], state: 'empty' as const };
    const named = { ...change, context: 'key' };
    let written: Buffer;
    try {
      written = format.parse(base, options).apply([change]);
    } catch {
      written = format.parse(base, options).apply([named]);
    }
    const added = format.parse(written, options).units.filter((unit) => unit.target.every((text) => text === ''));
    expect(added).toHaveLength(1);
  });
});
