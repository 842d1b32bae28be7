import { JsonError, parseBoundedJson } from './bounded-json';

const bounds = { depth: 3, values: 10 };
const parse = (text: string) => parseBoundedJson(text, bounds);

describe('parseBoundedJson', () => {
  it('parseBoundedJson parses JSON within its bounds', async () => {
    const value = { 'a"b': ['[[[[', '\\', 1, null], c: { d: { e: ',,,,,,,,,,,,' } } };
    expect(await parse(JSON.stringify(value))).toEqual(value);
    expect(await parse('"a"')).toBe('a');
  });

  it('parseBoundedJson rejects JSON that is too deep, has too many values or is malformed', async () => {
    await expect(parse('[[[[]]]]')).rejects.toThrow('deeper than 3 levels');
    await expect(parse('[1,2,3,4,5,6,7,8,9,10,11]')).rejects.toThrow('more than 10 values');
    await expect(parse(`{"a":"${'x'.repeat(600_000)}","b":[{},{},{},{},{},{},{}]}`)).rejects.toThrow('more than 10');
    for (const damaged of ['', '{', '"\\', '[1,]', '{"a":1}}'])
      await expect(parse(damaged)).rejects.toBeInstanceOf(JsonError);
  });

  it('parseBoundedJson finds the end of a string in a later slice', async () => {
    const text = JSON.stringify({ a: '"\\'.repeat(200_000), b: 1 });
    expect(await parse(text)).toEqual(JSON.parse(text));
  });
});
