import { Action } from '../../domain/change';
import { fieldsOf, reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { voteSuggestion } from './vote';

async function start(settings = {}, fields = {}) {
  const world = new StringsWorld();
  const { czech } = world.component(1, { suggestionVoting: true, ...settings });
  world.string(1, 7, 'Hello', { suggestions: 1, ...fields });
  const author = world.user(3, ['suggestion.vote']);
  const { component, project } = czech;
  await world.suggestions.insert({
    id: 9,
    unit: 7,
    translation: czech.id,
    component,
    project,
    target: ['Ahoj'],
    user: 3,
    time: 1,
    votes: [3],
    author: world.authors.get(3)!,
  });
  const vote = (caller = world.user(4, ['suggestion.vote']), withdraw = false) =>
    voteSuggestion(world.deps, caller, { unit: 7, suggestion: 9, withdraw, problems: [] }, '');
  return { world, author, vote };
}

describe('voteSuggestion', () => {
  it('a vote counts once and can be withdrawn, any number of times', async () => {
    const { world, vote } = await start();
    const voter = world.user(4, ['suggestion.vote']);
    expect(await vote(voter)).toEqual({ count: 2, voted: true, accepted: false });
    expect(await vote(voter)).toEqual({ count: 2, voted: true, accepted: false });
    expect(await vote(voter, true)).toEqual({ count: 1, voted: false, accepted: false });
    expect(await vote(voter, true)).toEqual({ count: 1, voted: false, accepted: false });
  });

  it('the vote that reaches the limit makes the suggestion the translation, in the name of its author', async () => {
    const { world, vote } = await start({ suggestionAutoaccept: 3 });
    expect((await vote()).accepted).toBe(false);
    expect(await vote(world.user(5, ['suggestion.vote']))).toEqual({ count: 0, voted: false, accepted: true });
    expect(await world.units.get(7)).toMatchObject({
      target: ['Ahoj'],
      state: 20,
      suggestions: 0,
      edits: [{ author: { userId: 3 } }],
    });
    expect(world.changes[0]).toMatchObject({
      action: Action.suggestionAccepted,
      user: 5,
      author: 3,
      details: { votes: 3 },
    });
    expect(world.effects.indexOf('store unit 7')).toBeLessThan(world.effects.indexOf('remove suggestion 9'));
  });

  it('votes do not change a read-only string, and its suggestion stays', async () => {
    const { world, vote } = await start({ suggestionAutoaccept: 2 }, { state: 100 });
    expect(await vote()).toEqual({ count: 2, voted: true, accepted: false });
    expect(await world.units.get(7)).toMatchObject({ target: [''], state: 100 });
  });

  it('the vote of the author is fixed', async () => {
    const { author, vote } = await start();
    expect(await fieldsOf(vote(author))).toEqual(['vote:invalid']);
    expect(await fieldsOf(vote(author, true))).toEqual(['vote:invalid']);
  });

  it('voteSuggestion refuses votes where suggestions are not voted on, in locked components and without permission', async () => {
    expect(await fieldsOf((await start({ suggestionVoting: false })).vote())).toEqual(['vote:invalid']);
    expect(await reasonOf((await start({ locked: true })).vote())).toBe('LOCKED');
    const { world, vote } = await start();
    expect(await reasonOf(vote(world.user(6, ['suggestion.add'])))).toBe('PERMISSION_DENIED');
  });
});
