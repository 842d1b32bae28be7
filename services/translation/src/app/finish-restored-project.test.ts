import { StringsWorld } from '../../test/support/memory/world';
import { finishRestoredProject } from './finish-restored-project';

const ana = { userId: 3, username: 'ana', fullName: 'Ana', email: 'ana@example.com' };
const placeholder = { userId: 3, username: 'deleted-3', fullName: 'Deleted User', email: 'noreply-3@example.com' };

it('translations of a restored project are announced, without names of people who were deleted meanwhile', async () => {
  const world = new StringsWorld();
  const { czech } = world.component(1);
  world.string(1, 7, 'Hello', {
    target: ['Ahoj'],
    state: 20,
    edits: [{ id: 'a', author: ana, target: ['Ahoj'], state: 20, time: 1 }],
  });
  world.effects.length = 0;
  const asked: number[][] = [];
  const deletedUsers = async (ids: readonly number[]) => {
    asked.push([...ids]);
    return [placeholder];
  };
  await finishRestoredProject(
    { ...world.deps, entities: { deletedUsers }, people: async () => [3, 4], translationIds: async () => [czech.id] },
    czech.project,
  );
  expect(asked).toEqual([[3, 4]]);
  expect((await world.units.get(7))!.edits[0]!.author).toEqual(placeholder);
  expect(world.effects).toContain(`announce translation ${czech.id}`);
});
