import { TimedCache } from './timed-cache';

describe('TimedCache', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('Concurrent callers share one read, and an expired value is read again', async () => {
    const cache = new TimedCache<string, number>();
    let reads = 0;
    const read = async () => ++reads;
    expect(await Promise.all([cache.get('a', read), cache.get('a', read)])).toEqual([1, 1]);
    jest.setSystemTime(Date.now() + 4_999);
    expect(await cache.get('a', read)).toBe(1);
    jest.setSystemTime(Date.now() + 1);
    expect(await cache.get('a', read)).toBe(2);
  });

  it('A failed read is not cached', async () => {
    const cache = new TimedCache<string, number>();
    await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.get('a', async () => 7)).toBe(7);
  });

  it('Entries with matching keys are dropped', async () => {
    const cache = new TimedCache<string, number>();
    for (const key of ['1 cs', '1 de', '2 cs']) await cache.get(key, async () => 1);
    cache.deleteWhere((key) => key.startsWith('1 '));
    const read = async () => 2;
    expect(await Promise.all(['1 cs', '1 de', '2 cs'].map((key) => cache.get(key, read)))).toEqual([2, 2, 1]);
  });
});
