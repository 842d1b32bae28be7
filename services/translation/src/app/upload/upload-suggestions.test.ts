import type { Permission } from '@parlance/access';
import { Action } from '../../domain/change';
import { uploadWorld } from '../../../test/support/memory/uploads';
import { suggestTexts } from './upload-suggestions';

function start(fields = {}, settings = {}, permissions: Permission[] = []) {
  const { world, deps, upload, parse } = uploadWorld(settings);
  world.string(1, 7, 'Hello', fields);
  const caller = world.user(3, ['upload.perform', 'suggestion.add', ...permissions]);
  const run = (texts: Record<string, string>, by = caller) =>
    suggestTexts(deps, upload(by, { method: 'suggest' }), parse(texts));
  const suggestions = async () => (await world.suggestions.page({ unit: 7 }, 1, 10)).items;
  return { world, run, suggestions };
}

describe('suggestTexts', () => {
  it('a text becomes a suggestion that its string counts, and the translation stays', async () => {
    const { world, run, suggestions } = start();
    expect(await run({ Hello: 'Ahoj' })).toEqual({ accepted: 1, skipped: 0, notFound: 0, total: 1 });
    expect(await suggestions()).toMatchObject([{ target: ['Ahoj'], user: 3, translation: 11, project: 1 }]);
    expect(await world.units.get(7)).toMatchObject({ suggestions: 1, target: [''], edits: [] });
    expect(world.changes).toMatchObject([{ action: Action.suggestionAdded, target: 'Ahoj', user: 3 }]);
    expect(world.effects).toEqual(['store suggestion 1', 'store unit 7', 'settle unit 7']);
  });

  it.each([
    ['the text is the translation already', { target: ['Ahoj'], state: 20 }],
    ['the string is read-only', { state: 100 }],
    ['the number of plural forms differs', { source: ['Hello', 'Hellos'], target: ['', '', ''] }],
  ])('a text is skipped if %s', async (_, fields) => {
    const { run, suggestions } = start(fields);
    expect(await run({ Hello: 'Ahoj' })).toMatchObject({ accepted: 0 });
    expect(await suggestions()).toEqual([]);
  });

  it('a suggestion that exists is not added twice', async () => {
    const { world, run, suggestions } = start();
    await run({ Hello: 'Ahoj' });
    expect(await run({ Hello: 'Ahoj' }, world.user(4, ['upload.perform', 'suggestion.add']))).toMatchObject({
      accepted: 0,
      skipped: 1,
    });
    expect(await suggestions()).toHaveLength(1);
  });

  it('where voting is on, the uploader votes for the own new and for existing suggestions', async () => {
    const voting = { suggestionVoting: true };
    const { world, run, suggestions } = start({}, voting, ['suggestion.vote']);
    await run({ Hello: 'Ahoj' });
    expect(await suggestions()).toMatchObject([{ votes: [3] }]);
    const other = world.user(4, ['upload.perform', 'suggestion.add', 'suggestion.vote']);
    expect(await run({ Hello: 'Ahoj' }, other)).toMatchObject({ accepted: 1, skipped: 0 });
    expect(await suggestions()).toMatchObject([{ votes: [3, 4] }]);
  });

  it('without the permission to vote, a suggestion gets no vote', async () => {
    const { run, suggestions } = start({}, { suggestionVoting: true });
    await run({ Hello: 'Ahoj' });
    expect((await suggestions())[0]!.votes).toBeUndefined();
  });

  it('a count that loses a race includes the suggestions of the other writer', async () => {
    const { world, run, suggestions } = start();
    world.units.rival = async () => {
      const stored = (await suggestions())[0]!;
      await world.suggestions.insert({ ...stored, id: 50, target: ['Nazdar'] });
      world.units.put({ ...(await world.units.get(7))!, version: 4, suggestions: 1 });
    };
    await run({ Hello: 'Ahoj' });
    expect(await world.units.get(7)).toMatchObject({ suggestions: 2, version: 5 });
    expect(world.changes).toHaveLength(1);
  });
});
