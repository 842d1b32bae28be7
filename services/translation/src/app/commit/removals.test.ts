import { StringsWorld } from '../../../test/support/memory/world';
import { removalIdOf, type Removal } from '../../domain/pending';
import { removalsOf } from './removals';

/** The strings 7 and 8 were removed from translation 11, and 8 from translation 12, too. */
async function start() {
  const world = new StringsWorld();
  world.component(1);
  const { unit } = world.string(1, 7, 'Hello');
  await world.units.removeMany([7]);
  const author = { userId: 3, username: 'ana', fullName: 'Ana', email: 'ana@example.com' };
  const removal = (id: number, translation: number, key: string): Removal => ({
    id: removalIdOf(id),
    component: 1,
    translation,
    key,
    author,
    time: 1,
  });
  const removals = [removal(7, 11, unit.key), removal(8, 11, 'bye'), removal(9, 12, 'bye')];
  await world.removals.add(removals);
  return { world, unit, removals };
}

describe('removalsOf', () => {
  it('the removals of a component are applied', async () => {
    const { world, removals } = await start();
    expect(await removalsOf(world.deps, 1, [])).toEqual(removals);
    expect(await removalsOf(world.deps, 2, [])).toEqual([]);
  });

  it('a removal whose unit still exists is held back', async () => {
    const { world, unit, removals } = await start();
    world.units.put(unit);
    expect(await removalsOf(world.deps, 1, [])).toEqual(removals.slice(1));
  });

  it('a removal whose unit was pending when the commit began is held back, although it was removed since', async () => {
    const { world, unit, removals } = await start();
    expect(await removalsOf(world.deps, 1, [unit])).toEqual(removals.slice(1));
  });

  it('a string that was added again to the same translation is marked, so that it stays in the file', async () => {
    const { world, unit, removals } = await start();
    world.units.put({ ...unit, id: 20, key: 'bye' });
    const [hello, again, other] = removals;
    expect(await removalsOf(world.deps, 1, [])).toEqual([hello, { ...again, addedAgain: true }, other]);
  });
});
