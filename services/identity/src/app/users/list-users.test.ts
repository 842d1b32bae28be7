import { userManager, World } from '../../../test/support/world';
import { listUsers } from './list-users';
import { updateUser } from './update-user';

const all = { skip: 0, limit: 100 };
const none = { usernamePrefix: '', id: 0 };

describe('listUsers', () => {
  it('user managers see all users, other callers only themselves', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    await world.user('bob');
    const as = await world.as(ana);
    expect((await listUsers(world.deps, world.operator, none, all)).total).toBe(3);
    expect((await listUsers(world.deps, as, none, all)).items.map((u) => u.username)).toEqual(['ana']);
    expect((await listUsers(world.deps, as, { usernamePrefix: 'bo', id: 0 }, all)).total).toBe(0);
    expect((await listUsers(world.deps, as, { usernamePrefix: '', id: 1 }, all)).total).toBe(0);
    expect((await listUsers(world.deps, await world.anonymous(), none, all)).total).toBe(0);
  });

  it('users are filtered by name prefix and by id', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    await world.user('Anabel');
    await world.user('bob');
    const names = async (filter: typeof none) =>
      (await listUsers(world.deps, world.operator, filter, all)).items.map((u) => u.username);
    expect(await names({ usernamePrefix: 'ANA', id: 0 })).toEqual(['ana', 'Anabel']);
    expect(await names({ usernamePrefix: '', id: ana.id })).toEqual(['ana']);
  });

  it('users are counted as listed, including bots and expired users', async () => {
    const world = await World.create();
    const ana = await world.user('ana', { email: 'ana@example.org' });
    await updateUser(world.deps, world.operator, ana.id, { dateExpiresMs: world.nowMs + 1000, replace: false });
    world.nowMs += 1000;
    expect(await world.deps.users.count()).toBe((await world.deps.users.list({}, { skip: 0, limit: 1 })).total);
  });

  it('users are listed in pages with the length of the whole list', async () => {
    const world = await World.create();
    const ids = [await world.user('ana'), await world.user('anabel'), await world.user('bob')].map((u) => u.id);
    const page = await listUsers(world.deps, world.operator, none, { skip: 2, limit: 1 });
    expect([page.items.map((u) => u.id), page.total]).toEqual([[ids[1]], 4]);
    const filtered = await listUsers(
      world.deps,
      world.operator,
      { usernamePrefix: 'ana', id: 0 },
      { skip: 1, limit: 5 },
    );
    expect([filtered.items.map((u) => u.id), filtered.total]).toEqual([[ids[1]], 2]);
    const beyond = await listUsers(world.deps, world.operator, none, { skip: 4, limit: 5 });
    expect(beyond).toEqual({ items: [], total: 4 });
  });

  it('both filters must match, also for a user who lists only the own account', async () => {
    const world = await World.create();
    const [ana, bob] = [await world.user('ana'), await world.user('bob')];
    const total = async (context: typeof world.operator, usernamePrefix: string, id: number) =>
      (await listUsers(world.deps, context, { usernamePrefix, id }, all)).total;
    for (const context of [world.operator, await world.as(ana)]) {
      expect(await total(context, 'an', ana.id)).toBe(1);
      expect(await total(context, 'bo', ana.id)).toBe(0);
    }
    expect(await total(world.operator, '', bob.id)).toBe(1);
    expect(await total(await world.as(ana), '', bob.id)).toBe(0);
  });

  it('a user manager who is no superuser sees all users', async () => {
    const world = await World.create();
    await world.user('ana');
    const manager = await userManager(world);
    const { items } = await listUsers(world.deps, manager, none, all);
    expect(items.map((u) => u.username)).toEqual(['anonymous', 'ana', 'manager']);
  });
});
