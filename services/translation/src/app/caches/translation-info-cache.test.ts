import { sampleTranslation } from '../../../test/support/samples';
import { TranslationInfoCache } from './translation-info-cache';

function start() {
  const stored = new Map([1, 2, 3].map((id) => [id, sampleTranslation(id)]));
  const read: number[][] = [];
  const many = async (ids: readonly number[]) => {
    read.push([...ids]);
    return ids.flatMap((id) => stored.get(id) ?? []);
  };
  const cache = new TranslationInfoCache({ get: async (id) => (await many([id]))[0] ?? null, many });
  return { cache, stored, read, ids: async (...ids: number[]) => (await cache.many(ids)).map(({ id }) => id) };
}

describe('TranslationInfoCache', () => {
  it('TranslationInfoCache reads the translations that it does not have with one statement', async () => {
    const { cache, read, ids } = start();
    await cache.get(2);
    expect(await ids(1, 2, 3, 4)).toEqual([1, 2, 3]);
    expect(await ids(4, 3)).toEqual([3]);
    expect(await cache.get(4)).toBeNull();
    expect(read).toEqual([[2], [1, 3, 4]]);
  });

  it('TranslationInfoCache reads again after a write of any replica, which clears it', async () => {
    const { cache, stored, ids } = start();
    expect(await ids(1, 4)).toEqual([1]);
    stored.delete(1);
    stored.set(4, sampleTranslation(4));
    cache.clear();
    expect(await ids(1, 4)).toEqual([4]);
  });

  it('a read that began before it was cleared is not kept', async () => {
    const { cache, stored, ids } = start();
    const early = ids(1);
    cache.clear();
    stored.delete(1);
    expect(await early).toEqual([1]);
    expect(await ids(1)).toEqual([]);
  });

  it('a failed read is reported and not kept', async () => {
    const { stored } = start();
    let fails = true;
    const cache = new TranslationInfoCache({
      get: async () => null,
      many: async (ids) => {
        if (fails) throw new Error('unavailable');
        return ids.flatMap((id) => stored.get(id) ?? []);
      },
    });
    await expect(cache.many([1, 2])).rejects.toThrow('unavailable');
    fails = false;
    expect(await cache.many([1, 2])).toHaveLength(2);
  });
});
