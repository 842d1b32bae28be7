import { fieldsOf, reasonOf, userManager, withProject, World } from '../../../test/support/world';
import { startSession } from '../sessions/start-session';
import { createPersonalToken } from '../tokens/personal-tokens';
import { createProjectToken } from '../tokens/project-tokens';
import { deleteUser } from './delete-user';
import { updateUser } from './update-user';

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
    expect((await world.deps.users.get(ana.id))!.fullName).toBe(ana.fullName);
  });

  it('superusers, the anonymous user and deleted users are protected from changes', async () => {
    const world = await World.create();
    const root = await world.user('root', { isSuperuser: true });
    const manager = await userManager(world);
    const deleted = await world.user('gone');
    await deleteUser(world.deps, world.operator, deleted.id);
    const changes = { fullName: 'X', replace: false };
    for (const id of [root.id, 1, deleted.id]) {
      expect(await reasonOf(updateUser(world.deps, manager, id, changes))).toBe('PERMISSION_DENIED');
    }
    expect(await reasonOf(updateUser(world.deps, manager, 999, changes))).toBe('NOT_FOUND');
  });

  it('PATCH keeps the fields that are not given, and an empty address removes it', async () => {
    const world = await World.create();
    const before = await world.user('ana', { email: 'ana@example.org', isBot: true, dateExpiresMs: world.nowMs + 1 });
    const update = (changes: object) =>
      updateUser(world.deps, world.operator, before.id, { replace: false, ...changes });
    expect(await update({ fullName: 'Ana N' })).toEqual({ ...before, fullName: 'Ana N', version: 2 });
    expect((await update({ email: '' })).email).toBeNull();
    expect((await update({ isBot: false })).isBot).toBe(false);
  });

  it('an update without a difference writes and announces nothing', async () => {
    const world = await World.create();
    const ana = await world.user('ana', { email: 'ana@example.org' });
    world.announced.all.length = 0;
    const same = { username: 'ana', fullName: 'ana', email: 'ana@example.org', isActive: true, replace: true };
    expect(await updateUser(world.deps, world.operator, ana.id, same)).toEqual(ana);
    expect(world.announced.all).toEqual([]);
  });

  it('the own name and address in another case are free', async () => {
    const world = await World.create();
    const ana = await world.user('ana', { email: 'ana@example.org' });
    const changes = { username: 'Ana', email: 'Ana@example.org', replace: false };
    expect(await updateUser(world.deps, world.operator, ana.id, changes)).toMatchObject({
      username: 'Ana',
      email: 'Ana@example.org',
    });
  });

  it('one of several concurrent requests for a name gets it', async () => {
    const world = await World.create();
    const [ana, bob] = [await world.user('ana'), await world.user('bob')];
    const rename = ({ id }: { id: number }) =>
      updateUser(world.deps, world.operator, id, { username: 'root', replace: false });
    const [first, second] = [rename(ana), rename(bob)];
    const refused = fieldsOf(second);
    expect((await first).id).toBe(ana.id);
    expect(await refused).toEqual(['username:unique']);
    expect((await world.deps.users.get(bob.id))!.username).toBe('bob');
  });

  it('changing users requires user.edit, and making a superuser a superuser', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    const change = (context: typeof world.operator, changes: object) =>
      reasonOf(updateUser(world.deps, context, ana.id, { replace: false, ...changes }));
    expect(await change(await world.anonymous(), { fullName: 'X' })).toBe('NOT_AUTHENTICATED');
    expect(await change(await world.as(ana), { fullName: 'X' })).toBe('PERMISSION_DENIED');
    const manager = await userManager(world);
    expect(await change(manager, { isSuperuser: true })).toBe('PERMISSION_DENIED');
    expect(await change(manager, { isSuperuser: false, fullName: 'X' })).toBe('OK');
    expect(await change(world.operator, { isSuperuser: true })).toBe('OK');
    expect((await world.deps.users.get(ana.id))!.isSuperuser).toBe(true);
  });

  it('missing permission for the user takes precedence over invalid fields', async () => {
    const world = await World.create();
    const root = await world.user('root', { isSuperuser: true });
    const invalid = { username: '', dateExpiresMs: -1, replace: true };
    expect(await reasonOf(updateUser(world.deps, await userManager(world), root.id, invalid))).toBe(
      'PERMISSION_DENIED',
    );
    expect(await fieldsOf(updateUser(world.deps, world.operator, root.id, invalid))).toEqual([
      'username:blank',
      'full_name:required',
      'date_expires:invalid',
    ]);
  });

  it('deactivation ends the sessions of a user, other changes do not', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    await startSession(world.deps, await world.anonymous(), ana, '');
    const update = (changes: object) => updateUser(world.deps, world.operator, ana.id, { replace: false, ...changes });
    expect((await update({ fullName: 'Ana N', isActive: true })).credentialEpoch).toBeUndefined();
    expect(world.webCredentials.stored.size).toBe(1);
    expect((await update({ isActive: false })).credentialEpoch).toBe(1);
    expect(world.webCredentials.stored.size).toBe(0);
    expect((await update({ isActive: false, fullName: 'Ana O' })).credentialEpoch).toBe(1);
  });

  it('the bot of a project token stays a bot and expires with its token', async () => {
    const { world, as } = await withProject();
    const input = { projectId: 7, projectSlug: '', name: 'CI', expiresMs: 0, groupIds: [] };
    const { token } = await createProjectToken(world.deps, as, input);
    const dateExpiresMs = world.nowMs + 5000;
    const changes = { isBot: false, dateExpiresMs, replace: false };
    const bot = await updateUser(world.deps, world.operator, token.userId, changes);
    expect(bot).toMatchObject({ isBot: true, dateExpiresMs, tokens: [{ id: token.id, expiresMs: dateExpiresMs }] });
    const ana = (await world.deps.users.byName('ana'))!;
    await createPersonalToken(world.deps, as, { userId: ana.id, name: 'laptop', expiresMs: 0 });
    const person = await updateUser(world.deps, world.operator, ana.id, { dateExpiresMs, replace: false });
    expect(person.tokens).toMatchObject([{ expiresMs: 0 }]);
  });
});
