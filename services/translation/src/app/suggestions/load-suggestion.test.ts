import { reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { loadVisibleUnit } from '../edit/load-unit';
import { countSuggestions, loadSuggestion } from './load-suggestion';

/** String 7 with suggestion 9, and string 8. */
async function start(settings = {}) {
  const world = new StringsWorld();
  const { component, czech } = world.component(1, settings);
  const { unit } = world.string(1, 7, 'Hello');
  world.string(1, 8, 'Bye');
  const suggestion = { id: 9, unit: 7, translation: 11, component: 1, project: 1, target: ['Ahoj'], user: 3, time: 1 };
  await world.suggestions.insert(suggestion);
  world.effects.length = 0;
  const caller = world.user(4, []);
  const load = (unit = 7, id = 9, by = caller) => loadSuggestion(world.deps, by, { unit, suggestion: id }, '');
  return { world, component, czech, unit, suggestion, caller, load };
}

describe('loadSuggestion', () => {
  it('loadSuggestion loads a suggestion with its unit, translation and component', async () => {
    const { component, czech, unit, suggestion, load } = await start();
    expect(await load()).toEqual({ component, translation: czech, unit, suggestion });
  });

  it('a suggestion that does not exist, or of another unit, is not found', async () => {
    const { load } = await start();
    expect(await reasonOf(load(7, 99))).toBe('NOT_FOUND');
    expect(await reasonOf(load(8, 9))).toBe('NOT_FOUND');
    expect(await reasonOf(load(99, 9))).toBe('NOT_FOUND');
  });

  it('loadSuggestion finds no suggestion in a component that the caller does not see', async () => {
    const { world, caller, load } = await start({ restricted: true });
    expect(await reasonOf(load())).toBe('NOT_FOUND');
    expect(await reasonOf(loadVisibleUnit(world.deps, caller, 7, ''))).toBe('NOT_FOUND');
    const superuser = world.user(5, [], { isSuperuser: true });
    expect(await reasonOf(load(7, 9, superuser))).toBe('OK');
  });
});

describe('countSuggestions', () => {
  it('the unit gets the number of its stored suggestions', async () => {
    const { world, unit } = await start();
    expect(await countSuggestions(world.deps, 7)).toEqual(unit);
    expect(await world.units.get(7)).toMatchObject({ suggestions: 1, version: 2 });
  });

  it('the number is written although it is the same, so that an earlier count loses its race', async () => {
    const { world } = await start();
    await countSuggestions(world.deps, 7);
    await countSuggestions(world.deps, 7);
    expect(await world.units.get(7)).toMatchObject({ suggestions: 1, version: 3 });
  });

  it('a count that loses its race counts again, also when the first number was known', async () => {
    const { world, unit, suggestion } = await start();
    world.units.rival = async () => {
      await world.suggestions.insert({ ...suggestion, id: 10 });
      world.units.put({ ...unit, version: 4 });
    };
    await countSuggestions(world.deps, 7, [], { unit, count: 1 });
    expect(await world.units.get(7)).toMatchObject({ suggestions: 2, version: 5 });
  });

  it('a unit that was deleted has no count', async () => {
    const { world } = await start();
    expect(await countSuggestions(world.deps, 99)).toBeNull();
    expect(world.effects).toEqual([]);
  });
});
