import { password, withPassword } from '../../../test/support/session-world';
import { reasonOf, type World } from '../../../test/support/world';
import type { User } from '../../domain/user';
import { deleteUser } from '../users/delete-user';
import { setPassword } from '../users/set-password';
import { updateUser } from '../users/update-user';
import { authenticateSession, endSessions, listSessions, signOut } from './sessions';

describe('a session', () => {
  it('a session ends without use, and at its latest end however often it is used', async () => {
    const { world, start, whose } = await withPassword();
    const { idleMs, absoluteMs } = world.deps.sessionTimes;
    const [unused, used] = [await start(), await start()];
    world.nowMs += idleMs - 1;
    expect(await whose(used)).toBe('ana');
    world.nowMs += 1;
    expect([await whose(unused), await whose(used)]).toEqual(['AUTHENTICATION_FAILED', 'ana']);
    const begun = world.nowMs - idleMs;
    for (; world.nowMs < begun + absoluteMs; world.nowMs += idleMs / 2) expect(await whose(used)).toBe('ana');
    expect(await whose(used)).toBe('AUTHENTICATION_FAILED');
  });

  it('a cached caller of a session expires with it', async () => {
    const { world, start } = await withPassword();
    const secret = await start();
    const { absoluteMs } = world.deps.sessionTimes;
    for (let left = absoluteMs; left > 30_000; left = Math.max(30_000, left - 1800_000)) {
      await authenticateSession(world.deps, secret);
      world.nowMs += Math.min(1800_000, left - 30_000);
    }
    expect((await authenticateSession(world.deps, secret)).cacheMs).toBe(30_000);
  });

  it.each<[string, (world: World, user: User) => Promise<unknown>]>([
    [
      'a new password by the operator',
      ({ deps, operator }, { id }) => setPassword(deps, operator, id, 'another password'),
    ],
    [
      'deactivation, also after a later activation',
      async ({ deps, operator }, { id }) => {
        await updateUser(deps, operator, id, { isActive: false, replace: false });
        await updateUser(deps, operator, id, { isActive: true, replace: false });
      },
    ],
    ['deletion', ({ deps, operator }, { id }) => deleteUser(deps, operator, id)],
    [
      'signing out everywhere',
      async (world, { id }) => endSessions(world.deps, await world.as(id), { userId: id, id: 0, exceptId: 0 }),
    ],
  ])('all sessions of a user end with %s', async (_, act) => {
    const { world, ana, start, whose } = await withPassword();
    const secrets = [await start(), await start()];
    await act(world, ana);
    expect([await whose(secrets[0]!), await whose(secrets[1]!)]).toEqual(Array(2).fill('AUTHENTICATION_FAILED'));
    expect([...world.webCredentials.stored.values()]).toEqual([]);
  });

  it.each<[string, (world: World, user: User) => Promise<unknown>]>([
    ['the password changes', ({ deps, operator }, { id }) => setPassword(deps, operator, id, 'another password')],
    [
      'the user is deactivated and activated',
      async ({ deps, operator }, { id }) => {
        await updateUser(deps, operator, id, { isActive: false, replace: false });
        await updateUser(deps, operator, id, { isActive: true, replace: false });
      },
    ],
  ])('a session that starts while %s ends with that', async (_, act) => {
    const { world, ana, enter, whose } = await withPassword();
    const { passwords } = world.deps;
    const verify = async (digest: string, given: string) => {
      const isRight = await passwords.verify(digest, given);
      await act(world, ana);
      return isRight;
    };
    Object.assign(world.deps, { passwords: { ...passwords, verify } });
    const { secret } = await enter('ana', password);
    Object.assign(world.deps, { passwords });
    expect(await whose(secret)).toBe('AUTHENTICATION_FAILED');
  });

  it('sessions are listed and ended by their user, not by others', async () => {
    const { world, anonymous, ana, start, whose, actions } = await withPassword();
    const [first, second, third] = [await start(), await start(), await start()];
    const as = await world.as(ana);
    const list = () => listSessions(world.deps, as, ana.id);
    const [newest, middle, oldest] = await list();
    expect(newest).toMatchObject({ userAgent: 'Firefox', clientAddress: '203.0.113.9', createdMs: world.nowMs });
    const bob = await world.as(await world.user('bob'));
    const end = (who: typeof as, id: number, exceptId = 0) =>
      endSessions(world.deps, who, { userId: ana.id, id, exceptId });
    expect(await reasonOf(listSessions(world.deps, bob, ana.id))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(listSessions(world.deps, anonymous, ana.id))).toBe('NOT_AUTHENTICATED');
    expect(await reasonOf(end(bob, oldest!.id))).toBe('PERMISSION_DENIED');
    await end(as, oldest!.id);
    expect([await whose(first), await whose(second)]).toEqual(['AUTHENTICATION_FAILED', 'ana']);
    await end(as, 0, newest!.id);
    expect([await whose(second), await whose(third)]).toEqual(['AUTHENTICATION_FAILED', 'ana']);
    expect((await list()).map(({ id }) => id)).toEqual([newest!.id]);
    expect(middle!.id).not.toBe(newest!.id);
    await signOut(world.deps, anonymous, third);
    await signOut(world.deps, anonymous, third);
    expect(await list()).toEqual([]);
    expect(actions().filter((action) => action === 'session.end')).toHaveLength(3);
  });
});
