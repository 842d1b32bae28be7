import { fieldsOf, reasonOf, userManager, World } from '../../../test/support/world';
import { createUser } from './create-user';

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

  it('without further fields a user never expires and has no address, password and token', async () => {
    const world = await World.create();
    const input = { username: 'ana', fullName: 'Ana', email: '', password: '', withToken: false };
    const { user, token } = await createUser(world.deps, world.operator, input);
    expect(token).toBe('');
    expect(await world.deps.users.get(user.id)).toMatchObject({
      email: null,
      passwordHash: null,
      tokens: [],
      dateExpiresMs: 0,
      lastLoginMs: 0,
      dateJoinedMs: world.nowMs,
      projectId: 0,
    });
  });

  it('the given fields are stored, and the first token authenticates the user', async () => {
    const world = await World.create();
    const input = { isBot: true, isActive: true, dateExpiresMs: world.nowMs + 1, email: 'bot@example.org' };
    const given = { ...input, username: 'bot', fullName: 'A bot', password: 'correct horse', withToken: true };
    const { user, token } = await createUser(world.deps, world.operator, given);
    expect(await world.deps.users.get(user.id)).toMatchObject({ ...input, passwordHash: 'hashed:correct horse' });
    expect(await world.enter(token)).toMatchObject({ userId: user.id, isBot: true });
    expect(user.tokens).toMatchObject([{ name: 'First token', kind: 'personal', expiresMs: 0 }]);
    expect(world.announced.all).toMatchObject([
      {
        audit: [{ action: 'user.create', details: { is_superuser: false, is_bot: true, with_token: true } }],
        accessChanged: [user.id],
      },
    ]);
  });

  it('a user who is created inactive cannot use the first token', async () => {
    const world = await World.create();
    const given = { username: 'ana', fullName: 'Ana', isActive: false, password: '', withToken: true };
    const { token } = await createUser(world.deps, world.operator, given);
    expect(await reasonOf(world.enter(token))).toBe('AUTHENTICATION_FAILED');
  });

  it('one of several concurrent requests for a name or address creates a user', async () => {
    const world = await World.create();
    const make = (username: string, email: string) =>
      createUser(world.deps, world.operator, { username, fullName: 'X', email, password: '', withToken: false });
    const outcomes = await Promise.allSettled([
      make('ana', 'a@example.org'),
      fieldsOf(make('Ana', 'b@example.org')),
      fieldsOf(make('bob', 'A@example.org')),
    ]);
    expect(outcomes).toMatchObject([
      { value: { user: { username: 'ana' } } },
      { value: ['username:unique'] },
      { value: ['email:unique'] },
    ]);
    expect(world.announced.audit.map(({ action }) => action)).toEqual(['user.create']);
  });

  it('the end of access lies in the future', async () => {
    const world = await World.create();
    const make = (dateExpiresMs: number) =>
      createUser(world.deps, world.operator, {
        username: `until${dateExpiresMs}`,
        fullName: 'X',
        dateExpiresMs,
        password: '',
        withToken: false,
      });
    expect(await fieldsOf(make(world.nowMs))).toEqual(['date_expires:min_value']);
    expect((await make(world.nowMs + 1)).user.dateExpiresMs).toBe(world.nowMs + 1);
  });

  it('problems are added to those found by the caller', async () => {
    const world = await World.create();
    await world.user('ana');
    const context = { ...world.operator, problems: [{ attr: 'is_bot', code: 'invalid', detail: '' }] };
    const input = { username: 'ana', fullName: 'A', email: 'no', password: '', withToken: false };
    expect(await fieldsOf(createUser(world.deps, context, input))).toEqual([
      'is_bot:invalid',
      'email:invalid',
      'username:unique',
    ]);
  });
});
