import type { Caller } from '@parlance/access';
import { StringsWorld } from '../../../test/support/memory/world';
import { Action } from '../../domain/change';
import type { Suggestion } from '../../domain/ports';
import type { Unit } from '../../domain/unit';
import { mayVote, voteFor } from './vote-suggestions';

/** String 7 with suggestion 9 by user 3, which becomes the translation with two votes. */
async function start(settings = {}, fields: Partial<Unit> = {}, more: Partial<Suggestion> = {}) {
  const world = new StringsWorld();
  const { czech, component } = world.component(1, { suggestionVoting: true, suggestionAutoaccept: 2, ...settings });
  world.string(1, 7, 'Hello', { suggestions: 1, ...fields });
  world.user(3, []);
  const suggestion: Suggestion = {
    id: 9,
    unit: 7,
    translation: 11,
    component: 1,
    project: 1,
    target: ['Ahoj'],
    user: 3,
    time: 1,
    votes: [3],
    author: world.authors.get(3)!,
    ...more,
  };
  await world.suggestions.insert(suggestion);
  world.effects.length = 0;
  const voter = world.user(4, ['suggestion.vote']);
  const context = (caller: Caller) => ({ caller, component, translation: czech });
  const vote = (caller = voter, of = suggestion) => voteFor(world.deps, context(caller), of);
  return { world, voter, suggestion, context, vote };
}

describe('mayVote', () => {
  it('mayVote requires that voting is on, and the permission', async () => {
    const { world, context, voter } = await start();
    expect(mayVote(context(voter))).toBe(true);
    expect(mayVote(context(world.user(5, ['suggestion.add'])))).toBe(false);
    const off = await start({ suggestionVoting: false });
    expect(mayVote(off.context(off.voter))).toBe(false);
  });
});

describe('voteFor', () => {
  it('the vote that reaches the limit makes the suggestion the translation, in the name of its author', async () => {
    const { world, vote } = await start();
    expect(await vote()).toBe(true);
    expect(await world.units.get(7)).toMatchObject({
      target: ['Ahoj'],
      state: 20,
      suggestions: 0,
      edits: [{ author: { userId: 3 }, target: ['Ahoj'] }],
    });
    const entry = { action: Action.suggestionAccepted, user: 4, author: 3, details: { votes: 2 } };
    expect(world.changes).toMatchObject([entry]);
    expect(world.effects).toEqual([
      'store unit 7',
      'settle unit 7',
      'remove suggestion 9',
      'store unit 7',
      'settle unit 7',
    ]);
  });

  it('a vote below the limit is only counted', async () => {
    const { world, vote } = await start({ suggestionAutoaccept: 3 });
    expect(await vote()).toBe(true);
    expect((await world.suggestions.get(9))!.votes).toEqual([3, 4]);
    expect(world.effects).toEqual([]);
  });

  it('without a limit no number of votes accepts a suggestion', async () => {
    const { world, vote } = await start({ suggestionAutoaccept: 0 });
    for (const id of [4, 5, 6]) expect(await vote(world.user(id, ['suggestion.vote']))).toBe(true);
    expect((await world.suggestions.get(9))!.votes).toHaveLength(4);
    expect(world.effects).toEqual([]);
  });

  it('the author, voters and callers who may not vote change nothing', async () => {
    const { world, voter, suggestion, vote } = await start();
    expect(await vote(world.user(3, ['suggestion.vote']))).toBe(false);
    expect(await vote(voter, { ...suggestion, votes: [3, 4] })).toBe(false);
    expect(await vote(world.user(5, ['suggestion.add']))).toBe(false);
    expect((await world.suggestions.get(9))!.votes).toEqual([3]);
    const uncounted = await start({}, {}, { votes: [] });
    expect(await uncounted.vote(uncounted.world.user(3, ['suggestion.vote']))).toBe(false);
    expect((await uncounted.world.suggestions.get(9))!.votes).toEqual([]);
  });

  it('a vote that was counted since, or for a suggestion that was deleted since, changes nothing', async () => {
    const { world, voter, suggestion, vote } = await start({ suggestionAutoaccept: 3 });
    await world.suggestions.vote(9, voter.userId);
    expect(await vote()).toBe(false);
    await world.suggestions.remove([suggestion]);
    expect(await vote(world.user(5, ['suggestion.vote']))).toBe(false);
  });

  it('a suggestion without a recorded author is accepted in the name of the voter', async () => {
    const { world, suggestion, vote } = await start();
    const { author, ...anonymous } = suggestion;
    expect(author).toBeDefined();
    await world.suggestions.remove([suggestion]);
    await world.suggestions.insert(anonymous);
    await vote();
    expect((await world.units.get(7))!.edits).toMatchObject([{ author: { userId: 4 } }]);
  });

  it.each([
    ['a read-only string', { state: 100 }, {}],
    ['a string with another number of forms', {}, { target: ['Ahoj', 'Ahoj'] }],
  ])('%s stays as it is, and the suggestion stays', async (_, fields, more) => {
    const { world, vote } = await start({}, fields, more);
    expect(await vote()).toBe(true);
    expect(await world.suggestions.get(9)).toMatchObject({ votes: [3, 4] });
    expect(world.effects).toEqual([]);
  });

  it('a suggestion that is the translation already is removed without an edit', async () => {
    const { world, vote } = await start({}, { target: ['Ahoj'], state: 20 });
    await vote();
    expect(await world.suggestions.get(9)).toBeNull();
    expect(await world.units.get(7)).toMatchObject({ suggestions: 0, edits: [] });
    expect(world.changes).toEqual([]);
  });

  it('a text that still needs editing becomes translated by the same suggestion', async () => {
    const { world, vote } = await start({}, { target: ['Ahoj'], state: 10 });
    await vote();
    expect(await world.units.get(7)).toMatchObject({ target: ['Ahoj'], state: 20 });
  });

  it('an edit at the same time does not lose the accepted suggestion, nor is it lost', async () => {
    const { world, vote } = await start();
    world.units.rival = async () => {
      world.units.put({ ...(await world.units.get(7))!, target: ['Nazdar'], state: 20, comments: 2, version: 4 });
    };
    await vote();
    expect(await world.units.get(7)).toMatchObject({ target: ['Ahoj'], comments: 2 });
    expect(world.changes).toMatchObject([{ old: 'Nazdar', target: 'Ahoj' }]);
  });
});
