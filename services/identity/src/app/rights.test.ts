import type { Permission } from '@parlance/access';
import { reasonOf, World } from '../../test/support/world';
import type { RequestContext } from './deps';
import { ensureProjectTeams } from './groups/project-teams';
import {
  managesMembers,
  managesProject,
  requireOnSite,
  requireSecondFactorOfTeam,
  requireService,
  requireSuperuser,
  seesGroup,
} from './rights';

const project = { projectId: 7, slug: 'app', accessControl: 100, review: true };
const refusal = (run: () => void) => reasonOf(Promise.resolve().then(run));

/** A caller with a permission on project 7. */
const member = (world: World, permission: Permission, more: Partial<RequestContext['caller']> = {}): RequestContext =>
  world.caller({
    userId: 99,
    username: 'member',
    fullName: '',
    email: '',
    isSuperuser: false,
    isBot: false,
    anonymous: false,
    grants: [{ permissions: [permission], projects: [7] }],
    ...more,
  });

describe('rights', () => {
  it('anonymous callers are asked to sign in, others are denied', async () => {
    const world = await World.create();
    const anonymous = await world.anonymous();
    const user = await world.as(await world.user('ana'));
    for (const require of [
      (context: RequestContext) => requireOnSite(context, 'group.edit'),
      requireSuperuser,
      requireService,
    ]) {
      expect(await refusal(() => require(anonymous))).toBe('NOT_AUTHENTICATED');
      expect(await refusal(() => require(user))).toBe('PERMISSION_DENIED');
      require(world.operator);
    }
  });

  it('a superuser is no service', async () => {
    const world = await World.create();
    const admin = member(world, 'unit.edit', { isSuperuser: true });
    requireSuperuser(admin);
    expect(await refusal(() => requireService(admin))).toBe('PERMISSION_DENIED');
  });

  it('a project is managed with its permission; a token of a superuser only within its projects', async () => {
    const world = await World.create();
    const manages = (context: RequestContext, id = 7) => managesProject(world.deps, context, id);
    expect(await manages(member(world, 'project.permissions'))).toBe(true);
    expect(await manages(member(world, 'project.permissions'), 8)).toBe(false);
    expect(await manages(member(world, 'project.edit'))).toBe(false);
    expect(await manages(member(world, 'project.edit', { isSuperuser: true }))).toBe(true);
    expect(await manages(member(world, 'project.edit', { isSuperuser: true, onlyProjects: [8] }))).toBe(false);
    expect(await manages(member(world, 'project.edit', { isSuperuser: true }), 0)).toBe(false);
  });

  it('admins of a team manage its members; members only see it, and others do not', async () => {
    const world = await World.create();
    const [ana, bob, eve] = [await world.user('ana'), await world.user('bob'), await world.user('eve')];
    const teams = await ensureProjectTeams(world.deps, world.operator, project, ana.id);
    const joined = (await world.deps.users.get(ana.id))!.groups;
    const team = (await world.deps.groups.get(teams.find(({ id }) => joined.includes(id))!.id))!;
    const led = { ...team, admins: [bob.id] };
    const rights = async (id: number) => {
      const context = await world.as(id);
      return [await seesGroup(world.deps, context, led), await managesMembers(world.deps, context, led)];
    };
    expect(await rights(ana.id)).toEqual([true, true]);
    expect(await rights(bob.id)).toEqual([true, true]);
    expect(await rights(eve.id)).toEqual([false, false]);
  });

  it('a team that requires a second factor is changed only with one', async () => {
    const world = await World.create();
    const caller = member(world, 'unit.edit');
    requireSecondFactorOfTeam(caller, { enforced2fa: false });
    expect(await refusal(() => requireSecondFactorOfTeam(caller, { enforced2fa: true }))).toBe('PERMISSION_DENIED');
  });
});
