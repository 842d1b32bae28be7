import { Action } from '../../domain/change';
import { fieldsOf, reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { changeComment } from './change-comment';

async function start() {
  const world = new StringsWorld();
  world.component(1);
  world.string(1, 7, 'Hello');
  world.string(1, 8, 'Bye');
  await world.comment(9, 7, 'Why?');
  const author = world.user(3, ['comment.add']);
  const change = (more: object, caller = author, unit = 7) =>
    changeComment(world.deps, caller, { unit, comment: 9, problems: [], ...more }, '');
  return { world, author, change };
}

describe('changeComment', () => {
  it('the former text is in the history before the comment changes', async () => {
    const { world, change } = await start();
    expect(await change({ text: 'How?' })).toMatchObject({ text: 'How?', resolved: false, scope: 'translation' });
    expect(world.effects).toEqual(['store unit 7', 'settle unit 7', 'store comment 9']);
    expect(world.changes).toMatchObject([{ action: Action.commentEdited, target: 'How?', old: 'Why?' }]);
  });

  it('resolving and reopening are recorded', async () => {
    const { world, change } = await start();
    await change({ resolved: true });
    expect(await world.comments.get(9)).toMatchObject({ text: 'Why?', resolved: true });
    await change({ resolved: false });
    expect(world.changes.map((c) => c.action)).toEqual([Action.commentResolved, Action.commentReopened]);
  });

  it('a change without effect writes nothing', async () => {
    const { world, change } = await start();
    await change({ text: 'Why?', resolved: false });
    expect(world.effects).toEqual([]);
  });

  it('others need comment.delete for the text and comment.resolve for the state', async () => {
    const { world, change } = await start();
    const resolver = world.user(4, ['comment.resolve']);
    expect(await reasonOf(change({ resolved: true }, resolver))).toBe('OK');
    expect(await reasonOf(change({ text: 'x' }, resolver))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(change({ text: 'x' }, world.user(5, ['comment.delete'])))).toBe('OK');
    expect(await reasonOf(change({ resolved: false }, world.user(5, ['comment.delete'])))).toBe('PERMISSION_DENIED');
  });

  it('changeComment refuses empty texts and does not find a comment of another unit', async () => {
    const { author, change } = await start();
    expect(await fieldsOf(change({ text: '' }))).toEqual(['comment:required']);
    expect(await reasonOf(change({ text: 'x' }, author, 8))).toBe('NOT_FOUND');
  });
});
