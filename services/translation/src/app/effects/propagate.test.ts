import { Action } from '../../domain/change';
import { StringsWorld } from '../../../test/support/memory/world';
import { updateUnit } from '../edit/update-unit';
import { planPropagation, recoverPropagation } from './propagate';

/** Two components with the same string; the first is edited. */
function start(first = {}, second = {}, fields = {}) {
  const world = new StringsWorld();
  world.component(1, { propagation: true, ...first });
  world.component(2, { propagation: true, ...second });
  world.string(1, 7, 'Hello');
  world.string(2, 8, 'Hello', fields);
  const ana = world.user(3, ['unit.edit']);
  const edit = (caller = ana) =>
    updateUnit(world.deps, caller, { id: 7, target: ['Ahoj'], expectedVersion: 0 }, '').then(() => world.units.get(8));
  return { world, edit };
}

describe('propagation', () => {
  it('an edit reaches the strings with the same source in other components, in the name of its author', async () => {
    const { world, edit } = start();
    expect(await edit()).toMatchObject({ target: ['Ahoj'], state: 20, edits: [{ author: { userId: 3 } }] });
    expect(world.changes).toMatchObject([{ unit: 7 }, { unit: 8, action: Action.propagated }]);
    expect(world.effects.indexOf('store unit 7')).toBeLessThan(world.effects.indexOf('store unit 8'));
  });

  it.each([
    ['the edited component does not propagate', { propagation: false }, {}],
    ['the other component does not propagate', {}, { propagation: false }],
    ['the other component is locked', {}, { locked: true }],
    ['one of them is a glossary', {}, { isGlossary: true }],
    ['the author did not accept the agreement of the other component', {}, { agreement: 'Be kind.' }],
    ['they belong to different projects', {}, { project: 2 }],
  ])('an edit stays in its component if %s', async (_, first, second) => {
    const { edit } = start(first, second);
    expect((await edit())!.target).toEqual(['']);
  });

  it('read-only and approved strings keep their text', async () => {
    expect((await start({}, {}, { state: 100 }).edit())!.target).toEqual(['']);
    expect((await start({}, {}, { target: ['Nazdar'], state: 30 }).edit())!.target).toEqual(['Nazdar']);
  });

  it('a copy that fails does not keep the others from their text', async () => {
    const { world, edit } = start();
    world.component(3, { propagation: true });
    world.string(3, 9, 'Hello');
    const { units } = world;
    const write: typeof units.write = (given) =>
      given.unit === 8 ? Promise.reject(new Error('store unavailable')) : units.write(given);
    Object.assign(world.deps, { units: Object.assign(Object.create(units) as typeof units, { write }) });
    await expect(edit()).rejects.toThrow('store unavailable');
    expect([await units.get(8), await units.get(9)]).toMatchObject([{ target: [''] }, { target: ['Ahoj'] }]);
  });

  it('an edit without a twin needs no intent', async () => {
    const { world } = start();
    const { unit } = world.string(1, 20, 'Only here');
    const editor = { author: world.authors.get(3)!, mayEdit: async () => true, mayReview: () => true };
    expect(await planPropagation(world.deps, editor, unit, world.components.get(1)!, '')).toBeNull();
  });

  describe('after a crash', () => {
    async function crashed(fields = {}) {
      const { world } = start({}, {}, fields);
      const author = world.authors.get(3)!;
      world.units.put({ ...(await world.units.get(7))!, target: ['Ahoj'], state: 20 });
      const propagation = { target: ['Ahoj'], state: 20, author, components: [{ id: 2, mayReview: false }] };
      const recover = (more: object = {}) =>
        recoverPropagation(world.deps, 7, { propagation: { ...propagation, ...more }, time: 500 }).then(() =>
          world.units.get(8),
        );
      return { world, recover };
    }

    it('recovery completes the copies, also twice', async () => {
      const { world, recover } = await crashed();
      expect(await recover()).toMatchObject({ target: ['Ahoj'], version: 2 });
      expect(await recover()).toMatchObject({ version: 2 });
      expect(world.changes).toHaveLength(1);
    });

    it('strings that were written after the edit keep their text', async () => {
      const { recover } = await crashed({ target: ['Later'], state: 20, updated: 501 });
      expect((await recover())!.target).toEqual(['Later']);
    });

    it('an edit that was replaced since is not copied', async () => {
      const { recover } = await crashed();
      expect((await recover({ target: ['Former'] }))!.target).toEqual(['']);
    });

    it('only components that the author was allowed to edit get the text', async () => {
      const { recover } = await crashed();
      expect((await recover({ components: [] }))!.target).toEqual(['']);
    });
  });
});
