import { SortedIds } from './sorted-ids';

function withIds(...ids: number[]): SortedIds {
  const sorted = new SortedIds();
  for (const id of ids) sorted.add(id);
  return sorted;
}

describe('SortedIds', () => {
  it('ids are ascending, whatever the order in which they were added', () => {
    expect(withIds().all()).toEqual([]);
    expect(withIds(1, 2, 10).all()).toEqual([1, 2, 10]);
    expect(withIds(10, 9, 100, 1).all()).toEqual([1, 9, 10, 100]);
  });

  it('an id is contained once', () => {
    const ids = withIds(3, 5, 3, 5);
    expect(ids.all()).toEqual([3, 5]);
    ids.add(3);
    expect(ids.all()).toEqual([3, 5]);
  });

  it('a removed id is no longer contained and can be added again', () => {
    const ids = withIds(1, 2, 3);
    ids.remove(2);
    ids.remove(99);
    expect(ids.all()).toEqual([1, 3]);
    ids.add(2);
    expect(ids.all()).toEqual([1, 2, 3]);
  });

  it('an id that is added after a removal and before the next read is not lost', () => {
    const ids = withIds(1, 2, 3);
    ids.remove(3);
    ids.add(4);
    ids.add(2);
    expect(ids.all()).toEqual([1, 2, 4]);
  });

  it('a cleared set is empty and takes lower ids than before', () => {
    const ids = withIds(7, 5);
    ids.clear();
    expect(ids.all()).toEqual([]);
    ids.add(5);
    ids.add(6);
    expect(ids.all()).toEqual([5, 6]);
  });
});
