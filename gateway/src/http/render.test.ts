import { toCsv } from './render';

describe('CSV', () => {
  it('has a column for every value, also inside of objects and lists', () => {
    const results = [
      { slug: 'app', language: { code: 'cs', aliases: ['cz', 'cze'] }, labels: [], locked: false },
      { slug: 'web', language: { code: 'de', aliases: [] }, labels: [{ id: 7 }], locked: true },
    ];
    expect(toCsv({ count: 2, next: null, previous: null, results }).split('\r\n')).toEqual([
      'slug,language.code,language.aliases.0,language.aliases.1,locked,labels.0.id',
      'app,cs,cz,cze,false,',
      'web,de,,,true,7',
      '',
    ]);
  });

  it.each([...'=+-@|%＝＋－＠｜％\t'])('defuses a text that begins with %j', (sign) => {
    expect(toCsv({ a: `${sign}1+1` })).toBe(`a\r\n'${sign}1+1\r\n`);
  });

  it('quotes what needs it, and defuses what a spreadsheet would take for a formula', () => {
    expect(toCsv({ a: 'one "two", three', b: '=1+1', c: -1, d: null })).toBe(
      'a,b,c,d\r\n"one ""two"", three",\'=1+1,-1,\r\n',
    );
  });
});
