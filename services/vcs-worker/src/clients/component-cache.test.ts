import { componentOf } from '../../test/support/memory/world';
import { ComponentCache } from './component-cache';

function start() {
  const cache = new ComponentCache();
  const stored = new Map([1, 2, 3].map((id) => [id, componentOf(id)]));
  const asked: number[][] = [];
  const load = async (ids: readonly number[]) => {
    asked.push([...ids]);
    return ids.flatMap((id) => stored.get(id) ?? []);
  };
  const get = async (ids: number[], generation: string) =>
    (await cache.get(ids, generation, load)).map(({ settings }) => [settings.id, settings.push]);
  return { cache, stored, asked, load, get };
}

describe('ComponentCache', () => {
  it('ComponentCache loads the components that it does not have, and returns all of them by id', async () => {
    const { asked, get } = start();
    expect(await get([2], 'a')).toEqual([[2, '']]);
    expect(await get([3, 2, 1, 4], 'a')).toEqual([
      [1, ''],
      [2, ''],
      [3, ''],
    ]);
    expect(asked).toEqual([[2], [3, 1, 4]]);
  });

  it('a write of another replica, which replaces the generation, is visible to the next request', async () => {
    const { stored, get } = start();
    expect(await get([1], 'a')).toEqual([[1, '']]);
    stored.set(1, componentOf(1, { push: 'https://example.org/a.git' }));
    expect(await get([1], 'b')).toEqual([[1, 'https://example.org/a.git']]);
    stored.delete(1);
    expect(await get([1], 'c')).toEqual([]);
  });

  it('a component that was read for an older generation is not kept for a newer one', async () => {
    const { cache, stored, load, get } = start();
    let finish = (): void => undefined;
    const slow = cache.get([1], 'a', async (ids) => {
      const found = await load(ids);
      await new Promise<void>((resolve) => (finish = resolve));
      return found;
    });
    await new Promise(setImmediate);
    stored.set(1, componentOf(1, { push: 'https://example.org/a.git' }));
    await get([2], 'b');
    finish();
    await slow;
    expect(await get([1], 'b')).toEqual([[1, 'https://example.org/a.git']]);
  });

  it('without a generation every request reads', async () => {
    const { asked, get } = start();
    await get([1], '');
    await get([1], '');
    expect(asked).toEqual([[1], [1]]);
  });
});
