import { searchDeps } from '../../../test/support/memory/indexes/search-lookups';
import { StringsWorld } from '../../../test/support/memory/world';
import { emptyCounters } from '../../domain/counters';
import type { Translation } from '../../domain/translation';
import { UnitCache } from '../caches/unit-cache';
import { CachedSearch } from './cached-search';
import { UnitSearch } from './unit-search';

/** Translation 11 with the units 1 to 3, and the number of times that it was loaded. */
function start() {
  const world = new StringsWorld();
  const { czech } = world.component(1);
  for (const [id, text] of [
    [1, 'Open'],
    [2, 'Close'],
    [3, 'Reopen'],
  ] as const)
    world.string(1, id, text);
  const { units } = world;
  let loads = 0;
  let failure: Error | undefined;
  const cache = new UnitCache({
    ofTranslation: async (id) => {
      loads++;
      if (failure) throw failure;
      return units.ofTranslation(id);
    },
    versions: (id) => units.versions(id),
    many: (ids) => units.many(ids),
  });
  const search = new UnitSearch(searchDeps(world).deps);
  const cached = new CachedSearch(cache);
  const page = async (q: string, translation: Translation = czech) => {
    const found = await cached.page(search.parse(q)!, translation, { page: 1, size: 2 });
    // Loads end after their reads.
    await new Promise((resolve) => setImmediate(resolve));
    return found && { total: found.total, ids: found.items.map(({ id }) => id) };
  };
  return { world, czech, cache, page, loads: () => loads, fail: (error?: Error) => (failure = error) };
}

describe('CachedSearch', () => {
  it('the second search of a translation loads it, and the third finds pages in memory', async () => {
    const { page, loads } = start();
    expect([await page('open'), loads()]).toEqual([null, 0]);
    expect([await page('close'), loads()]).toEqual([null, 1]);
    expect([await page('open'), loads()]).toEqual([{ total: 2, ids: [1, 3] }, 1]);
  });

  it('finds writes of this process', async () => {
    const { world, czech, cache, page } = start();
    await cache.ofTranslation(czech);
    const unit = (await world.units.get(2))!;
    world.units.put({ ...unit, target: ['Open up'], version: unit.version + 1 });
    const written = { ...czech, version: czech.version + 1 };
    cache.recordWrite(written, [2]);
    expect(await page('open', written)).toEqual({ total: 3, ids: [1, 2] });
  });

  it('leaves a translation to the store that another process wrote', async () => {
    const { czech, cache, page } = start();
    await cache.ofTranslation(czech);
    expect(await page('open', { ...czech, version: czech.version + 1 })).toBeNull();
  });

  it.each(['source:r"op(e|x)n"', 'label:urgent', 'changed:>2020-01-01'])('leaves %s to the store', async (q) => {
    const { czech, cache, page } = start();
    await cache.ofTranslation(czech);
    expect(await page(q)).toBeNull();
  });

  it('does not load a translation that is too large for the cache', async () => {
    const { czech, page, loads } = start();
    const large = { ...czech, counters: { ...emptyCounters(), all: { s: 10_001, w: 0, c: 0 } } };
    for (const q of ['open', 'close', 'reopen']) expect(await page(q, large)).toBeNull();
    expect(loads()).toBe(0);
  });

  it('loads again after a failure', async () => {
    const { page, loads, fail } = start();
    fail(new Error('the store is unavailable'));
    await page('open');
    await page('close');
    fail();
    await page('reopen');
    expect([await page('open'), loads()]).toEqual([{ total: 2, ids: [1, 3] }, 2]);
  });
});
