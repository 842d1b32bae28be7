import { fieldsOf, reasonOf, World } from '../../../test/support/world';
import { createPersonalToken } from '../tokens/personal-tokens';
import { changeMembership } from '../groups/change-membership';
import { createUser } from './create-user';
import { deleteUser } from './delete-user';
import { getUser } from './get-user';
import { listUsers } from './list-users';
import { ensureProjectTeams, projectUpdated } from '../groups/project-teams';
import { createProjectToken } from '../tokens/project-tokens';
import { searchUsers } from './search-users';
import { updateUser } from './update-user';

const all = { skip: 0, limit: 100 };
const none = { usernamePrefix: '', id: 0 };

describe('createUser', () => {
  it('a new user joins the groups with automatic membership and gets default subscriptions', async () => {
    const world = await World.create();
    const user = await world.user('ana');
    expect(user.groups).toEqual([2, 3]);
    expect(user.subscriptions).toHaveLength(10);
    expect(new Set(user.subscriptions.map((s) => s.id)).size).toBe(10);
    expect(user).toMatchObject({ isActive: true, isSuperuser: false, isBot: false, email: null });
  });

  it('all invalid fields of a new user are reported together', async () => {
    const world = await World.create();
    await world.user('ana', { email: 'ana@example.org' });
    const make = (input: object) =>
      fieldsOf(createUser(world.deps, world.operator, { password: '', withToken: false, ...input }));
    expect(await make({ email: 'nonsense', password: 'x' })).toEqual([
      'username:required',
      'full_name:required',
      'email:invalid',
      'password:min_length',
    ]);
    expect(await make({ username: 'ANA', fullName: 'A', email: 'Ana@Example.org' })).toEqual([
      'username:unique',
      'email:unique',
    ]);
  });

  it('creating a user is recorded in the audit log without addresses and secrets', async () => {
    const world = await World.create();
    await world.user('ana', { email: 'ana@example.org', password: 'correct horse', withToken: true });
    expect(world.announced.audit).toHaveLength(1);
    expect(world.announced.audit[0]).toMatchObject({
      action: 'user.create',
      actorName: 'operator',
      clientAddress: '203.0.113.9',
    });
    expect(JSON.stringify(world.announced.audit)).not.toMatch(/example\.org|horse|plu_/);
  });

  it('creating a user requires user.edit, and only superusers create superusers', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    const input = { username: 'x', fullName: 'x', password: '', withToken: false };
    expect(await reasonOf(createUser(world.deps, await world.as(ana), input))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(createUser(world.deps, await world.anonymous(), input))).toBe('NOT_AUTHENTICATED');
    const manager = await userManager(world);
    expect(await reasonOf(createUser(world.deps, manager, { ...input, isSuperuser: true }))).toBe('PERMISSION_DENIED');
    await createUser(world.deps, manager, input);
  });
});

/** A user manager who is not a superuser. */
async function userManager(world: World) {
  const role = {
    id: await world.deps.roles.nextId(),
    version: 1,
    name: 'HR',
    permissions: ['user.edit'],
    deleted: false,
  };
  await world.deps.roles.insert(role, { audit: [] });
  await world.deps.groups.update(6, (g) => ({ next: { ...g, roles: [role.id] }, announce: { audit: [] } }));
  const user = await world.user('manager');
  await changeMembership(world.deps, world.operator, { userId: user.id, groupId: 6, member: true });
  return world.as(user);
}

describe('updateUser', () => {
  it('updating a user changes the given fields and announces changed permissions', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    world.announced.all.length = 0;
    const updated = await updateUser(world.deps, world.operator, ana.id, {
      fullName: 'Ana N',
      isActive: false,
      replace: false,
    });
    expect(updated).toMatchObject({ username: 'ana', fullName: 'Ana N', isActive: false });
    expect(world.announced.all).toMatchObject([
      { accessChanged: [ana.id], audit: [{ action: 'user.update', details: { changed: ['fullName', 'isActive'] } }] },
    ]);
  });

  it('access and tokens of a user end at the expiry date until it is removed', async () => {
    const world = await World.create();
    const { value } = await createPersonalToken(world.deps, world.operator, {
      userId: (await world.user('ana')).id,
      name: 'laptop',
      expiresMs: 0,
    });
    const ana = (await world.deps.users.byName('ana'))!;
    const until = (dateExpiresMs: number) =>
      updateUser(world.deps, world.operator, ana.id, { dateExpiresMs, replace: false });
    world.announced.all.length = 0;
    expect(await until(world.nowMs + 1000)).toMatchObject({ dateExpiresMs: world.nowMs + 1000 });
    expect(world.announced.all[0]).toMatchObject({ accessChanged: [ana.id] });
    await world.enter(value);
    world.nowMs += 1000;
    expect(await reasonOf(world.enter(value))).toBe('AUTHENTICATION_FAILED');
    // The current value is accepted; another date in the past is rejected.
    expect(await until(world.nowMs)).toMatchObject({ dateExpiresMs: world.nowMs });
    expect(await fieldsOf(until(world.nowMs - 1))).toEqual(['date_expires:min_value']);
    expect((await until(0)).dateExpiresMs).toBe(0);
    await world.enter(value);
    expect(await fieldsOf(until(-1))).toEqual(['date_expires:invalid']);
    const short = { username: 'short', fullName: 'Short', dateExpiresMs: 5, password: '', withToken: true };
    expect(await fieldsOf(createUser(world.deps, world.operator, short))).toEqual(['date_expires:min_value']);
  });

  it('users are counted as listed, including bots and expired users', async () => {
    const world = await World.create();
    const ana = await world.user('ana', { email: 'ana@example.org' });
    await updateUser(world.deps, world.operator, ana.id, { dateExpiresMs: world.nowMs + 1000, replace: false });
    world.nowMs += 1000;
    expect(await world.deps.users.count()).toBe((await world.deps.users.list({}, { skip: 0, limit: 1 })).total);
  });

  it('users are found by parts of their names, and project tokens find themselves', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    await world.user('hanako');
    const find = (caller: object, text: string) =>
      searchUsers(
        world.deps,
        { ...world.operator, caller: { ...world.operator.caller, ...caller } },
        { text, limit: 5 },
      );
    expect(await find({}, 'NA')).toEqual(['ana', 'hanako']);
    expect(await find({ onlyProjects: [7], userId: ana.id }, 'na')).toEqual(['ana']);
    expect(await find({ onlyProjects: [7], userId: ana.id }, 'hana')).toEqual([]);
  });

  it('PUT requires names, and they must be free', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    await world.user('bob', { email: 'bob@example.org' });
    const update = (changes: object) =>
      fieldsOf(updateUser(world.deps, world.operator, ana.id, { replace: false, ...changes }));
    expect(await update({ replace: true })).toEqual(['username:required', 'full_name:required']);
    expect(await update({ username: 'Bob' })).toEqual(['username:unique']);
    expect(await update({ email: 'BOB@example.org' })).toEqual(['email:unique']);
    expect(await update({ username: 'Bob', fullName: '', email: 'BOB@example.org' })).toEqual([
      'full_name:blank',
      'username:unique',
      'email:unique',
    ]);
  });

  it('problems are added to those found by the caller', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    const context = { ...world.operator, problems: [{ attr: 'is_bot', code: 'invalid', detail: '' }] };
    expect(await fieldsOf(updateUser(world.deps, context, ana.id, { fullName: 'Changed', replace: true }))).toEqual([
      'is_bot:invalid',
      'username:required',
    ]);
    expect(await fieldsOf(updateUser(world.deps, context, ana.id, { fullName: 'Changed', replace: false }))).toEqual([
      'is_bot:invalid',
    ]);
    const input = { username: 'ana', fullName: 'A', email: 'no', password: '', withToken: false };
    expect(await fieldsOf(createUser(world.deps, context, input))).toEqual([
      'is_bot:invalid',
      'email:invalid',
      'username:unique',
    ]);
    expect((await world.deps.users.get(ana.id))!.fullName).toBe(ana.fullName);
  });

  it('superusers, the anonymous user and deleted users are protected from changes', async () => {
    const world = await World.create();
    const root = await world.user('root', { isSuperuser: true });
    const manager = await userManager(world);
    const gone = await world.user('gone');
    await deleteUser(world.deps, world.operator, gone.id);
    const changes = { fullName: 'X', replace: false };
    for (const id of [root.id, 1, gone.id]) {
      expect(await reasonOf(updateUser(world.deps, manager, id, changes))).toBe('PERMISSION_DENIED');
    }
    expect(await reasonOf(updateUser(world.deps, manager, 999, changes))).toBe('NOT_FOUND');
  });
});

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
});

describe('who sees users', () => {
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
    expect((await getUser(world.deps, as, { id: 0, username: 'BOB' })).username).toBe('bob');
    expect(await reasonOf(getUser(world.deps, await world.anonymous(), { id: 0, username: 'bob' }))).toBe('NOT_FOUND');
  });

  it('callers who see a project see its bots, which are named after it', async () => {
    const world = await World.create();
    const [ana, eve] = [await world.user('ana'), await world.user('eve')];
    const project = { projectId: 7, slug: 'app', accessControl: 100, review: false };
    await ensureProjectTeams(world.deps, world.operator, project, ana.id);
    const inside = await world.as(ana);
    const request = { projectId: 7, projectSlug: '', name: 'CI', expiresMs: 0, groupIds: [] };
    const { token } = await createProjectToken(world.deps, inside, request);
    const bot = { id: 0, username: token.username };
    expect((await getUser(world.deps, inside, bot)).username).toBe('bot-app-ci');
    expect((await getUser(world.deps, world.operator, bot)).username).toBe('bot-app-ci');
    const stranger = await world.as(eve);
    const reasons = [bot, { id: 0, username: 'bot-none-ci' }, { id: token.userId, username: '' }].map((wanted) =>
      reasonOf(getUser(world.deps, stranger, wanted)),
    );
    expect(await Promise.all(reasons)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
    await projectUpdated(world.deps, world.operator, { ...project, accessControl: 0 });
    expect((await getUser(world.deps, stranger, bot)).username).toBe('bot-app-ci');
  });

  it('only services look up users by mail address', async () => {
    const world = await World.create();
    const ana = await world.user('ana', { email: 'ana@example.com' });
    const wanted = { id: 0, username: '', email: 'ANA@example.com' };
    expect((await getUser(world.deps, world.operator, wanted)).id).toBe(ana.id);
    expect(await reasonOf(getUser(world.deps, world.operator, { ...wanted, email: 'nobody@x' }))).toBe('NOT_FOUND');
    expect(await reasonOf(getUser(world.deps, await world.as(ana), wanted))).toBe('PERMISSION_DENIED');
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
});

describe('changeMembership', () => {
  it('memberships are added and removed idempotently', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    const change = (member: boolean) =>
      changeMembership(world.deps, world.operator, { userId: ana.id, groupId: 5, member });
    expect((await change(true)).groups).toEqual([2, 3, 5]);
    expect((await change(true)).groups).toEqual([2, 3, 5]);
    expect((await change(false)).groups).toEqual([2, 3]);
    expect((await change(false)).groups).toEqual([2, 3]);
  });

  it('an unknown group is reported on its field', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    const request = { userId: ana.id, groupId: 99, member: true };
    expect(await fieldsOf(changeMembership(world.deps, world.operator, request))).toEqual(['group_id:does_not_exist']);
  });

  it('team admins manage only their own team', async () => {
    const world = await World.create();
    const [ana, bob] = [await world.user('ana'), await world.user('bob')];
    await world.deps.groups.update(4, (g) => ({ next: { ...g, admins: [ana.id] }, announce: { audit: [] } }));
    const as = await world.as(ana);
    await changeMembership(world.deps, as, { userId: bob.id, groupId: 4, member: true });
    const foreign = changeMembership(world.deps, as, { userId: bob.id, groupId: 5, member: true });
    expect(await reasonOf(foreign)).toBe('PERMISSION_DENIED');
  });
});
