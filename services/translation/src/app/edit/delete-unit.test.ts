import { Action } from '../../domain/change';
import { reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { deleteUnit } from './delete-unit';

function start(settings = {}) {
  const world = new StringsWorld();
  world.component(1, settings);
  world.string(1, 7, 'Hello', { target: ['Ahoj'], state: 20 });
  const ana = world.user(3, ['unit.delete']);
  const remove = (id = 7, caller = ana) => deleteUnit(world.deps, caller, id, '');
  const ids = async () => (await world.units.many([7, 507, 8])).map((u) => u.id);
  return { world, remove, ids };
}

describe('deleteUnit', () => {
  it('the removal from the file is stored before the unit is removed, and the history keeps its text', async () => {
    const { world, remove } = start();
    await remove();
    const { effects } = world;
    expect(effects.indexOf('store removal of unit 7')).toBeLessThan(effects.indexOf('remove unit 7'));
    expect(await world.removals.ofComponent(1)).toMatchObject([
      { id: 'unit 7', translation: 11, author: { userId: 3 } },
    ]);
    expect(world.changes[0]).toMatchObject({ action: Action.stringRemoved, target: 'Ahoj', unit: 7, user: 3 });
  });

  it('the last translation takes its source string with it, others keep it', async () => {
    const single = start();
    await single.remove();
    expect(await single.ids()).toEqual([]);
    const { world, remove, ids } = start();
    const unit = (await world.units.get(7))!;
    world.units.put({ ...unit, id: 8, translation: 12, language: 'de' });
    await remove();
    expect(await ids()).toEqual([8, 507]);
  });

  it('deleting a source string deletes its translations first', async () => {
    const { world, remove, ids } = start({ template: 'en.po' });
    await remove(507);
    expect(await ids()).toEqual([]);
    expect(world.effects.indexOf('remove unit 7')).toBeLessThan(world.effects.indexOf('remove unit 507'));
  });

  it('an edit that wins the race is in the history of the deletion', async () => {
    const { world, remove } = start();
    world.units.rival = async () => {
      world.units.put({ ...(await world.units.get(7))!, target: ['Nazdar'], version: 9 });
    };
    await remove();
    expect(world.changes.find((c) => c.unit === 7)).toMatchObject({ target: 'Nazdar' });
  });

  it('one of several callers deletes a string', async () => {
    const { world, remove } = start();
    world.units.rival = async () => void (await world.units.removeMany([7]));
    expect(await reasonOf(remove())).toBe('NOT_FOUND');
    expect(await reasonOf(remove())).toBe('NOT_FOUND');
  });

  it('deleting requires unit.delete in a component whose strings are managed', async () => {
    const { world, remove } = start();
    expect(await reasonOf(remove(7, world.user(4, ['unit.edit', 'unit.add'])))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(start({ manageUnits: false }).remove())).toBe('PERMISSION_DENIED');
    expect(await reasonOf(start({ locked: true }).remove())).toBe('LOCKED');
    expect(await reasonOf(start({ template: 'en.po' }).remove(7))).toBe('PERMISSION_DENIED');
  });
});
