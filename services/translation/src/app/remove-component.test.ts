import { StringsWorld } from '../../test/support/memory/world';
import { removeComponent } from './remove-component';

it('each translation is announced as deleted before it is removed; strings and remarks follow', async () => {
  const world = new StringsWorld();
  world.component(1);
  world.component(2);
  world.string(1, 7, 'Hello');
  world.string(2, 8, 'Hello');
  const fencingTokens = { removeOfComponent: async (id: number) => void world.effects.push(`remove token of ${id}`) };
  const remove = () => removeComponent({ ...world.deps, fencingTokens }, 1);
  await remove();
  expect(world.effects).toEqual([
    'announce deletion of translation 10',
    'begin removal of translation 10',
    'remove translation 10',
    'announce deletion of translation 11',
    'begin removal of translation 11',
    'remove translation 11',
    'remove unlisted units of component 1',
    'remove suggestions of component 1',
    'remove comments of component 1',
    'remove removals of component 1',
    'remove token of 1',
  ]);
  expect(await world.units.ofTranslation(21)).toHaveLength(1);
  // A repetition, after a crash, announces nothing again.
  world.effects.length = 0;
  await remove();
  expect(world.effects.filter((e) => e.startsWith('announce'))).toEqual([]);
});
