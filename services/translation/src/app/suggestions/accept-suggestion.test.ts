import { Action } from '../../domain/change';
import { reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { acceptSuggestion } from './accept-suggestion';

async function start(settings = {}, fields = {}) {
  const world = new StringsWorld();
  const { czech } = world.component(1, settings);
  world.string(1, 7, 'Hello', { suggestions: 1, ...fields });
  const ana = world.user(3, []);
  const reviewer = world.user(4, ['suggestion.accept', 'unit.edit']);
  const { component, project } = czech;
  const suggestion = { id: 9, unit: 7, translation: czech.id, component, project, target: ['Ahoj'], user: 3, time: 1 };
  await world.suggestions.insert(suggestion);
  world.effects.length = 0;
  const accept = (more: object = {}, caller = reviewer) =>
    acceptSuggestion(world.deps, caller, { unit: 7, suggestion: 9, problems: [], ...more }, '');
  return { world, ana, reviewer, accept };
}

describe('acceptSuggestion', () => {
  it('the text is stored in the name of its author before the suggestion is deleted', async () => {
    const { world, accept } = await start();
    await accept();
    expect(await world.units.get(7)).toMatchObject({
      target: ['Ahoj'],
      state: 20,
      suggestions: 0,
      edits: [{ author: { userId: 3 }, target: ['Ahoj'] }],
    });
    expect(world.effects.filter((e) => e !== 'record contributor')).toEqual([
      'store unit 7',
      'settle unit 7',
      'remove suggestion 9',
      'store unit 7',
      'settle unit 7',
    ]);
    expect(world.changes).toMatchObject([
      { action: Action.suggestionAccepted, user: 4, author: 3, details: { suggestion: 9, suggested_by: 3 } },
    ]);
  });

  it('a caller who changes the text is its author', async () => {
    const { world, accept } = await start();
    await accept({ target: ['Nazdar'] });
    expect((await world.units.get(7))!.edits).toMatchObject([{ author: { userId: 4 }, target: ['Nazdar'] }]);
  });

  it('the text of an unknown author is committed in the name of the caller', async () => {
    const { world, accept } = await start();
    world.authors.delete(3);
    await accept();
    expect((await world.units.get(7))!.edits).toMatchObject([{ author: { userId: 4 } }]);
  });

  it('accepting the current text is recorded and deletes the suggestion', async () => {
    const { world, accept } = await start({}, { target: ['Ahoj'], state: 20 });
    await accept();
    expect(world.changes).toMatchObject([{ action: Action.suggestionAccepted, user: 4 }]);
    expect(await world.suggestions.get(9)).toBeNull();
  });

  it('a refused edit keeps the suggestion', async () => {
    const { world, accept } = await start({}, { state: 100 });
    expect(await reasonOf(accept())).toBe('PERMISSION_DENIED');
    expect(await world.suggestions.get(9)).not.toBeNull();
  });

  it('accepting requires suggestion.accept and the right to edit', async () => {
    const { world, accept } = await start();
    expect(await reasonOf(accept({}, world.user(5, ['unit.edit'])))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(accept({}, world.user(5, ['suggestion.accept'])))).toBe('PERMISSION_DENIED');
  });

  it('a suggestion of another unit does not exist', async () => {
    const { world, accept } = await start();
    world.string(1, 8, 'Bye');
    expect(await reasonOf(accept({ unit: 8 }))).toBe('NOT_FOUND');
    await accept();
    expect(await reasonOf(accept())).toBe('NOT_FOUND');
  });
});
