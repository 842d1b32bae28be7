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

  it('A cleared cache reads again, also while a read is running', async () => {
    const cache = new TimedCache<string, number>();
    let finish: (value: number) => void = () => undefined;
    const before = cache.get('a', () => new Promise((resolve) => (finish = resolve)));
    cache.clear();
    expect(await cache.get('a', async () => 2)).toBe(2);
    finish(1);
    expect(await before).toBe(1);
    expect(await cache.get('a', async () => 3)).toBe(2);
  });
});
