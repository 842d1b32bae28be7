import { parse } from 'yaml';
import { render, shared, toCsv, toJson } from './render';

describe('CSV', () => {
  it('CSV has a column for every value, including nested ones', async () => {
    const results = [
      { slug: 'app', language: { code: 'cs', aliases: ['cz', 'cze'] }, labels: [], locked: false },
      { slug: 'web', language: { code: 'de', aliases: [] }, labels: [{ id: 7 }], locked: true },
    ];
    expect((await toCsv({ count: 2, next: null, previous: null, results })).split('\r\n')).toEqual([
      'slug,language.code,language.aliases.0,language.aliases.1,locked,labels.0.id',
      'app,cs,cz,cze,false,',
      'web,de,,,true,7',
      '',
    ]);
  });

  it.each([...'=+-@|%＝＋－＠｜％\t'])('CSV escapes a text that begins with %j', async (sign) => {
    expect(await toCsv({ a: `${sign}1+1` })).toBe(`a\r\n'${sign}1+1\r\n`);
  });

  it('CSV quotes values and escapes formulas', async () => {
    expect(await toCsv({ a: 'one "two", three', b: '=1+1', c: -1, d: null })).toBe(
      'a,b,c,d\r\n"one ""two"", three",\'=1+1,-1,\r\n',
    );
  });
});

describe('JSON', () => {
  const row = { id: 1, text: 'a\n"[]"\u2028', list: [], inner: { a: [1, { b: null }] }, none: undefined };
  const data = [
    [],
    [row, null, 7, 'x', [row]],
    { count: 2, next: null, previous: null, results: [row, row] },
    { count: 0, results: [] },
    { results: [row], after: { results: [] } },
    row,
    null,
    'x',
  ];

  it.each([0, 2, 4])('JSON written in slices equals JSON.stringify with indentation %d', async (indent) => {
    for (const value of data) expect(await toJson(value, indent)).toBe(JSON.stringify(value, null, indent));
  });

  it.each([0, 2])('values that rows share are written in each of them, with indentation %d', async (indent) => {
    const parent = shared({ slug: 'app', note: 'a "quoted" text', list: [1, null] });
    const list = [
      { id: 1, parent, text: 'a' },
      { parent },
      { id: 2, other: parent, parent, none: undefined },
      { id: 3 },
    ];
    for (const value of [list, { count: 4, next: null, results: list }, { count: 1, parent }])
      expect(JSON.parse(await toJson(value, indent))).toEqual(JSON.parse(JSON.stringify(value)));
  });

  it('serializing many rows yields to other requests', async () => {
    const many = Array.from({ length: 20_000 }, (_, id) => ({ ...row, id, text: 'x'.repeat(500) }));
    let turns = 0;
    let over = false;
    const count = () => {
      turns++;
      if (!over) setImmediate(count);
    };
    setImmediate(count);
    const json = await toJson({ results: many });
    over = true;
    expect(turns).toBeGreaterThan(1);
    expect(json).toBe(JSON.stringify({ results: many }));
  });
});

describe('YAML', () => {
  it('YAML that is serialized in slices has the same values', async () => {
    const data = {
      text: 'a: b\n\n  c # d',
      list: [1, { a: null }, []],
      none: null,
      inner: { '/a/{b}/': { 'x y': 'line one\n\nline two\n', deep: [{ e: 'no', f: '012' }] }, '': {}, g: 1 },
      empty: {},
    };
    const yaml = await render(data, { renderer: 'yaml', indent: 0 });
    expect(parse(yaml)).toEqual(data);
  });
});
