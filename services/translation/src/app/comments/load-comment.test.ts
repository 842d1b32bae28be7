import type { Permission } from '@parlance/access';
import { reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { loadComment, requireOnComment } from './load-comment';

/** String 7 with comment 9 by user 3, and string 8. */
async function start(settings = {}) {
  const world = new StringsWorld();
  world.component(1, settings);
  world.string(1, 7, 'Hello');
  world.string(1, 8, 'Bye');
  await world.comment(9, 7, 'Why?');
  const load = (unit = 7, comment = 9, caller = world.user(4, [])) =>
    loadComment(world.deps, caller, { unit, comment }, '');
  return { world, load };
}

describe('loadComment', () => {
  it('loadComment loads a comment with its unit, translation and component', async () => {
    const { load } = await start();
    expect(await load()).toMatchObject({
      comment: { id: 9, text: 'Why?' },
      unit: { id: 7 },
      translation: { id: 11 },
      component: { id: 1 },
    });
  });

  it('a comment that does not exist, or of another unit, is not found', async () => {
    const { load } = await start();
    expect(await reasonOf(load(7, 99))).toBe('NOT_FOUND');
    expect(await reasonOf(load(8, 9))).toBe('NOT_FOUND');
    expect(await reasonOf(load(507, 9))).toBe('NOT_FOUND');
    expect(await reasonOf(load(99, 9))).toBe('NOT_FOUND');
  });

  it('loadComment finds no comment in a component that the caller does not see', async () => {
    const { world, load } = await start({ restricted: true });
    expect(await reasonOf(load())).toBe('NOT_FOUND');
    expect(await reasonOf(load(7, 9, world.user(5, [], { isSuperuser: true })))).toBe('OK');
  });
});

describe('requireOnComment', () => {
  const isAllowed = async (user: number, permissions: Permission[], author = 3) => {
    const { world, load } = await start();
    const loaded = await load();
    const comment = { ...loaded.comment, user: author };
    const check = async () => requireOnComment(world.user(user, permissions), 'comment.delete', { ...loaded, comment });
    return (await reasonOf(check())) === 'OK';
  };

  it('others need the permission', async () => {
    expect(await isAllowed(4, ['comment.delete'])).toBe(true);
    expect(await isAllowed(4, ['comment.add', 'comment.resolve'])).toBe(false);
  });

  it('the author needs to be allowed to comment only', async () => {
    expect(await isAllowed(3, ['comment.add'])).toBe(true);
    expect(await isAllowed(3, [])).toBe(false);
    expect(await isAllowed(3, ['comment.delete'])).toBe(true);
  });

  it('a comment without an account has no author: a caller without an account is not taken for it', async () => {
    expect(await isAllowed(0, ['comment.add'], 0)).toBe(false);
  });
});
