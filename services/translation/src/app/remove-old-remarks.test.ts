import { Action } from '../domain/change';
import { StringsWorld } from '../../test/support/memory/world';
import { removeOldComments, removeOldSuggestions } from './remove-old-remarks';

const place = { unit: 7, translation: 11, component: 1, project: 1, user: 3 };

async function start() {
  const world = new StringsWorld();
  world.component(1);
  world.string(1, 7, 'Hello', { suggestions: 3, comments: 2 });
  const suggestion = (id: number, time: number, votes: number[]) => ({ ...place, id, target: [`s${id}`], time, votes });
  await world.suggestions.insertMany([suggestion(1, 10, []), suggestion(2, 10, [3, 4]), suggestion(3, 90, [])]);
  await world.comments.insert({ ...place, id: 1, text: 'old', time: 10 });
  await world.comments.insert({ ...place, id: 2, text: 'new', time: 90 });
  world.effects.length = 0;
  return world;
}

it('old suggestions with few votes are removed after the unit has the number of the others', async () => {
  const world = await start();
  expect(await removeOldSuggestions(world.deps, 1, 50, 1)).toBe(1);
  expect(world.effects).toEqual(['store unit 7', 'settle unit 7', 'remove suggestion 1']);
  expect((await world.units.get(7))!.suggestions).toBe(2);
  expect(world.changes).toMatchObject([{ action: Action.suggestionCleanedUp, target: 's1', user: 0 }]);
});

it('old comments are removed, and a second run finds none', async () => {
  const world = await start();
  expect(await removeOldComments(world.deps, 1, 50)).toBe(1);
  expect((await world.units.get(7))!.comments).toBe(1);
  expect(await world.comments.get(2)).not.toBeNull();
  expect(await removeOldComments(world.deps, 1, 50)).toBe(0);
});

it('remarks of other components stay', async () => {
  const world = await start();
  expect(await removeOldComments(world.deps, 2, 50)).toBe(0);
});
