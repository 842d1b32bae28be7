import { can, canOnSite, canSee } from '@parlance/access';
import { fieldsOf, reasonOf, World } from '../../../test/support/world';
import { addToGroup, removeFromGroup } from './associate-group';
import { changeMembership } from './change-membership';
import { createGroup } from './create-group';
import { deleteGroup, finishGroupDeletion } from './delete-group';
import { getGroup, listGroups, listProjectTeams } from './list-groups';
import { ensureProjectTeams, projectDeleted, projectUpdated, componentDeleted } from './project-teams';
import { createProjectToken } from '../tokens/project-tokens';
import { createRole, deleteRole, getRole, listRoles, updateRole } from './roles';
import { updateGroup } from './update-group';

const all = { skip: 0, limit: 100 };
const project = { projectId: 7, slug: 'app', accessControl: 100, review: true };

/** A private project with its manager. */
async function withProject() {
  const world = await World.create();
  const ana = await world.user('ana');
  const teams = await ensureProjectTeams(world.deps, world.operator, project, ana.id);
  return { world, ana, as: await world.as(ana), teams };
}

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

describe('groups', () => {
  it('groups are visible to members, admins and group managers', async () => {
    const { world, ana, as, teams } = await withProject();
    const ids = async (context = as) => (await listGroups(world.deps, context, all)).items.map((g) => g.id);
    expect(await ids()).toEqual([2, 3, teams[0]!.id]);
    expect(await ids(await world.anonymous())).toEqual([1, 2]);
    expect((await ids(world.operator)).length).toBe(6 + teams.length);
    await addToGroup(world.deps, world.operator, 4, { kind: 'admin', id: ana.id });
    expect(await ids(await world.as(ana))).toEqual([2, 3, 4, teams[0]!.id]);
    expect(await reasonOf(getGroup(world.deps, as, 5))).toBe('NOT_FOUND');
    // A project's manager sees the other teams of the project, too.
    expect((await getGroup(world.deps, as, teams[1]!.id)).name).toBe('Review');
    expect(await listProjectTeams(world.deps, as, 7)).toHaveLength(teams.length);
    expect(await reasonOf(listProjectTeams(world.deps, as, 8))).toBe('PERMISSION_DENIED');
  });

  it('groups are created and changed with validation of every field', async () => {
    const world = await World.create();
    const make = (input: object) => createGroup(world.deps, world.operator, { definingProject: 0, ...input });
    expect(await fieldsOf(make({ projectSelection: 5, languageSelection: -1 }))).toEqual([
      'name:required',
      'project_selection:invalid_choice',
      'language_selection:invalid_choice',
    ]);
    const group = await make({ name: 'Doctors', projectSelection: 1 });
    expect(group).toMatchObject({ id: 7, projectSelection: 1, languageSelection: 0 });
    const update = (changes: object) =>
      updateGroup(world.deps, world.operator, group.id, { replace: false, ...changes });
    expect(await update({ name: 'Nurses' })).toMatchObject({ name: 'Nurses', projectSelection: 1 });
    expect(await fieldsOf(update({ replace: true, projectSelection: 9 }))).toEqual([
      'name:required',
      'project_selection:invalid_choice',
    ]);
  });

  it('a manager of a project cannot extend its teams beyond the project', async () => {
    const { world, as } = await withProject();
    expect(await reasonOf(createGroup(world.deps, as, { name: 'x', definingProject: 0 }))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(createGroup(world.deps, as, { name: 'x', definingProject: 8 }))).toBe('PERMISSION_DENIED');
    const wide = createGroup(world.deps, as, { name: 'x', definingProject: 7, projectSelection: 1 });
    expect(await fieldsOf(wide)).toEqual(['project_selection:invalid']);
    const own = await createGroup(world.deps, as, { name: 'x', definingProject: 7 });
    expect(await fieldsOf(updateGroup(world.deps, as, own.id, { projectSelection: 3, replace: false }))).toEqual([
      'project_selection:invalid',
    ]);
    expect(await reasonOf(updateGroup(world.deps, as, own.id, { definingProject: 8, replace: false }))).toBe(
      'PERMISSION_DENIED',
    );
    expect(await fieldsOf(addToGroup(world.deps, as, own.id, { kind: 'project', id: 8 }))).toEqual([
      'project_id:invalid',
    ]);
    expect(await fieldsOf(addToGroup(world.deps, as, own.id, { kind: 'component', id: 80, projectId: 8 }))).toEqual([
      'component_id:invalid',
    ]);
    expect(await fieldsOf(addToGroup(world.deps, as, own.id, { kind: 'componentList', id: 3 }))).toEqual([
      'component_list_id:invalid',
    ]);
    expect(await fieldsOf(addToGroup(world.deps, as, own.id, { kind: 'role', id: 17 }))).toEqual(['role_id:invalid']);
    await addToGroup(world.deps, as, own.id, { kind: 'role', id: 9 });
  });

  it('a deleted group grants no permissions, also after an interrupted deletion', async () => {
    const { world, ana, teams } = await withProject();
    const id = teams[0]!.id;
    await world.deps.groups.update(id, (g) => ({ next: { ...g, deleted: true }, announce: { audit: [] } }));
    const stranded = await world.as(ana);
    expect(can(stranded.caller, 'project.edit', { projectId: 7, accessControl: 100 })).toBe(false);
    expect(await reasonOf(getGroup(world.deps, world.operator, id))).toBe('NOT_FOUND');
    await finishGroupDeletion(world.deps, id);
    expect((await world.deps.users.get(ana.id))!.groups).toEqual([2, 3]);
    expect(await world.deps.groups.get(id)).toBeUndefined();
  });
});

describe('associations of a group', () => {
  it('associations are added once, removed once and not found afterwards', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    const cases = [
      [{ kind: 'role', id: 9 }, 'roles'],
      [{ kind: 'project', id: 7 }, 'projects'],
      [{ kind: 'component', id: 70, projectId: 7 }, 'components'],
      [{ kind: 'componentList', id: 3 }, 'componentLists'],
      [{ kind: 'language', code: 'pt_BR' }, 'languages'],
      [{ kind: 'admin', id: ana.id }, 'admins'],
    ] as const;
    const empty = await createGroup(world.deps, world.operator, { name: 'x', definingProject: 0 });
    for (const [what, field] of cases) {
      await addToGroup(world.deps, world.operator, empty.id, what);
      expect((await addToGroup(world.deps, world.operator, empty.id, what))[field]).toHaveLength(1);
      expect((await removeFromGroup(world.deps, world.operator, empty.id, what))[field]).toHaveLength(0);
    }
    expect((await world.deps.users.get(ana.id))!.groups).toContain(empty.id);
    const missing = (what: Parameters<typeof removeFromGroup>[3]) =>
      removeFromGroup(world.deps, world.operator, empty.id, what);
    expect(await reasonOf(missing({ kind: 'role', id: 9 }))).toBe('NOT_FOUND');
    expect(await fieldsOf(missing({ kind: 'admin', id: ana.id }))).toEqual(['user_id:does_not_exist']);
  });

  it('associations with unknown objects or invalid ids are rejected', async () => {
    const world = await World.create();
    const add = (what: Parameters<typeof addToGroup>[3]) => fieldsOf(addToGroup(world.deps, world.operator, 4, what));
    expect(await add({ kind: 'role', id: 99 })).toEqual(['role_id:does_not_exist']);
    expect(await add({ kind: 'admin', id: 99 })).toEqual(['user_id:does_not_exist']);
    expect(await add({ kind: 'project', id: 0 })).toEqual(['project_id:invalid']);
    expect(await add({ kind: 'component', id: -1, projectId: 7 })).toEqual(['component_id:invalid']);
    expect(await add({ kind: 'language', code: 'a b' })).toEqual(['language_code:invalid']);
  });

  it('associations determine the permissions of members', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    world.lists.set(3, [30, 31]);
    const group = await createGroup(world.deps, world.operator, { name: 'x', definingProject: 0, projectSelection: 2 });
    await addToGroup(world.deps, world.operator, group.id, { kind: 'role', id: 15 });
    await addToGroup(world.deps, world.operator, group.id, { kind: 'componentList', id: 3 });
    await addToGroup(world.deps, world.operator, group.id, { kind: 'language', code: 'cs' });
    await changeMembership(world.deps, world.operator, { userId: ana.id, groupId: group.id, member: true });
    const { caller } = await world.as(ana);
    const push = (projectId: number, languageCode: string) =>
      can(caller, 'vcs.push', { projectId, accessControl: 100, languageCode });
    expect([push(30, 'cs'), push(31, 'cs'), push(30, 'de'), push(32, 'cs')]).toEqual([true, true, false, false]);
  });
});

describe('roles', () => {
  it('PATCH adds permissions to a role and PUT replaces them, in the order of the table', async () => {
    const world = await World.create();
    const role = await createRole(world.deps, world.operator, {
      name: 'x',
      permissions: ['vcs.push', 'comment.add', 'vcs.push'],
    });
    expect(role).toMatchObject({ id: 18, permissions: ['comment.add', 'vcs.push'] });
    const update = (input: object) => updateRole(world.deps, world.operator, role.id, { replace: false, ...input });
    expect((await update({ permissions: ['unit.edit'] })).permissions).toEqual([
      'comment.add',
      'unit.edit',
      'vcs.push',
    ]);
    expect(await update({ name: 'y' })).toMatchObject({
      name: 'y',
      permissions: ['comment.add', 'unit.edit', 'vcs.push'],
    });
    expect((await update({ replace: true, name: 'y', permissions: ['unit.add'] })).permissions).toEqual(['unit.add']);
    expect(await fieldsOf(update({ replace: true }))).toEqual(['name:required', 'permissions:required']);
    expect(await fieldsOf(update({ permissions: ['unit.fly', 'constructor'] }))).toEqual([
      'permissions:does_not_exist',
      'permissions:does_not_exist',
    ]);
    expect(await fieldsOf(createRole(world.deps, world.operator, {}))).toEqual([
      'name:required',
      'permissions:required',
    ]);
    expect(await fieldsOf(createRole(world.deps, world.operator, { name: 'y', permissions: ['x'] }))).toEqual([
      'name:unique',
      'permissions:does_not_exist',
    ]);
    expect(await fieldsOf(update({ name: 'Power user' }))).toEqual(['name:unique']);
  });

  it('roles are visible to callers who have them', async () => {
    const world = await World.create();
    const as = await world.as(await world.user('ana'));
    expect((await listRoles(world.deps, as, all)).items.map((r) => r.name)).toEqual(['Power user']);
    const guests = await listRoles(world.deps, await world.anonymous(), all);
    expect(guests.items.map((r) => r.name)).toEqual(['Add suggestion', 'Access repository']);
    expect((await listRoles(world.deps, world.operator, all)).total).toBe(17);
    expect(await reasonOf(getRole(world.deps, as, 1))).toBe('NOT_FOUND');
    expect(await reasonOf(updateRole(world.deps, as, 6, { replace: false }))).toBe('PERMISSION_DENIED');
  });

  it('deleted roles are removed from their groups and grant nothing', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    await changeMembership(world.deps, world.operator, { userId: ana.id, groupId: 6, member: true });
    expect(canOnSite((await world.as(ana)).caller, 'project.add')).toBe(true);
    await deleteRole(world.deps, world.operator, 17);
    expect(canOnSite((await world.as(ana)).caller, 'project.add')).toBe(false);
    expect((await world.deps.groups.get(6))!.roles).toEqual([]);
    expect(await world.deps.roles.get(17)).toBeUndefined();
  });
});
