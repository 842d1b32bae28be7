import { Action } from '../../domain/change';
import { reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { deleteComment } from './delete-comment';

async function start() {
  const world = new StringsWorld();
  world.component(1);
  world.string(1, 7, 'Hello', { comments: 1 });
  await world.comment(9, 7, 'Why?');
  const author = world.user(3, ['comment.add']);
  const remove = (caller = author) => deleteComment(world.deps, caller, { unit: 7, comment: 9 }, '');
  return { world, remove };
}

describe('deleteComment', () => {
  it('the text is in the history before the comment is deleted, and the unit counts the rest', async () => {
    const { world, remove } = await start();
    await remove();
    expect(world.effects).toEqual([
      'store unit 7',
      'settle unit 7',
      'remove comment 9',
      'store unit 7',
      'settle unit 7',
    ]);
    expect(world.changes).toMatchObject([
      { action: Action.commentRemoved, target: 'Why?', user: 3, once: 'comment 9 deleted' },
    ]);
    expect((await world.units.get(7))!.comments).toBe(0);
    expect(await reasonOf(remove())).toBe('NOT_FOUND');
  });

  it('others need comment.delete', async () => {
    const { world, remove } = await start();
    expect(await reasonOf(remove(world.user(4, ['comment.add'])))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(remove(world.user(4, ['comment.delete'])))).toBe('OK');
  });
});
