import { Action } from '../../domain/change';
import { fieldsOf, reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { rejectSuggestion } from './reject-suggestion';

async function start(settings = {}) {
  const world = new StringsWorld();
  const { czech } = world.component(1, settings);
  world.string(1, 7, 'Hello', { suggestions: 1 });
  const { component, project } = czech;
  const suggestion = { id: 9, unit: 7, translation: czech.id, component, project, target: ['Ahoj'], user: 3, time: 1 };
  await world.suggestions.insert(suggestion);
  world.effects.length = 0;
  const reviewer = world.user(4, ['suggestion.delete']);
  const reject = (reason = '', caller = reviewer) =>
    rejectSuggestion(world.deps, caller, { unit: 7, suggestion: 9, reason, problems: [] }, '');
  return { world, reject };
}

describe('rejectSuggestion', () => {
  it('the history entry with text and reason is stored before the suggestion is deleted', async () => {
    const { world, reject } = await start();
    await reject('Too informal.');
    expect(world.effects).toEqual([
      'store unit 7',
      'settle unit 7',
      'remove suggestion 9',
      'store unit 7',
      'settle unit 7',
    ]);
    expect(world.changes).toMatchObject([
      {
        action: Action.suggestionRemoved,
        target: 'Ahoj',
        user: 4,
        author: 3,
        details: { suggestion: 9, reason: 'Too informal.' },
      },
    ]);
    expect((await world.units.get(7))!.suggestions).toBe(0);
  });

  it('two rejections at the same time share the key of one history entry', async () => {
    const { world, reject } = await start();
    await reject();
    expect(world.changes.map((c) => c.once)).toEqual(['suggestion 9 rejected']);
  });

  it('authors withdraw their own suggestions while they may suggest', async () => {
    const own = await start();
    expect(await reasonOf(own.reject('', own.world.user(3, ['suggestion.add'])))).toBe('OK');
    const others = await start();
    expect(await reasonOf(others.reject('', others.world.user(5, ['suggestion.add'])))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(others.reject('', others.world.user(3, [])))).toBe('PERMISSION_DENIED');
  });

  it('rejectSuggestion refuses long reasons and reasons with control characters', async () => {
    const { world, reject } = await start();
    expect(await fieldsOf(reject('x'.repeat(1001)))).toEqual(['reason:max_length']);
    expect(await fieldsOf(reject('a\u0000b'))).toEqual([expect.stringMatching(/^reason:/)]);
    expect(world.effects).toEqual([]);
  });

  it('suggestions of a locked component stay', async () => {
    const { world, reject } = await start({ locked: true });
    expect(await reasonOf(reject())).toBe('LOCKED');
    expect(await world.suggestions.get(9)).not.toBeNull();
  });
});
