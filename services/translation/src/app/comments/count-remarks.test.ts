import { StringsWorld } from '../../../test/support/memory/world';
import { countRemarks } from './count-remarks';

async function start() {
  const world = new StringsWorld();
  world.component(1);
  const { unit } = world.string(1, 7, 'Hello', { updated: 1_000 });
  await world.comment(1, 7, 'Which one?');
  await world.comment(2, 7, 'The first.');
  await world.comment(3, 8, 'Elsewhere.');
  const stored = async () => (await world.units.get(7))!;
  return { world, unit, stored, count: () => countRemarks(world.deps, 'comments', world.comments, 7, []) };
}

describe('countRemarks', () => {
  beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
  afterEach(() => jest.restoreAllMocks());

  it('the number of stored comments of the unit is written, and the unit before the write is returned', async () => {
    const { count, stored } = await start();
    expect(await count()).toMatchObject({ id: 7, comments: 0, version: 1 });
    expect(await stored()).toMatchObject({ comments: 2, suggestions: 0, version: 2 });
  });

  it('an unchanged number is written, too, so that a writer who counted before loses its race', async () => {
    const { count, stored } = await start();
    await count();
    await count();
    expect(await stored()).toMatchObject({ comments: 2, version: 3 });
  });

  it('a count that lost its race is repeated with the comments that are stored then', async () => {
    const { world, count, stored } = await start();
    world.units.rival = async () => {
      await world.comment(4, 7, 'Meanwhile.');
      world.units.put({ ...(await stored()), version: 2, target: ['Ahoj'] });
    };
    await count();
    expect(await stored()).toMatchObject({ comments: 3, target: ['Ahoj'], version: 3 });
  });

  it('a given count is used for the unit with which it was read, and counted again after a lost race', async () => {
    const { world, unit, stored } = await start();
    const count = async () => countRemarks(world.deps, 'comments', world.comments, 7, [], { unit, count: 9 });
    world.units.rival = async () => world.units.put({ ...(await stored()), version: 2 });
    await count();
    expect(await stored()).toMatchObject({ comments: 2, version: 3 });

    const fresh = await stored();
    await countRemarks(world.deps, 'comments', world.comments, 7, [], { unit: fresh, count: 9 });
    expect(await stored()).toMatchObject({ comments: 9, version: 4 });
  });

  it('suggestions are counted in their own field', async () => {
    const { world, stored } = await start();
    await countRemarks(world.deps, 'suggestions', { countNewer: async () => 5 }, 7, []);
    expect(await stored()).toMatchObject({ suggestions: 5, comments: 0 });
  });

  it('the write is later than the last one, although the clock of another replica is ahead', async () => {
    const { world, unit, count, stored } = await start();
    world.units.put({ ...unit, updated: world.nowMs + 60_000 });
    await count();
    expect((await stored()).updated).toBe(world.nowMs + 60_001);
  });

  it('no number is written for a unit that was deleted', async () => {
    const { world, count } = await start();
    await world.units.removeMany([7]);
    world.effects.length = 0;
    expect(await count()).toBeNull();
    expect(world.effects).toEqual([]);
  });
});
