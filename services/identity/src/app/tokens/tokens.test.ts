import { can, canSee } from '@parlance/access';
import { fieldsOf, reasonOf, World } from '../../../test/support/world';
import { listTokens, revokeToken } from './all-tokens';
import { authenticate, CACHE_MS } from '../authentication/authenticate';
import { deleteUser } from '../users/delete-user';
import { createPersonalToken, listPersonalTokens, revokePersonalToken } from './personal-tokens';
import { ensureProjectTeams } from '../groups/project-teams';
import { createProjectToken, getProjectToken, listProjectTokens, revokeProjectToken } from './project-tokens';
import { updateUser } from '../users/update-user';

const all = { skip: 0, limit: 100 };

async function withToken(expiresIn = 0) {
  const world = await World.create();
  const ana = await world.user('ana');
  const expiresMs = expiresIn === 0 ? 0 : world.nowMs + expiresIn;
  const made = await createPersonalToken(world.deps, await world.as(ana), {
    userId: ana.id,
    name: 'laptop',
    expiresMs,
  });
  return { world, ana, ...made };
}

describe('authenticate', () => {
  it('a request without a token is anonymous', async () => {
    const world = await World.create();
    const caller = await world.enter('');
    expect(caller).toMatchObject({ anonymous: true, userId: 0, isSuperuser: false });
    expect(can(caller, 'suggestion.add', { projectId: 1, accessControl: 0 })).toBe(true);
    expect(can(caller, 'unit.edit', { projectId: 1, accessControl: 0 })).toBe(false);
  });

  it('a token may be limited to reading and to projects', async () => {
    const { world, ana } = await withToken();
    const input = { userId: ana.id, name: 'reader', expiresMs: 0, readOnly: true, projectIds: [7, 8, 7] };
    const { value, token } = await createPersonalToken(world.deps, await world.as(ana), input);
    expect(token).toMatchObject({ readOnly: true, limitedTo: [7, 8] });
    expect(await world.enter(value)).toMatchObject({ userId: ana.id, readOnly: true, onlyProjects: [7, 8] });
    const many = { ...input, projectIds: Array.from({ length: 101 }, (_, i) => i + 1) };
    expect(await fieldsOf(createPersonalToken(world.deps, await world.as(ana), many))).toEqual(['projects:max_length']);
  });

  it('a valid token authenticates its owner and records its use at most once a minute', async () => {
    const { world, ana, value, token } = await withToken();
    const entry = await authenticate(world.deps, value);
    expect(entry).toMatchObject({ tokenId: token.id, cacheMs: CACHE_MS, user: { id: ana.id } });
    const used = async () => (await world.deps.users.get(ana.id))!.tokens[0]!.lastUsedMs;
    const first = await used();
    expect(first).toBe(world.nowMs);
    world.nowMs += 59_000;
    await authenticate(world.deps, value);
    expect(await used()).toBe(first);
    world.nowMs += 1_000;
    await authenticate(world.deps, value);
    expect(await used()).toBe(world.nowMs);
  });

  it('invalid, revoked and expired tokens and those of inactive users are rejected', async () => {
    const { world, ana, value, token } = await withToken(30_000);
    const refused = async () => (await reasonOf(authenticate(world.deps, value))) === 'AUTHENTICATION_FAILED';
    expect(await reasonOf(authenticate(world.deps, `plu_${'x'.repeat(36)}`))).toBe('AUTHENTICATION_FAILED');
    expect(await reasonOf(authenticate(world.deps, 'nonsense'))).toBe('AUTHENTICATION_FAILED');
    expect((await authenticate(world.deps, value)).cacheMs).toBe(30_000);
    await updateUser(world.deps, world.operator, ana.id, { isActive: false, replace: false });
    expect(await refused()).toBe(true);
    await updateUser(world.deps, world.operator, ana.id, { isActive: true, replace: false });
    world.nowMs += 30_000;
    expect(await refused()).toBe(true);
    world.nowMs -= 30_000;
    await revokePersonalToken(world.deps, await world.as(ana), ana.id, token.id);
    expect(await refused()).toBe(true);
  });
});

describe('personal tokens', () => {
  it('personal tokens are validated by field and limited in number', async () => {
    const { world, ana } = await withToken();
    const as = await world.as(ana);
    const make = (input: object) => createPersonalToken(world.deps, as, { userId: ana.id, expiresMs: 0, ...input });
    expect(await fieldsOf(make({ expiresMs: world.nowMs - 1 }))).toEqual(['name:required', 'expires:min_value']);
    expect(await fieldsOf(make({ name: 'x'.repeat(101) }))).toEqual(['name:max_length']);
    for (let i = 1; i < 100; i++) await make({ name: `t${i}` });
    expect(await fieldsOf(make({ name: 'one more' }))).toEqual(['null:invalid']);
  });

  it('personal tokens are visible to their owner and superusers', async () => {
    const { world, ana, token } = await withToken();
    const bob = await world.as(await world.user('bob'));
    expect(await reasonOf(listPersonalTokens(world.deps, bob, ana.id, all))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(revokePersonalToken(world.deps, bob, ana.id, token.id))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(listPersonalTokens(world.deps, await world.anonymous(), ana.id, all))).toBe(
      'NOT_AUTHENTICATED',
    );
    const page = await listPersonalTokens(world.deps, world.operator, ana.id, all);
    expect(page.items).toMatchObject([{ name: 'laptop', username: 'ana', projectId: 0 }]);
    expect(JSON.stringify(page)).not.toContain('hash');
  });

  it('the operator revokes personal tokens by value or id', async () => {
    const { world, ana, value } = await withToken();
    const other = await createPersonalToken(world.deps, world.operator, {
      userId: ana.id,
      name: 'second',
      expiresMs: 0,
    });
    expect((await listTokens(world.deps, world.operator, all)).items).toHaveLength(2);
    expect(await reasonOf(listTokens(world.deps, await world.as(ana), all))).toBe('PERMISSION_DENIED');
    expect((await revokeToken(world.deps, world.operator, { id: 0, value })).name).toBe('laptop');
    expect((await revokeToken(world.deps, world.operator, { id: other.token.id, value: '' })).name).toBe('second');
    expect(await reasonOf(revokeToken(world.deps, world.operator, { id: 0, value }))).toBe('NOT_FOUND');
    expect(await reasonOf(revokeToken(world.deps, world.operator, { id: 0, value: '' }))).toBe('NOT_FOUND');
  });
});

describe('project tokens', () => {
  const project = { projectId: 7, slug: 'app', accessControl: 100, review: false };

  async function withProject() {
    const world = await World.create();
    const ana = await world.user('ana');
    const teams = await ensureProjectTeams(world.deps, world.operator, project, ana.id);
    const as = await world.as(ana);
    const make = (more: object = {}) =>
      createProjectToken(world.deps, as, {
        projectId: 7,
        projectSlug: '',
        name: 'CI',
        expiresMs: 0,
        groupIds: [],
        ...more,
      });
    return { world, ana, as, teams, make };
  }

  it('project tokens are limited in number', async () => {
    const { world, make } = await withProject();
    for (let i = 0; i < world.deps.maxTokens; i++) await make({ name: `t${i}` });
    expect(await fieldsOf(make({ name: 'one more' }))).toEqual(['null:invalid']);
  });

  it('a project token creates a bot in the chosen teams that can access only its project', async () => {
    const { world, teams, make } = await withProject();
    const vcs = teams.find((t) => t.name === 'VCS')!;
    const { token, value } = await make({ groupIds: [vcs.id] });
    expect(value).toMatch(/^plp_/);
    expect(token).toMatchObject({ username: 'bot-app-ci', projectId: 7, groups: [vcs.id] });
    const caller = await world.enter(value);
    expect(caller).toMatchObject({ isBot: true, onlyProjects: [7] });
    expect(can(caller, 'vcs.push', { projectId: 7, accessControl: 100 })).toBe(true);
    expect(can(caller, 'project.edit', { projectId: 7, accessControl: 100 })).toBe(false);
    expect(canSee(caller, { projectId: 8, accessControl: 0 })).toBe(false);
    expect((await make()).token.username).toBe('bot-app-ci-2');
  });

  it('project tokens are managed by managers of the project, not by its bots', async () => {
    const { world, make, as } = await withProject();
    const { token, value } = await make();
    const bot = world.caller(await world.enter(value));
    const bob = await world.as(await world.user('bob'));
    for (const context of [bot, bob]) {
      expect(await reasonOf(listProjectTokens(world.deps, context, 7, all))).toBe('PERMISSION_DENIED');
      expect(await reasonOf(revokeProjectToken(world.deps, context, 7, token.id))).toBe('PERMISSION_DENIED');
    }
    expect(await reasonOf(getProjectToken(world.deps, world.operator, 8, token.id))).toBe('NOT_FOUND');
    expect((await listProjectTokens(world.deps, as, 7, all)).total).toBe(1);
  });

  it('invalid fields of a project token are reported', async () => {
    const { make } = await withProject();
    expect(await fieldsOf(make({ name: undefined, groupIds: [1], expiresMs: 1 }))).toEqual([
      'name:required',
      'expires:min_value',
      'groups:does_not_exist',
    ]);
    expect(await reasonOf(make({ projectId: 0, projectSlug: 'other' }))).toBe('NOT_FOUND');
    await make({ projectId: 0, projectSlug: 'app' });
  });

  it('a project token is revoked with its bot', async () => {
    const { world, as, make } = await withProject();
    const { token, value } = await make();
    await revokeProjectToken(world.deps, as, 7, token.id);
    expect(await reasonOf(world.enter(value))).toBe('AUTHENTICATION_FAILED');
    expect((await listProjectTokens(world.deps, as, 7, all)).total).toBe(0);
    const second = await make();
    await deleteUser(world.deps, world.operator, second.token.userId);
    expect(await reasonOf(world.enter(second.value))).toBe('AUTHENTICATION_FAILED');
  });

  it('a project token expires with its bot', async () => {
    const { world, make } = await withProject();
    const { value } = await make({ expiresMs: world.nowMs + 1000 });
    await world.enter(value);
    world.nowMs += 1000;
    expect(await reasonOf(world.enter(value))).toBe('AUTHENTICATION_FAILED');
  });

  it('changing the expiry of a bot changes that of its token', async () => {
    const { world, as, make } = await withProject();
    const { token } = await make({ expiresMs: world.nowMs + 1000 });
    const dateExpiresMs = world.nowMs + 5000;
    await updateUser(world.deps, world.operator, token.userId, { dateExpiresMs, replace: false });
    expect((await getProjectToken(world.deps, as, 7, token.id)).expiresMs).toBe(dateExpiresMs);
  });
});
