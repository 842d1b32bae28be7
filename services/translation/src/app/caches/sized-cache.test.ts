import { SizedCache } from './sized-cache';

/** A cache of 40, so that an entry may have a size of 10. Keys have one character, which counts. */
const start = (...keys: string[]) => {
  const cache = new SizedCache<string>(40);
  for (const key of keys) cache.set(key, `value ${key}`, 9);
  const kept = () => [...'abcdefgh'].filter((key) => cache.get(key) !== undefined).join('');
  return { cache, kept };
};

describe('SizedCache', () => {
  it('SizedCache keeps entries up to its capacity, and drops the oldest', () => {
    expect(start(...'abcd').kept()).toBe('abcd');
    expect(start(...'abcde').kept()).toBe('bcde');
  });

  it('an entry that is read or set again is not the oldest', () => {
    const { cache, kept } = start(...'abcd');
    expect(cache.get('a')).toBe('value a');
    cache.set('b', 'new', 9);
    cache.set('e', 'value e', 9);
    expect(kept()).toBe('abde');
    expect(cache.get('b')).toBe('new');
  });

  it('several entries make room for a larger one', () => {
    const cache = new SizedCache<string>(40);
    for (const key of 'abcdefgh') cache.set(key, key, 4);
    cache.set('x', 'x', 9);
    expect([...'abcdefgh'].filter((key) => cache.get(key) !== undefined).join('')).toBe('cdefgh');
  });

  it('an entry larger than a quarter of the capacity is not kept, and its former value is dropped', () => {
    const { cache, kept } = start('a', 'b');
    cache.set('a', 'too large', 10);
    expect(kept()).toBe('b');
    cache.set('a', 'fits', 9);
    expect(cache.get('a')).toBe('fits');
  });

  it('long keys count', () => {
    const { cache } = start();
    cache.set('a query of more than ten characters', 'value', 0);
    expect(cache.get('a query of more than ten characters')).toBeUndefined();
  });

  it('deleted and replaced entries no longer take space', () => {
    const { cache, kept } = start(...'abcd');
    cache.delete('b');
    cache.delete('b');
    cache.set('c', 'small', 0);
    cache.set('e', 'value e', 9);
    cache.set('f', 'value f', 8);
    expect(kept()).toBe('acdef');
    cache.set('g', 'value g', 0);
    expect(kept()).toBe('cdefg');
  });
});
