import { can, canSee } from '@parlance/access';
import { project, reasonOf, withProject, World } from '../../../test/support/world';
import { createProjectToken } from '../tokens/project-tokens';
import { addToGroup } from './associate-group';
import { changeMembership } from './change-membership';
import { deleteGroup } from './delete-group';
import { componentDeleted, ensureProjectTeams, projectDeleted, projectUpdated } from './project-teams';

describe('ensureProjectTeams', () => {
  it('teams of a project are created once and give the creator permissions', async () => {
    const { world, as, teams } = await withProject();
    expect(teams.map((t) => t.name).slice(0, 3)).toEqual(['Administration', 'Review', 'Translate']);
    expect(teams.every((t) => t.definingProject === 7 && t.projects[0] === 7)).toBe(true);
    expect(can(as.caller, 'project.edit', { projectId: 7, accessControl: 100 })).toBe(true);
    expect(can(as.caller, 'project.edit', { projectId: 8, accessControl: 100 })).toBe(false);
    expect(canSee(as.caller, { projectId: 7, accessControl: 100 })).toBe(true);
    const again = await ensureProjectTeams(world.deps, world.operator, project, 0);
    expect(again.map((t) => t.id)).toEqual(teams.map((t) => t.id));
  });

  it('deleted teams of a project are not created again', async () => {
    const { world, ana, as, teams } = await withProject();
    await deleteGroup(world.deps, as, teams[2]!.id);
    await changeMembership(world.deps, world.operator, { userId: ana.id, groupId: teams[0]!.id, member: false });
    const again = await ensureProjectTeams(world.deps, world.operator, project, ana.id);
    expect(again).toHaveLength(teams.length - 1);
    expect((await world.deps.users.get(ana.id))!.groups).not.toContain(teams[0]!.id);
  });

  it('a superuser who creates a project does not join its team', async () => {
    const world = await World.create();
    const root = await world.user('root', { isSuperuser: true });
    await ensureProjectTeams(world.deps, world.operator, project, root.id);
    expect((await world.deps.users.get(root.id))!.groups).toEqual([2, 3]);
  });
});

describe('a project that changes', () => {
  it('a project with a new visibility gets the corresponding teams', async () => {
    const world = await World.create();
    const open = { ...project, accessControl: 0, review: false };
    await ensureProjectTeams(world.deps, world.operator, open, 0);
    const names = async () => (await world.deps.groups.ofProject(7)).map((t) => t.name);
    expect(await names()).toEqual(['Administration']);
    await projectUpdated(world.deps, world.operator, { ...open, accessControl: 200 });
    expect(await names()).toEqual(['Administration']);
    await projectUpdated(world.deps, world.operator, { ...open, accessControl: 100 });
    expect(await names()).toHaveLength(10);
    await projectUpdated(world.deps, world.operator, { ...open, accessControl: 100, review: true, slug: 'renamed' });
    expect(await names()).toContain('Review');
    expect((await world.deps.projects.bySlug('renamed'))!.id).toBe(7);
  });

  it('deleting a project deletes its teams, bots and references', async () => {
    const { world, ana, as, teams } = await withProject();
    const bot = await createProjectToken(world.deps, as, {
      projectId: 7,
      projectSlug: '',
      name: 'ci',
      expiresMs: 0,
      groupIds: [],
    });
    await addToGroup(world.deps, world.operator, 4, { kind: 'project', id: 7 });
    await addToGroup(world.deps, world.operator, 4, { kind: 'component', id: 70, projectId: 7 });
    await projectDeleted(world.deps, world.operator, 7);
    expect(await world.deps.groups.ofProject(7)).toEqual([]);
    expect((await world.deps.users.get(ana.id))!.groups).toEqual([2, 3]);
    expect(await reasonOf(world.enter(bot.value))).toBe('AUTHENTICATION_FAILED');
    expect(await world.deps.groups.get(4)).toMatchObject({ projects: [], components: [] });
    expect(await world.deps.groups.get(teams[0]!.id)).toBeUndefined();
    expect(await world.deps.projects.get(7)).toBeUndefined();
  });

  it('deleting a component removes it from groups', async () => {
    const { world } = await withProject();
    await addToGroup(world.deps, world.operator, 4, { kind: 'component', id: 70, projectId: 7 });
    await componentDeleted(world.deps, 70);
    expect((await world.deps.groups.get(4))!.components).toEqual([]);
  });
});
