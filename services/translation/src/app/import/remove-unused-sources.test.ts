import { Action } from '../../domain/change';
import { StringsWorld } from '../../../test/support/memory/world';
import { removeUnusedSources } from './remove-unused-sources';

function start() {
  const world = new StringsWorld();
  world.component(1);
  world.string(1, 7, 'Hello');
  world.string(1, 8, 'Bye');
  return world;
}

describe('removeUnusedSources', () => {
  it('removeUnusedSources removes source strings after the history has kept their text', async () => {
    const world = start();
    await removeUnusedSources(world.deps, 1, [507], null);
    expect(await world.units.get(507)).toBeNull();
    expect(await world.units.get(508)).not.toBeNull();
    expect(world.changes).toMatchObject([{ action: Action.stringRemoved, unit: 507, target: 'Hello', user: 0 }]);
  });

  it('removeUnusedSources keeps the source string of a translation that a commit has yet to add', async () => {
    const world = start();
    const author = { userId: 3, username: 'ana', fullName: 'Ana', email: '' };
    const edits = [{ id: 'e', author, target: ['Ahoj'], state: 20, time: 1, adds: true }];
    world.units.put({ ...(await world.units.get(7))!, edits });
    await removeUnusedSources(world.deps, 1, [507, 508], author);
    expect(await world.units.get(507)).not.toBeNull();
    expect(await world.units.get(508)).toBeNull();
    expect(world.changes).toMatchObject([{ unit: 508, user: 3 }]);
  });
});
