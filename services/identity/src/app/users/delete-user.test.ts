import { reasonOf, userManager, World } from '../../../test/support/world';
import { ANONYMOUS_ID } from '../../domain/user';
import { mailPasswordReset } from '../sessions/passwords';
import { startSession } from '../sessions/start-session';
import { deleteUser } from './delete-user';
import { updateUser } from './update-user';

describe('deleteUser', () => {
  it('deleting a user frees the name, revokes all permissions and is announced', async () => {
    const world = await World.create();
    const ana = await world.user('ana', { email: 'ana@example.org', withToken: true });
    world.announced.all.length = 0;
    await deleteUser(world.deps, world.operator, ana.id);
    expect(await world.deps.users.byName('ana')).toBeUndefined();
    expect(world.announced.all[0]).toMatchObject({
      accessChanged: [ana.id],
      userDeleted: { userId: ana.id, replacementUsername: `deleted-${ana.id}` },
    });
    await world.user('ana', { email: 'ana@example.org' });
  });

  it('deleting a user removes team admin rights and addresses from the audit log', async () => {
    const world = await World.create();
    const ana = await world.user('ana', { isSuperuser: true });
    const as = await world.as(ana);
    await world.deps.groups.update(4, (g) => ({ next: { ...g, admins: [ana.id] }, announce: { audit: [] } }));
    await updateUser(world.deps, as, ana.id, { fullName: 'Other', replace: false });
    await deleteUser(world.deps, world.operator, ana.id);
    expect((await world.deps.groups.get(4))!.admins).toEqual([]);
    expect(world.announced.audit.filter((e) => e.actorId === ana.id).map((e) => e.clientAddress)).toEqual(['']);
  });

  it('the personal data of a deleted user is deleted, the id stays', async () => {
    const world = await World.create();
    const ana = await world.user('ana', { email: 'ana@example.org', password: 'correct horse', withToken: true });
    await deleteUser(world.deps, world.operator, ana.id);
    const left = (await world.deps.users.get(ana.id))!;
    expect(left).toMatchObject({
      username: `deleted-${ana.id}`,
      fullName: 'Deleted User',
      email: `noreply+${ana.id}@noreply.example.org`,
      isActive: false,
      passwordHash: null,
      tokens: [],
      subscriptions: [],
      groups: [],
      deleted: true,
    });
    expect(JSON.stringify([left, world.announced.all])).not.toMatch(/"ana|horse/);
  });

  it('mails, sessions and links of a deleted user are deleted', async () => {
    const world = await World.create();
    const [ana, bob] = [
      await world.user('ana', { email: 'ana@x.org' }),
      await world.user('bob', { email: 'bob@x.org' }),
    ];
    const anonymous = await world.anonymous();
    for (const user of [ana, bob]) {
      await startSession(world.deps, anonymous, user, '');
      await mailPasswordReset(world.deps, anonymous, user.email!);
    }
    await deleteUser(world.deps, world.operator, ana.id);
    expect(world.mails.mails.map((m) => m.userId)).toEqual([bob.id]);
    expect([...world.webCredentials.stored.values()].map((c) => c.userId)).toEqual([bob.id, bob.id]);
  });

  it('deleting a user again announces nothing and completes an interrupted deletion', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    const { mails } = world.deps;
    const removeOf = () => Promise.reject(new Error('interrupted'));
    const failing = { ...world.deps, mails: Object.assign(Object.create(mails) as typeof mails, { removeOf }) };
    await startSession(world.deps, await world.anonymous(), ana, '');
    await expect(deleteUser(failing, world.operator, ana.id)).rejects.toThrow('interrupted');
    expect((await world.deps.users.get(ana.id))!.deleted).toBe(true);
    expect(world.webCredentials.stored.size).toBe(1);
    const announced = world.announced.all.length;
    await deleteUser(world.deps, world.operator, ana.id);
    expect(world.webCredentials.stored.size).toBe(0);
    expect(world.announced.all).toHaveLength(announced);
  });

  it('deleting users requires user.edit, and superusers are deleted by superusers only', async () => {
    const world = await World.create();
    const [ana, root] = [await world.user('ana'), await world.user('root', { isSuperuser: true })];
    const remove = (context: typeof world.operator, id: number) => reasonOf(deleteUser(world.deps, context, id));
    expect(await remove(await world.anonymous(), ana.id)).toBe('NOT_AUTHENTICATED');
    expect(await remove(await world.as(ana), ana.id)).toBe('PERMISSION_DENIED');
    const manager = await userManager(world);
    expect(await remove(manager, root.id)).toBe('PERMISSION_DENIED');
    expect(await remove(manager, 999)).toBe('NOT_FOUND');
    expect(await remove(world.operator, ANONYMOUS_ID)).toBe('PERMISSION_DENIED');
    expect((await world.deps.users.get(ANONYMOUS_ID))!.deleted).toBe(false);
    expect(await remove(manager, ana.id)).toBe('OK');
    expect(await remove(await world.as(root), root.id)).toBe('OK');
  });

  it('only the teams that the user administers are written', async () => {
    const world = await World.create();
    const [ana, bob] = [await world.user('ana'), await world.user('bob')];
    await world.deps.groups.update(4, (g) => ({ next: { ...g, admins: [ana.id, bob.id] }, announce: { audit: [] } }));
    const other = (await world.deps.groups.get(5))!;
    await deleteUser(world.deps, world.operator, ana.id);
    expect((await world.deps.groups.get(4))!.admins).toEqual([bob.id]);
    expect(await world.deps.groups.get(5)).toEqual(other);
  });
});
