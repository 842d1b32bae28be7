import { StringsWorld } from '../../../test/support/memory/world';
import type { PendingEdit, Unit } from '../../domain/unit';
import { PendingUnitCache } from './pending-unit-cache';

const edit = (id: string): PendingEdit => ({
  id,
  target: [`Text ${id}`],
  state: 20,
  author: { userId: 3, username: 'ana', fullName: 'Ana', email: 'ana@example.com' },
  time: 1,
});

/** A store with pending edits of the units 1 to 4 of a translation, and what the cache reads from it. */
async function start() {
  const world = new StringsWorld();
  world.component(1);
  for (const id of [1, 2, 3, 4]) world.string(1, id, `Source ${id}`, { edits: [edit(`${id}a`)] });
  const { units } = world;
  const first = (await units.get(1))!;
  const reads = { all: 0, units: 0 };
  const cache = new PendingUnitCache({
    pendingOfTranslation: (translation) => (reads.all++, units.pendingOfTranslation(translation)),
    pendingVersions: (translation) => units.pendingVersions(translation),
    many: (ids) => ((reads.units += ids.length), units.many(ids)),
  });
  const translation = { id: first.translation, component: first.component };
  const read = async () => (await cache.ofTranslation(translation)).map((u) => u.edits.map((e) => e.id).join());
  const change = async (id: number, fields: Partial<Unit>) => {
    const unit = (await units.get(id))!;
    units.put({ ...unit, version: unit.version + 1, ...fields });
  };
  return { units, reads, read, change };
}

describe('PendingUnitCache', () => {
  it('PendingUnitCache reads only the units that changed since the last request', async () => {
    const { reads, read, change } = await start();
    expect(await read()).toEqual(['1a', '2a', '3a', '4a']);
    await change(2, { edits: [edit('2b')] });
    expect(await read()).toEqual(['1a', '2b', '3a', '4a']);
    expect(reads).toEqual({ all: 1, units: 1 });
  });

  it('PendingUnitCache drops units whose edits were committed, and finds them when they are edited again', async () => {
    const { read, change } = await start();
    await read();
    await change(1, { edits: [] });
    expect(await read()).toEqual(['2a', '3a', '4a']);
    await change(1, { edits: [edit('1b')] });
    expect(await read()).toEqual(['1b', '2a', '3a', '4a']);
  });

  it('PendingUnitCache skips a unit whose edits are committed between the two reads', async () => {
    const world = await start();
    await world.read();
    await world.change(3, { edits: [edit('3b')] });
    const many = world.units.many.bind(world.units);
    jest.spyOn(world.units, 'many').mockImplementation(async (ids) => {
      await world.change(3, { edits: [] });
      return many(ids);
    });
    expect(await world.read()).toEqual(['1a', '2a', '4a']);
  });

  it('PendingUnitCache reads all units when most of them changed', async () => {
    const { reads, read, change } = await start();
    await read();
    for (const id of [1, 2, 3]) await change(id, { edits: [edit(`${id}b`)] });
    expect(await read()).toEqual(['1b', '2b', '3b', '4a']);
    expect(reads).toEqual({ all: 2, units: 0 });
  });
});
