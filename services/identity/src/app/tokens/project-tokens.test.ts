import { can, canSee } from '@parlance/access';
import { fieldsOf, reasonOf, withProject } from '../../../test/support/world';
import { deleteGroup } from '../groups/delete-group';
import { deleteUser } from '../users/delete-user';
import { updateUser } from '../users/update-user';
import { createPersonalToken } from './personal-tokens';
import { createProjectToken, getProjectToken, listProjectTokens, revokeProjectToken } from './project-tokens';

const all = { skip: 0, limit: 100 };

async function withTeams() {
  const parts = await withProject();
  const input = { projectId: 7, projectSlug: '', name: 'CI', expiresMs: 0, groupIds: [] };
  const make = (more: object = {}) => createProjectToken(parts.world.deps, parts.as, { ...input, ...more });
  const team = (name: string) => parts.teams.find((t) => t.name === name)!;
  return { ...parts, make, team };
}

describe('project tokens', () => {
  it('project tokens are limited in number', async () => {
    const { world, make } = await withTeams();
    for (let i = 0; i < world.deps.maxTokens; i++) await make({ name: `t${i}` });
    expect(await fieldsOf(make({ name: 'one more' }))).toEqual(['null:invalid']);
  });

  it('a project token creates a bot in the chosen teams that can access only its project', async () => {
    const { world, team, make } = await withTeams();
    const vcs = team('VCS');
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
    const { world, make, as } = await withTeams();
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
    const { make } = await withTeams();
    expect(await fieldsOf(make({ name: undefined, groupIds: [1], expiresMs: 1 }))).toEqual([
      'name:required',
      'expires:min_value',
      'groups:does_not_exist',
    ]);
    expect(await reasonOf(make({ projectId: 0, projectSlug: 'other' }))).toBe('NOT_FOUND');
    await make({ projectId: 0, projectSlug: 'app' });
  });

  it('a project token is revoked with its bot', async () => {
    const { world, as, make } = await withTeams();
    const { token, value } = await make();
    await revokeProjectToken(world.deps, as, 7, token.id);
    expect(await reasonOf(world.enter(value))).toBe('AUTHENTICATION_FAILED');
    expect((await listProjectTokens(world.deps, as, 7, all)).total).toBe(0);
    const second = await make();
    await deleteUser(world.deps, world.operator, second.token.userId);
    expect(await reasonOf(world.enter(second.value))).toBe('AUTHENTICATION_FAILED');
  });

  it('a project token expires with its bot', async () => {
    const { world, make } = await withTeams();
    const { value } = await make({ expiresMs: world.nowMs + 1000 });
    await world.enter(value);
    world.nowMs += 1000;
    expect(await reasonOf(world.enter(value))).toBe('AUTHENTICATION_FAILED');
  });

  it('changing the expiry of a bot changes that of its token', async () => {
    const { world, as, make } = await withTeams();
    const { token } = await make({ expiresMs: world.nowMs + 1000 });
    const dateExpiresMs = world.nowMs + 5000;
    await updateUser(world.deps, world.operator, token.userId, { dateExpiresMs, replace: false });
    expect((await getProjectToken(world.deps, as, 7, token.id)).expiresMs).toBe(dateExpiresMs);
  });

  it('a token without teams joins Administration, and named teams are joined once', async () => {
    const { world, make, team } = await withTeams();
    expect((await make()).token.groups).toEqual([team('Administration').id]);
    const [vcs, review] = [team('VCS'), team('Review')];
    const groups = [vcs.id, review.id].sort((a, b) => a - b);
    expect((await make({ groupIds: [vcs.id, review.id, vcs.id] })).token.groups).toEqual(groups);
    await deleteGroup(world.deps, world.operator, team('Administration').id);
    expect(await fieldsOf(make())).toEqual(['groups:required']);
    await make({ groupIds: groups });
  });

  it('the bot has no subscriptions, no mailbox and the expiry of its token', async () => {
    const { world, make } = await withTeams();
    const expiresMs = world.nowMs + 1;
    const { token } = await make({ expiresMs });
    expect(await world.deps.users.get(token.userId)).toMatchObject({
      fullName: 'CI',
      email: `noreply+${token.userId}@noreply.example.org`,
      isBot: true,
      isSuperuser: false,
      dateExpiresMs: expiresMs,
      subscriptions: [],
      passwordHash: null,
    });
  });

  it('the name of the bot is numbered up to 100 if it is taken', async () => {
    const { world, make } = await withTeams();
    Object.assign(world.deps, { maxTokens: 200 });
    await world.user('bot-app-ci');
    for (let number = 2; number <= 100; number++)
      expect((await make({ name: number % 2 ? 'CI' : 'ci!' })).token.username).toBe(`bot-app-ci-${number}`);
    expect(await fieldsOf(make())).toEqual(['name:unique']);
    expect((await make({ name: 'other' })).token.username).toBe('bot-app-other');
  });

  it('creating and revoking are announced for the bot and audited without the value', async () => {
    const { world, ana, as, make, team } = await withTeams();
    const { token, value } = await make();
    const details = { user_id: token.userId, project_id: 7, groups: [team('Administration').id], expires_ms: 0 };
    expect(world.announced.all.at(-1)).toMatchObject({
      audit: [{ action: 'token.create', actorId: ana.id, targetId: token.id, targetName: 'CI', details }],
      accessChanged: [token.userId],
    });
    await revokeProjectToken(world.deps, as, 7, token.id);
    expect(world.announced.all.at(-1)).toMatchObject({
      audit: [{ action: 'token.revoke', actorId: ana.id, targetKind: 'user', targetId: token.userId }],
      accessChanged: [token.userId],
      userDeleted: { userId: token.userId, replacementUsername: `deleted-${token.userId}` },
    });
    expect(JSON.stringify(world.announced.all)).not.toContain(value);
    expect(await reasonOf(revokeProjectToken(world.deps, as, 7, token.id))).toBe('NOT_FOUND');
  });

  it('a personal token is not found among those of a project', async () => {
    const { world, ana, as, make } = await withTeams();
    const { token } = await createPersonalToken(world.deps, as, { userId: ana.id, name: 'laptop', expiresMs: 0 });
    const { token: ci } = await make();
    expect(await reasonOf(getProjectToken(world.deps, as, 7, token.id))).toBe('NOT_FOUND');
    expect(await reasonOf(revokeProjectToken(world.deps, as, 7, token.id))).toBe('NOT_FOUND');
    expect(await getProjectToken(world.deps, as, 7, ci.id)).toEqual(ci);
    expect(await reasonOf(getProjectToken(world.deps, world.operator, 0, token.id))).toBe('PERMISSION_DENIED');
  });

  it('a token of a superuser that is limited to the project manages none of its tokens', async () => {
    const { world, make } = await withTeams();
    const { token } = await make();
    const root = await world.as(await world.user('root', { isSuperuser: true }));
    const limited = world.caller({ ...root.caller, onlyProjects: [7] });
    expect((await listProjectTokens(world.deps, root, 7, all)).items).toEqual([token]);
    expect(await reasonOf(listProjectTokens(world.deps, limited, 7, all))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(revokeProjectToken(world.deps, limited, 7, token.id))).toBe('PERMISSION_DENIED');
  });

  it('problems are added to those found by the caller, and no bot is created', async () => {
    const { world, as } = await withTeams();
    const context = { ...as, problems: [{ attr: 'expires', code: 'invalid', detail: '' }] };
    const input = { projectId: 7, projectSlug: '', name: ' CI', expiresMs: 1, groupIds: [] };
    expect(await fieldsOf(createProjectToken(world.deps, context, input))).toEqual(['expires:invalid', 'name:invalid']);
    expect((await listProjectTokens(world.deps, as, 7, all)).total).toBe(0);
  });
});
