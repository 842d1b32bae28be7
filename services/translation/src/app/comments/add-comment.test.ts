import { Action } from '../../domain/change';
import { fieldsOf, reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { addComment, type AddComment } from './add-comment';

function start(settings = {}) {
  const world = new StringsWorld();
  world.component(1, settings);
  world.string(1, 7, 'Hello');
  const ana = world.user(3, ['comment.add']);
  const add = (more: Partial<AddComment> = {}, caller = ana) =>
    addComment(
      world.deps,
      caller,
      { unit: 7, scope: 'translation', text: 'Why?', email: '', problems: [], ...more },
      '',
    );
  return { world, ana, add };
}

describe('addComment', () => {
  it('a comment is stored before its unit counts it and the history shows it', async () => {
    const { world, add } = start();
    const { comment, username } = await add();
    expect(comment).toMatchObject({ id: 1, unit: 7, text: 'Why?', user: 3, time: world.nowMs });
    expect(username).toBe('user-3');
    expect(world.effects).toEqual(['store comment 1', 'store unit 7', 'settle unit 7']);
    expect((await world.units.get(7))!.comments).toBe(1);
    expect(world.changes).toMatchObject([{ action: Action.commentAdded, target: 'Why?', user: 3 }]);
  });

  it('global comments and reports belong to the source string', async () => {
    const { world, add } = start();
    expect((await add({ scope: 'global' })).comment).toMatchObject({ unit: 507 });
    expect((await add({ scope: 'report' })).comment).toMatchObject({ unit: 507, report: true });
    expect((await world.units.get(507))!.comments).toBe(2);
    expect((await world.units.get(7))!.comments).toBe(0);
  });

  it('concurrent comments are all counted', async () => {
    const { world, add } = start();
    await Promise.all([add({ text: 'Why?' }), add({ text: 'How?' }), add({ text: 'When?', scope: 'global' })]);
    expect((await world.units.get(7))!.comments).toBe(2);
    expect((await world.units.get(507))!.comments).toBe(1);
  });

  it('a lost race does not store the comment twice', async () => {
    const { world, add } = start();
    world.units.rival = async () => {
      world.units.put({ ...(await world.units.get(7))!, version: 5, note: 'changed' });
    };
    await add();
    expect(world.effects.filter((e) => e.startsWith('store comment'))).toHaveLength(1);
    expect(await world.units.get(7)).toMatchObject({ comments: 1, note: 'changed' });
  });

  it('addComment refuses missing, unknown and impossible scopes, and empty, long and broken texts', async () => {
    const { add } = start();
    expect(await fieldsOf(add({ scope: '', text: ' ' }))).toEqual(['scope:required', 'comment:required']);
    expect(await fieldsOf(add({ scope: 'private' }))).toEqual(['scope:invalid_choice']);
    expect(await fieldsOf(add({ unit: 507, scope: 'translation' }))).toEqual(['scope:invalid']);
    expect(await fieldsOf(add({ text: 'x'.repeat(1001) }))).toEqual(['comment:max_length']);
    expect(await fieldsOf(add({ text: 'a\u0000' }))).toEqual([expect.stringMatching(/^comment:/)]);
  });

  it('editors of the project set author and time; the history names the caller and the current time', async () => {
    const { world, add } = start();
    const editor = world.user(4, ['comment.add', 'project.edit']);
    const imported = { email: 'user-3@example.com', time: 5 };
    expect((await add(imported, editor)).comment).toMatchObject({ user: 3, time: 5 });
    expect(world.changes).toMatchObject([{ user: 4, time: world.nowMs }]);
    expect((await add({ email: 'unknown@example.com' }, editor)).comment.user).toBe(4);
    expect(await reasonOf(add(imported))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(add({ time: 0 }))).toBe('PERMISSION_DENIED');
  });

  it('commenting requires comment.add, and hidden strings do not exist', async () => {
    const { world, add } = start();
    expect(await reasonOf(add({}, world.user(4, ['unit.edit'])))).toBe('PERMISSION_DENIED');
    const hidden = start({ accessControl: 100 });
    expect(await reasonOf(hidden.add({}, { ...hidden.ana, grants: [] }))).toBe('NOT_FOUND');
  });
});
