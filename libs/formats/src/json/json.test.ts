import fc from 'fast-check';
import { formatContract } from '../testing/contract';
import { readable } from '../testing/readers';
import { goI18n, goI18nV2, gotext } from './go';
import { i18next, i18nextV4 } from './i18next';
import { arb, formatjs, json, jsonNested, webextension } from './plain';

const nested =
  '{\n  "a": "x",\n  "b": {\n    "c": "y\\u00e9",\n    "d": ["p", "q"]\n  },\n  "n": 1,\n  "t": true,\n  "z": null,\n  "e": ""\n}\n';
const samples = [
  { name: 'nested objects', content: nested, targets: [['x'], ['yé'], ['p'], ['q'], ['1'], ['true'], ['']] },
  { name: 'one line', content: '{"a":"1","b":"2"}', targets: [['1'], ['2']] },
  { name: 'spaces in one line', content: '{ "a": "ü", "a": "2" }', targets: [['ü'], ['2']] },
  { name: 'an empty object', content: '{}\n', targets: [] },
  { name: 'tabs', content: '{\n\t"a" : "1",\n\t"b" : { "c" : "2" }\n}', targets: [['1'], ['2']] },
];
const broken = [
  { name: 'an open object', content: '{\n"a": "b"', line: 2 },
  { name: 'a comma too many', content: '{\n"a": "b",\n}', line: 3 },
  { name: 'an open string', content: '{\n"a": "b\n}', line: 2 },
  { name: 'deep nesting', content: `\n${'['.repeat(200_000)}`, line: 2 },
  { name: 'no bytes', content: '', line: 1 },
  { name: 'a NUL', content: '{\n"a": "\0"}', line: 2 },
  { name: 'bytes that are no UTF-8', content: Buffer.from('{\n"a": "\xe9"}', 'latin1'), line: 2 },
];
const typed = {
  name: 'numbers, booleans, lists and names with dots',
  content:
    '{\n  "a": 5,\n  "b.c": {"d.e": true, "f": "x", "g": [1, "t", false, {"h": 2.5}]},\n  "b": {"c": "u"},\n  "n": null\n}\n',
};
const carries = { files: [typed], whole: (text: string): unknown => JSON.parse(text) };
formatContract(json, { samples, broken, inverse: false, carries });
const structure = (text: string): unknown => readable(JSON.parse(text));
formatContract(jsonNested, {
  samples,
  carries,
  structure,
  bases: [
    {
      name: 'lists',
      content:
        '{"a": "A", "deep": {"x": {"y": "Y"}}, "list": ["p", "q"], "objs": [{"t": "T1", "u": "U1"}, {"t": "T2", "l": [["m"], ["n", "o"]]}], "gap": [null, "g"]}',
    },
    { name: 'a list of all', content: '["a", ["b", {"x": "y", "z": ["t"]}], {"q": "w"}]' },
  ],
  broken,
  inverse: false,
});

describe('a new JSON key', () => {
  const add = (text: string, context: string): string =>
    jsonNested
      .parse(Buffer.from(text))
      .apply([{ op: 'add', context, source: [context], target: ['T'] }])
      .toString();

  it.each([
    ['{"list": ["p1"]}', 'list[1]', '{"list": ["p1", "T"]}'],
    ['{"list": ["p1"]}', 'list[3]', '{"list": ["p1", null, null, "T"]}'],
    ['{"list": [null, "q"]}', 'list[0]', '{"list": ["T", "q"]}'],
    ['{"a": {"b.c": {"d": "x"}}}', 'a.b.c.e', '{"a": {"b.c": {"d": "x", "e": "T"}}}'],
    ['{"a": "x"}', 'Save...', '{"a": "x", "Save...": "T"}'],
    ['{"a": "x"}', 'of [2]', '{"a": "x", "of [2]": "T"}'],
  ])('a new JSON key is added to %s: %s gives %s', (text, key, expected) => expect(add(text, key)).toBe(expected));

  it.each([
    ['{"n": "x"}', 'n.x'],
    ['{"n": {"x": "y"}}', 'n'],
    ['{"n": {"x": "y"}}', 'n[0]'],
    ['{"n": ["x"]}', 'n.x'],
  ])('a new JSON key is rejected with its name if its position in %s is occupied: %s', (text, key) =>
    expect(() => add(text, key)).toThrow(`the file uses a part of "${key}" for something else`),
  );

  it('a new JSON key cannot create a huge list', () => {
    expect(() => add('{}', 'list[999999999]')).toThrow('the list "list" has a gap of more than 1000 items');
    expect(() => add('{}', `${'a.'.repeat(5000)}b`)).toThrow('more than 200 levels');
  });
});

formatContract(i18next, {
  samples: [
    {
      name: 'numbered and named plurals',
      content:
        '{\n  "key": "one",\n  "key_plural": "many",\n  "x_0": "a",\n  "x_1": "b",\n  "x_2": "c",\n  "s": "t",\n  "n": { "k": "1", "k_plural": "2" }\n}\n',
      targets: [['one', 'many'], ['a', 'b', 'c'], ['t'], ['1', '2']],
    },
  ],
});
formatContract(i18nextV4, {
  carries,
  structure,
  bases: [
    {
      name: 'lists',
      content: '{"k_one": "x", "k_other": "xs", "deep": {"z_one": "1", "z_other": "2"}, "list": ["p", {"t": "q"}]}',
    },
  ],
  samples: [
    {
      name: 'categories',
      content: '{\n  "key_one": "one",\n  "key_other": "many",\n  "s": "t",\n  "n": {\n    "k_other": "2"\n  }\n}\n',
      targets: [['one', 'many'], ['t'], ['2']],
    },
  ],
});
const bare = { name: 'texts alone', content: '{"a": "A", "b": {"message": "B"}}' };
const messages = {
  name: 'messages with placeholders',
  content:
    '{\n  "hi": {\n    "description": "why",\n    "message": "Hi $WHO$",\n    "placeholders": { "who": { "content": "$1", "example": "Ana" } },\n    "max": 20\n  },\n  "bye": { "message": "Bye" }\n}\n',
};
formatContract(webextension, {
  carries: { ...carries, files: [messages, bare] },
  samples: [
    {
      name: 'placeholders and comments',
      content:
        '{\n  // a comment\n  "k": { "message": "m", "description": "d", "placeholders": { "a": { "content": "$1" } } },\n  "l": {\n    "message": "n"\n  }\n}\n',
      targets: [['m'], ['n']],
    },
  ],
});
formatContract(formatjs, {
  carries: {
    ...carries,
    files: [
      {
        name: 'messages with ids of their own',
        content:
          '{"a": {"id": 7, "description": {"text": "why"}, "defaultMessage": "A"}, "b": {"defaultMessage": "B", "file": "b.js"}}',
      },
      { name: 'compiled messages', content: '{"a": "A", "b": "B"}' },
    ],
  },
  samples: [
    {
      name: 'extracted',
      content: '{\n  "k": {\n    "defaultMessage": "m",\n    "description": "d"\n  }\n}\n',
      targets: [['m']],
    },
    { name: 'compiled', content: '{\n  "k": "m"\n}\n', targets: [['m']] },
  ],
});
formatContract(arb, {
  samples: [
    {
      name: 'descriptions',
      content: '{\n  "@@locale": "de",\n  "a": "b",\n  "@a": {\n    "description": "d"\n  }\n}\n',
      targets: [['b']],
    },
  ],
});
formatContract(goI18n, {
  carries: {
    files: [
      {
        name: 'messages with facts of their own',
        content:
          '[\n  {"id": "a", "hash": "1", "translation": "A", "left": 1},\n  {"id": "b", "translation": {"one": "1 b", "other": "b"}, "x": []}\n]\n',
      },
    ],
    whole: (text) => new Set(JSON.parse(text) as unknown[]),
  },
  samples: [
    {
      name: 'forms',
      content:
        '[\n  {\n    "id": "a",\n    "translation": "b"\n  },\n  {\n    "id": "c",\n    "translation": {\n      "one": "1",\n      "other": "2"\n    }\n  }\n]\n',
      targets: [['b'], ['1', '2']],
    },
  ],
});
formatContract(goI18nV2, {
  carries: {
    ...carries,
    files: [
      {
        name: 'hashes',
        content:
          '{\n  "a": { "hash": "sha1-x", "description": "why", "other": "A" },\n  "b": { "hash": "sha1-y", "one": "1 b", "other": "b", "leftDelim": "<<" },\n  "c": "C"\n}\n',
      },
    ],
  },
  samples: [
    {
      name: 'forms',
      content:
        '{\n  "a": "b",\n  "c": {\n    "description": "d",\n    "one": "1",\n    "other": "2"\n  },\n  "e": {\n    "other": "x"\n  }\n}\n',
      targets: [['b'], ['1', '2'], ['x']],
    },
  ],
});
formatContract(gotext, {
  carries: {
    files: [
      {
        name: 'placeholders',
        content:
          '{\n  "language": "cs",\n  "messages": [\n    { "id": ["a", "b"], "message": "A", "translation": "A1" },\n    { "id": "c", "key": "C {N}", "message": "C {N}", "translation": { "select": { "feature": "plural", "arg": "Count", "cases": { "one": { "msg": "c" }, "other": { "msg": "cs" } } } }, "placeholders": [{ "id": "Count", "argNum": 1 }] },\n    { "id": "d", "message": "D", "translation": "D1", "placeholders": [{ "id": "X", "string": "%[1]s" }] }\n  ]\n}\n',
      },
    ],
    whole(text) {
      const { messages, ...rest } = JSON.parse(text) as { messages: unknown[] };
      return { ...rest, messages: new Set(messages) };
    },
  },
  samples: [
    {
      name: 'texts, forms and a missing translation',
      content:
        '{\n    "language": "de",\n    "messages": [\n        {\n            "id": "Hello",\n            "message": "Hello",\n            "translation": "Hallo"\n        },\n        {\n            "id": ["n", "m"],\n            "message": "m",\n            "translation": { "select": { "feature": "plural", "arg": "n", "cases": { "one": { "msg": "1" }, "other": "2" } } }\n        },\n        {\n            "id": "new",\n            "message": "new",\n            "translation": ""\n        }\n    ]\n}\n',
      targets: [['Hallo'], ['1', '2'], ['']],
    },
  ],
});

describe('JSON plural forms', () => {
  const plural = { count: 3, formula: 'n', names: ['one', 'few', 'other'] };
  it('JSON plural forms are ordered by the language, and missing ones can be set', () => {
    const file = i18nextV4.parse(Buffer.from('{\n  "k_one": "1",\n  "k_other": "2"\n}'), { plural });
    expect(file.units[0]?.target).toEqual(['1', '', '2']);
    const out = file.apply([{ op: 'set', index: 0, target: ['1', 'few', '3'] }]).toString();
    expect(out).toBe('{\n  "k_one": "1",\n  "k_other": "3",\n  "k_few": "few"\n}');
  });

  it('JSON plural forms of a new string have the names for its language', () => {
    const file = goI18nV2.parse(Buffer.from('{}'), { plural });
    const out = file.apply([{ op: 'add', context: 'k', source: ['k'], target: ['a', 'b', 'c'] }]);
    expect(JSON.parse(out.toString())).toEqual({ k: { one: 'a', few: 'b', other: 'c' } });
  });
});

it('the JSON parser accepts exactly valid JSON', () => {
  const signs = fc.constantFrom(
    ...'{}[],:"\\ \n1-.e+0tu/'.split(''),
    'true',
    'null',
    '"a"',
    '"\\u00e9"',
    '1.5e3',
    '{"a":',
    '[1,',
  );
  const accepts = (read: () => unknown): boolean => {
    try {
      read();
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.array(signs, { maxLength: 12 }).map((parts) => parts.join('')),
      ),
      (text) => {
        expect(accepts(() => json.parse(Buffer.from(`[${text}]`)))).toBe(accepts(() => JSON.parse(`[${text}]`)));
      },
    ),
    { numRuns: 1000 },
  );
});

it('a string that is added to ARB has metadata if other strings of the file have metadata', () => {
  const base = Buffer.from('{"a": "A", "@a": {"placeholders": {"who": {"type": "String"}}}, "b": "B", "@b": {}}');
  const add = { op: 'add', context: 'a', source: ['a'], target: ['X'] } as const;
  const described = arb.parse(Buffer.from('{"b": "Y", "@b": {}}')).apply([add], base);
  expect(JSON.parse(described.toString())).toMatchObject({
    a: 'X',
    '@a': { placeholders: { who: { type: 'String' } } },
  });
  expect(arb.parse(Buffer.from('{"b": "Y"}')).apply([add], base).toString()).not.toContain('@a');
});

it('a new JSON language omits numbers and booleans of its base, because they cannot be blank', () => {
  const base = Buffer.from('{\n  "a": 5,\n  "b": {"c": true, "d": "x"},\n  "e": [1, "t"]\n}\n');
  expect(json.createTranslation(base, { language: 'cs' }).toString()).toBe(
    '{\n  "b": {"d": ""},\n  "e": ["", ""]\n}\n',
  );
});

it('a gotext translation that the extractor copied from the source counts as untranslated', () => {
  const base = Buffer.from(
    '{"messages": [{"id": "a", "message": "A", "translation": "A", "translatorComment": "Copied from source.", "fuzzy": true}]}',
  );
  const file = gotext.parse(Buffer.from('{"messages": []}'), { monolingual: true });
  const written = file.apply([{ op: 'add', context: 'a', source: ['a'], target: ['X'] }], base);
  expect(JSON.parse(written.toString())).toEqual({ messages: [{ id: 'a', message: 'A', translation: 'X' }] });
});

it('a string that is added to JSON has the plural forms of the language, not those of the base', () => {
  const plural = { count: 3, formula: 'n==1 ? 0 : n%10>=2 && n%10<=4 ? 1 : 2', names: ['one', 'few', 'many'] };
  const base = Buffer.from('{"a": {"hash": "h", "one": "1", "other": "n"}}');
  const added = { op: 'add', context: 'a', source: ['1', 'n'], target: ['j', 'f', 'm'] } as const;
  const written = goI18nV2.parse(Buffer.from('{}'), { language: 'pl', plural }).apply([added], base);
  expect(JSON.parse(written.toString())).toEqual({ a: { hash: 'h', one: 'j', few: 'f', many: 'm' } });
});
