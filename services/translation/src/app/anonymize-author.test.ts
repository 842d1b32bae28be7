import { StringsWorld } from '../../test/support/memory/world';
import { anonymizeAuthor } from './anonymize-author';

const ana = { userId: 3, username: 'ana', fullName: 'Ana', email: 'ana@example.com' };
const placeholder = { userId: 3, username: 'deleted-3', fullName: 'Deleted User', email: 'noreply-3@example.com' };
const edit = (id: string) => ({ id, author: ana, target: ['Ahoj'], state: 20, time: 1 });

async function start() {
  const world = new StringsWorld();
  const { czech } = world.component(1);
  world.string(1, 7, 'Hello', { target: ['Ahoj'], state: 20, edits: [edit('a')] });
  world.translations.put({ ...czech, counters: { ...czech.counters, lastAuthor: 'Ana', lastAuthorId: 3 } });
  await world.removals.add([{ id: 'unit 9', component: 1, translation: 11, key: 'k', author: ana, time: 1 }]);
  const { component, project } = czech;
  const suggestion = {
    id: 5,
    unit: 7,
    translation: 11,
    component,
    project,
    target: ['x'],
    user: 3,
    time: 1,
    author: ana,
  };
  await world.suggestions.insert(suggestion);
  world.effects.length = 0;
  return world;
}

it('the name of a deleted user is removed wherever it would still be published', async () => {
  const world = await start();
  await anonymizeAuthor(world.deps, placeholder);
  expect((await world.units.get(7))!.edits[0]!.author).toEqual(placeholder);
  expect((await world.removals.ofComponent(1))[0]!.author).toEqual(placeholder);
  expect(await world.suggestions.get(5)).not.toHaveProperty('author');
  expect((await world.translations.get(11))!.counters.lastAuthor).toBe('Deleted User');
  expect(world.effects).toContain('announce translation 11');
});

it('an edit that is saved concurrently is renamed, too', async () => {
  const world = await start();
  world.units.rival = async () => {
    world.units.put({ ...(await world.units.get(7))!, version: 5, edits: [edit('a'), edit('b')] });
  };
  await anonymizeAuthor(world.deps, placeholder);
  const { edits } = (await world.units.get(7))!;
  expect(edits.map((e) => e.author.username)).toEqual(['deleted-3', 'deleted-3']);
});
