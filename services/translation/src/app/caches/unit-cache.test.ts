import { StringsWorld } from '../../../test/support/memory/world';
import type { Unit } from '../../domain/unit';
import { UnitCache } from './unit-cache';

/** Translation 11 in version 1 with the units 1 to 8, and how they were read. */
function start() {
  const world = new StringsWorld();
  const { czech } = world.component(1);
  for (let id = 1; id <= 8; id++) world.string(1, id, `Source ${id}`);
  const { units } = world;
  const reads = { all: 0, versions: 0, units: 0 };
  /** Runs after units were read by id. */
  const hooks: { afterMany?: () => Promise<void> } = {};
  const cache = new UnitCache({
    ofTranslation: (translation) => (reads.all++, units.ofTranslation(translation)),
    versions: (translation) => (reads.versions++, units.versions(translation)),
    many: async (ids) => {
      reads.units += ids.length;
      const found = await units.many(ids);
      const { afterMany } = hooks;
      delete hooks.afterMany;
      await afterMany?.();
      return found;
    },
  });
  const at = (version: number) => ({ ...czech, version });
  const read = async (version: number) =>
    (await cache.ofTranslation(at(version))).map(({ id, target }) => `${id}${target}`);
  const store = async (id: number, fields: Partial<Unit>) => {
    const unit = (await units.get(id))!;
    units.put({ ...unit, version: unit.version + 1, ...fields });
  };
  /** This process writes a unit and so creates a version of the translation. */
  const write = async (id: number, text: string, version: number) => {
    await store(id, { target: [text] });
    cache.recordWrite(at(version), [id]);
  };
  return { units, cache, reads, hooks, at, read, store, write };
}

describe('UnitCache', () => {
  it('UnitCache reads a translation once for each version', async () => {
    const { reads, read } = start();
    expect(await read(1)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
    await read(1);
    expect(reads).toEqual({ all: 1, versions: 0, units: 0 });
  });

  it('after writes of this process, reads only the written units again, once', async () => {
    const { reads, read, write } = start();
    await read(1);
    await write(2, 'b', 2);
    await write(3, 'c', 3);
    expect(await read(3)).toEqual(['1', '2b', '3c', '4', '5', '6', '7', '8']);
    await read(3);
    expect(reads).toEqual({ all: 1, versions: 0, units: 2 });
  });

  it('after a write of another process, reads the units that changed', async () => {
    const { reads, read, store } = start();
    await read(1);
    await store(2, { target: ['b'] });
    expect(await read(2)).toEqual(['1', '2b', '3', '4', '5', '6', '7', '8']);
    expect(reads).toEqual({ all: 1, versions: 1, units: 1 });
  });

  it('a gap in the versions is a write of another process, which may have changed any unit', async () => {
    const { read, store, write } = start();
    await read(1);
    await store(5, { target: ['e'] });
    await write(2, 'b', 3);
    expect(await read(3)).toEqual(['1', '2b', '3', '4', '5e', '6', '7', '8']);
  });

  it('a unit that moved is read again, although its version is the same', async () => {
    const { units, cache, read, at } = start();
    await read(1);
    await units.setPositions([{ unit: 8, position: 0 }]);
    expect((await cache.ofTranslation(at(2)))[0]).toMatchObject({ id: 8, position: 0, version: 1 });
  });

  it('removed units are dropped, and added ones appear', async () => {
    const { units, cache, read, at, store } = start();
    await read(1);
    await units.removeMany([4]);
    cache.recordWrite(at(2), [4]);
    expect(await read(2)).toEqual(['1', '2', '3', '5', '6', '7', '8']);
    units.put({ ...(await units.get(8))!, id: 9, position: 9 });
    await store(9, { target: ['new'] });
    expect(await read(3)).toEqual(['1', '2', '3', '5', '6', '7', '8', '9new']);
  });

  it('UnitCache reads all units when most of them changed', async () => {
    const { reads, read, store } = start();
    await read(1);
    for (const id of [1, 2, 3, 4, 5]) await store(id, { target: ['x'] });
    await read(2);
    expect(reads).toEqual({ all: 2, versions: 1, units: 0 });
  });

  it('UnitCache forgets a translation of which this process wrote more than half, or unknown units', async () => {
    const { cache, reads, read, at } = start();
    await read(1);
    cache.recordWrite(at(2), [1, 2, 3, 4]);
    await read(2);
    expect(reads.all).toBe(1);
    cache.recordWrite(at(3), [1, 2, 3, 4, 5]);
    await read(3);
    expect(reads.all).toBe(2);
    cache.recordWrite(at(4), 'any');
    await read(4);
    expect(reads.all).toBe(3);
  });

  it('a write to a translation that is not cached is not remembered', async () => {
    const { read, write } = start();
    await write(2, 'b', 2);
    expect((await read(2))[1]).toBe('2b');
  });

  it('a unit that is written while it is read is read again by the next request', async () => {
    const { hooks, read, write } = start();
    await read(1);
    await write(2, 'b', 2);
    hooks.afterMany = () => write(2, 'B', 3);
    expect((await read(2))[1]).toBe('2b');
    expect((await read(3))[1]).toBe('2B');
  });
});
