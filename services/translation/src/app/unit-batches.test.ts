import { inTranslation } from '../domain/unit-query';
import { StringsWorld } from '../../test/support/memory/world';
import { unitBatches } from './unit-batches';

function start() {
  const world = new StringsWorld();
  world.component(1);
  for (const id of [1, 2, 3]) world.string(1, id, `Text ${id}`);
  return world;
}

describe('unitBatches', () => {
  it('unitBatches yields every unit of the query once, in batches of the size', async () => {
    const world = start();
    const batches: number[][] = [];
    for await (const units of unitBatches(world.deps, inTranslation(11), 2)) batches.push(units.map(({ id }) => id));
    expect(batches).toEqual([[1, 2], [3]]);
  });

  it('units that were deleted or added after the first batch are absent', async () => {
    const world = start();
    const seen: number[] = [];
    for await (const units of unitBatches(world.deps, inTranslation(11), 2)) {
      seen.push(...units.map(({ id }) => id));
      await world.units.removeMany([3]);
      world.string(1, 4, 'Text 4');
    }
    expect(seen).toEqual([1, 2]);
  });

  it('unitBatches reads units when their batch is due, with the writes of the batches before', async () => {
    const world = start();
    const states: number[] = [];
    for await (const units of unitBatches(world.deps, inTranslation(11), 1)) {
      states.push(units[0]!.state);
      world.units.put({ ...(await world.units.get(2))!, state: 20 });
    }
    expect(states).toEqual([0, 20, 0]);
  });
});
