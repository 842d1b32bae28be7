import { reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { listSuggestions } from './list-suggestions';

/** Suggestions 1 and 2 for string 7, and 3 for string 8. */
async function start(settings = {}) {
  const world = new StringsWorld();
  world.component(1, settings);
  world.string(1, 7, 'Hello');
  world.string(1, 8, 'Bye');
  const common = { translation: 11, component: 1, project: 1, user: 3, time: 1 };
  const of = (id: number, unit: number, text: string) => ({ ...common, id, unit, target: [text] });
  await world.suggestions.insertMany([of(1, 7, 'Ahoj'), of(2, 7, 'Nazdar'), of(3, 8, 'Sbohem')]);
  const list = async (
    scope: { unit: number } | { translation: number },
    page = 1,
    size = 10,
    caller = world.user(4, []),
  ) => {
    const { items, total } = await listSuggestions(world.deps, caller, scope, { page, size }, '');
    return { total, items: items.map(({ suggestion, unit }) => `${suggestion.id} for ${unit.source[0]}`) };
  };
  return { world, list };
}

describe('listSuggestions', () => {
  it('listSuggestions lists the suggestions of a unit', async () => {
    const { list } = await start();
    expect(await list({ unit: 7 })).toEqual({ total: 2, items: ['1 for Hello', '2 for Hello'] });
    expect(await list({ unit: 507 })).toEqual({ total: 0, items: [] });
  });

  it('listSuggestions lists the suggestions of a translation with their units', async () => {
    const { list } = await start();
    expect(await list({ translation: 11 })).toEqual({ total: 3, items: ['1 for Hello', '2 for Hello', '3 for Bye'] });
  });

  it('listSuggestions lists pages, by id', async () => {
    const { list } = await start();
    expect(await list({ translation: 11 }, 2, 2)).toEqual({ total: 3, items: ['3 for Bye'] });
    expect(await list({ unit: 7 }, 2, 1)).toEqual({ total: 2, items: ['2 for Hello'] });
    expect((await list({ unit: 7 }, 3, 1)).items).toEqual([]);
  });

  it('a suggestion whose unit is being removed is not listed', async () => {
    const { world, list } = await start();
    await world.units.removeMany([7]);
    expect((await list({ translation: 11 })).items).toEqual(['3 for Bye']);
  });

  it('units and translations that do not exist, or that the caller does not see, are not found', async () => {
    const { list } = await start();
    expect(await reasonOf(list({ unit: 99 }))).toBe('NOT_FOUND');
    expect(await reasonOf(list({ translation: 99 }))).toBe('NOT_FOUND');
    const restricted = await start({ restricted: true });
    expect(await reasonOf(restricted.list({ unit: 7 }))).toBe('NOT_FOUND');
    expect(await reasonOf(restricted.list({ translation: 11 }))).toBe('NOT_FOUND');
    const superuser = restricted.world.user(5, [], { isSuperuser: true });
    expect(await reasonOf(restricted.list({ translation: 11 }, 1, 10, superuser))).toBe('OK');
  });
});
