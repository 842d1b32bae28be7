import { toCsv, toJson } from './render';

describe('CSV', () => {
  it('has a column for every value, also inside of objects and lists', async () => {
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

  it.each([...'=+-@|%＝＋－＠｜％\t'])('defuses a text that begins with %j', async (sign) => {
    expect(await toCsv({ a: `${sign}1+1` })).toBe(`a\r\n'${sign}1+1\r\n`);
  });

  it('quotes what needs it, and defuses what a spreadsheet would take for a formula', async () => {
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

  it.each([0, 2, 4])('written in slices is what JSON.stringify writes, indented by %d', async (indent) => {
    for (const value of data) expect(await toJson(value, indent)).toBe(JSON.stringify(value, null, indent));
  });

  it('of many rows leaves turns to others', async () => {
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
