import { ServiceError } from '@parlance/errors';
import { MaintenanceCache, type Maintenance } from './maintenance';

const ON: Maintenance = { message: 'Upgrade', retryAfterSeconds: 60 };

/** A cache with a clock of its own, whose catalog gives `answer` or is away. */
function started(answer: Maintenance | null | 'away') {
  const catalog = { answer, asked: 0 };
  let now = 0;
  const cache = new MaintenanceCache(
    async () => {
      catalog.asked++;
      if (catalog.answer === 'away') throw new ServiceError('UNAVAILABLE');
      return catalog.answer;
    },
    () => now,
  );
  return { catalog, cache, pass: (ms: number) => (now += ms) };
}

describe('the cached maintenance mode', () => {
  it('the cached maintenance mode is asked for once a second, by concurrent requests together', async () => {
    const { catalog, cache, pass } = started(ON);
    expect(await Promise.all([cache.current(), cache.current()])).toEqual([ON, ON]);
    pass(999);
    catalog.answer = null;
    expect(await cache.current()).toEqual(ON);
    expect(catalog.asked).toBe(1);
    pass(1);
    expect(await cache.current()).toBeNull();
    expect(catalog.asked).toBe(2);
  });

  it('the cached maintenance mode is off if the catalog never answered', async () => {
    expect(await started('away').cache.current()).toBeNull();
  });

  it('the cached maintenance mode stays on for five minutes while the catalog is away, and then is off', async () => {
    const { catalog, cache, pass } = started(ON);
    await cache.current();
    catalog.answer = 'away';
    pass(299_999);
    expect(await cache.current()).toEqual(ON);
    pass(1);
    expect(await cache.current()).toBeNull();
  });

  it('the cached maintenance mode is asked for again five seconds after a failure', async () => {
    const { catalog, cache, pass } = started('away');
    await cache.current();
    catalog.answer = ON;
    pass(4_999);
    expect(await cache.current()).toBeNull();
    expect(catalog.asked).toBe(1);
    pass(1);
    expect(await cache.current()).toEqual(ON);
  });
});
