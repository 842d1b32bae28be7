import { Payload, PayloadError } from './payload';

const payload = Payload.of({
  repository: { name: 'app', empty: '', nul: 'a\u0000b', number: 5 },
  commits: [{ id: 'a' }, { id: 'b' }],
});

describe('Payload', () => {
  it('a path of keys leads to a value; a missing one and one through a text or a list to nothing', () => {
    expect(payload.at('repository', 'name').text).toBe('app');
    for (const path of [['x', 'y'], ['repository', 'name', 'length'], ['commits', '0'], ['toString']])
      expect(payload.at(...path).present).toBe(false);
  });

  it('a value of another type and an invalid text count as no text', () => {
    for (const key of ['empty', 'nul', 'number', 'missing']) expect(payload.at('repository', key).text).toBe('');
  });

  it('a needed value that is missing is named by its path', () => {
    expect(payload.at('repository', 'name').neededText).toBe('app');
    expect(() => payload.at('repository').at('owner', 'login').neededText).toThrow(
      new PayloadError('"repository.owner.login" is missing from the payload.'),
    );
    expect(payload.at('repository').needed().at('name').text).toBe('app');
    for (const key of ['commits', 'missing']) expect(() => payload.at(key).needed()).toThrow(PayloadError);
  });

  it('the items of a list are read in order, with their paths; another value has none', () => {
    expect(payload.at('commits').items.map((item) => item.at('id').text)).toEqual(['a', 'b']);
    expect(() => payload.at('commits').items[1]!.at('x').neededText).toThrow('commits.1.x');
    expect(payload.at('repository').items).toEqual([]);
    expect(Payload.of(new Array(6_000).fill(0)).items).toHaveLength(5_000);
  });

  it('a long text is cut between characters, so that the rest is valid', () => {
    expect(Payload.of('x'.repeat(2_001)).text).toBe('x'.repeat(2_000));
    expect(Payload.of(`${'x'.repeat(1_999)}😀`).text).toBe('x'.repeat(1_999));
  });
});
