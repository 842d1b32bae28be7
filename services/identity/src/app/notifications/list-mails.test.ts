import { changeOf, withNotifications } from '../../../test/support/notification-world';
import { reasonOf } from '../../../test/support/world';
import { mailPasswordReset } from '../sessions/passwords';
import { deleteUser } from '../users/delete-user';
import { listMails } from './list-mails';
import { notify } from './notify';
import { sendMails } from './send-mails';

const all = { skip: 0, limit: 100 };

/** Mails of ana and bob, newest first: a reset of ana, then an alert for each. */
async function withMails() {
  const parts = await withNotifications();
  const { world, notifier, person } = parts;
  const [ana, bob] = [await person('ana', [{}]), await person('bob', [{}])];
  await notify(notifier, [changeOf({ timeMs: world.nowMs })], 'event');
  await mailPasswordReset(world.deps, await world.anonymous(), 'ana@example.org');
  const list = async (as: typeof world.operator, userId: number, page = all) => {
    const { items, total } = await listMails(world.deps, as, userId, page);
    return { items: items.map(({ mail, user }) => `${user?.username} ${mail.notification}`), total };
  };
  return { ...parts, ana, bob, list };
}

describe('listMails', () => {
  it('users list their own mails, and superusers those of all users or of one', async () => {
    const { world, ana, bob, list } = await withMails();
    const own = { items: ['ana PasswordReset', 'ana NewAlertNotificaton'], total: 2 };
    expect(await list(await world.as(ana), 0)).toEqual(own);
    expect(await list(await world.as(ana), ana.id)).toEqual(own);
    const everyone = ['ana PasswordReset', 'bob NewAlertNotificaton', 'ana NewAlertNotificaton'];
    expect(await list(world.operator, 0)).toEqual({ items: everyone, total: 3 });
    expect(await list(world.operator, bob.id)).toEqual({ items: ['bob NewAlertNotificaton'], total: 1 });
    expect(await list(world.operator, 0, { skip: 1, limit: 1 })).toEqual({ items: [everyone[1]], total: 3 });
  });

  it('mails of other users are denied, and anonymous callers are asked to sign in', async () => {
    const { world, ana, bob } = await withMails();
    const reason = async (as: typeof world.operator, id: number) => reasonOf(listMails(world.deps, as, id, all));
    expect(await reason(await world.as(bob), ana.id)).toBe('PERMISSION_DENIED');
    expect(await reason(await world.anonymous(), 0)).toBe('NOT_AUTHENTICATED');
    expect(await reason(await world.anonymous(), ana.id)).toBe('NOT_AUTHENTICATED');
  });

  it('only services see the link of a kept mail, superusers do not', async () => {
    const { world, ana } = await withMails();
    const root = await world.as(await world.user('root', { isSuperuser: true }));
    const links = async (as: typeof world.operator) =>
      (await listMails(world.deps, as, ana.id, all)).items.map(({ link }) => link);
    expect(await links(world.operator)).toEqual([undefined, undefined]);
    await sendMails(world.deps, undefined);
    const [link, none] = await links(world.operator);
    expect(link).toMatch(/^https:\/\/parlance\.example\.org\/accounts\/password\/set\/\?secret=[\w-]{43}$/);
    expect(none).toBeUndefined();
    for (const as of [root, await world.as(ana)]) expect(await links(as)).toEqual([undefined, undefined]);
  });

  it('a mail to an address without an account has no user, and the mails of a deleted user are deleted', async () => {
    const { world, notifier, ana, bob, list } = await withMails();
    await notify(notifier, [changeOf({ action: 3, report: true })], 'report');
    await deleteUser(world.deps, world.operator, ana.id);
    expect(await list(world.operator, 0)).toEqual({
      items: ['undefined NewCommentNotificaton', 'bob NewAlertNotificaton'],
      total: 2,
    });
    expect(await list(await world.as(bob), 0)).toEqual({ items: ['bob NewAlertNotificaton'], total: 1 });
  });
});
