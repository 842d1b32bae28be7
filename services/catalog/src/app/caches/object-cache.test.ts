import { ObjectCache } from './object-cache';

/** A store whose objects have a stamp, and a cache that records its reads. */
function withStore(capacity = 10) {
  const stored = new Map<number, string>([1, 2, 3, 4].map((id) => [id, `first of ${id}`]));
  const reads: number[][] = [];
  const read = (ids: readonly number[]) => {
    reads.push([...ids]);
    const found = [...stored].filter(([id]) => ids.includes(id));
    return Promise.resolve(found.map(([id, stamp]) => ({ stamp, object: { id, text: stamp } })));
  };
  const cache = new ObjectCache(read, capacity);
  const get = async (...ids: number[]) => {
    const objects = await cache.get(ids, (id) => stored.get(id));
    return objects.map(({ text }) => text);
  };
  return { stored, reads, cache, get };
}

describe('ObjectCache', () => {
  it('objects are returned in the order of the ids, and each is read once', async () => {
    const { reads, get } = withStore();
    expect(await get(3, 1)).toEqual(['first of 3', 'first of 1']);
    expect(await get(1, 2, 3)).toEqual(['first of 1', 'first of 2', 'first of 3']);
    expect(await get(2, 2)).toEqual(['first of 2', 'first of 2']);
    expect(reads).toEqual([[3, 1], [2]]);
  });

  it('ObjectCache reads no document without ids', async () => {
    const { reads, get } = withStore();
    expect(await get()).toEqual([]);
    expect(reads).toEqual([]);
  });

  it('an object is read again after its stamp changed, others are not', async () => {
    const { stored, reads, get } = withStore();
    await get(1, 2);
    stored.set(1, 'second of 1');
    expect(await get(1, 2)).toEqual(['second of 1', 'first of 2']);
    expect(await get(1)).toEqual(['second of 1']);
    expect(reads).toEqual([[1, 2], [1]]);
  });

  it('a deleted object is omitted, although it is cached', async () => {
    const { stored, get } = withStore();
    await get(1, 2);
    stored.delete(1);
    expect(await get(1, 2, 99)).toEqual(['first of 2']);
  });

  it('an object that is newer than the snapshot is returned, and read again until the snapshot has it', async () => {
    const { stored, reads, cache, get } = withStore();
    stored.set(1, 'second of 1');
    const older = () => 'first of 1';
    for (let i = 0; i < 2; i++) expect(await cache.get([1], older)).toEqual([{ id: 1, text: 'second of 1' }]);
    expect(reads).toHaveLength(2);
    await get(1);
    expect(reads).toHaveLength(2);
  });

  it('a full cache drops the object that it has had for longest', async () => {
    const { stored, reads, get } = withStore(2);
    await get(1, 2);
    await get(1, 3);
    reads.length = 0;
    await get(2, 3);
    expect(reads).toEqual([]);
    await get(1);
    expect(reads).toEqual([[1]]);
    // A new stamp of a cached object takes no further place.
    stored.set(1, 'second of 1');
    await get(1);
    reads.length = 0;
    await get(3, 1);
    expect(reads).toEqual([]);
  });
});
