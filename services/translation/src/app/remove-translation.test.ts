import { Action } from '../domain/change';
import { StringsWorld } from '../../test/support/memory/world';
import { removeTranslation } from './remove-translation';

const author = { userId: 3, username: 'ana', fullName: 'Ana', email: '' };

function start(settings = {}) {
  const world = new StringsWorld();
  const { czech } = world.component(1, settings);
  const edits = [{ id: 'a', author, target: ['Ahoj'], state: 20, time: 1 }];
  world.string(1, 7, 'Hello', { target: ['Ahoj'], state: 20, edits });
  world.string(1, 8, 'Bye', { target: ['Cau'], state: 20 });
  const remove = () => removeTranslation({ ...world.deps, changes: world.deps.history }, czech, author);
  return { world, remove };
}

it('a deletion is announced before the translation and then its strings are removed', async () => {
  const { world, remove } = start();
  await remove();
  expect(world.effects).toEqual([
    'announce deletion of translation 11',
    'begin removal of translation 11',
    'remove translation 11',
    'invalidate caches',
    'remove units of translation 11',
  ]);
  expect(await world.units.ofTranslation(11)).toEqual([]);
  expect(await world.units.ofTranslation(10)).toHaveLength(2);
});

it('the history keeps texts that no commit contains, and the deletion as an entry of the component', async () => {
  const { world, remove } = start();
  await remove();
  expect(world.changes).toMatchObject([
    { action: Action.stringRemoved, unit: 7, target: 'Ahoj', user: 3, details: { uncommitted: true } },
    { action: Action.translationRemoved, translation: 0, component: 1, target: 'cs.po' },
  ]);
});

it('the terms of a deleted glossary translation are invalidated', async () => {
  const { world, remove } = start({ isGlossary: true });
  await remove();
  expect(world.effects.at(-1)).toBe('terms changed cs');
});
