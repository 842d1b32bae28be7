import { can } from '@parlance/access';
import { fieldsOf, reasonOf, withProject, World } from '../../../test/support/world';
import { ASSOCIATIONS_MAX } from '../../domain/permissions/group';
import { createProjectToken } from '../tokens/project-tokens';
import { addToGroup, removeFromGroup } from './associate-group';
import { changeMembership } from './change-membership';
import { createGroup } from './create-group';
import { updateGroup } from './update-group';

describe('addToGroup and removeFromGroup', () => {
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

  it('a manager of a project cannot extend its teams beyond the project', async () => {
    const { world, as, teams } = await withProject();
    const add = (what: Parameters<typeof addToGroup>[3]) => addToGroup(world.deps, as, teams[0]!.id, what);
    expect(await fieldsOf(add({ kind: 'project', id: 8 }))).toEqual(['project_id:invalid']);
    expect(await fieldsOf(add({ kind: 'component', id: 80, projectId: 8 }))).toEqual(['component_id:invalid']);
    expect(await fieldsOf(add({ kind: 'componentList', id: 3 }))).toEqual(['component_list_id:invalid']);
    expect(await fieldsOf(add({ kind: 'role', id: 17 }))).toEqual(['role_id:invalid']);
    expect(await reasonOf(add({ kind: 'role', id: 9 }))).toBe('OK');
    expect(await reasonOf(add({ kind: 'component', id: 70, projectId: 7 }))).toBe('OK');
  });

  it('admins of a team choose its admins but not its reach', async () => {
    const { world, teams } = await withProject();
    const ben = await world.user('ben');
    const dan = await world.user('dan');
    const id = teams[1]!.id;
    await addToGroup(world.deps, world.operator, id, { kind: 'admin', id: ben.id });
    const as = await world.as(ben);
    await addToGroup(world.deps, as, id, { kind: 'admin', id: dan.id });
    expect((await world.deps.groups.get(id))!.admins).toEqual([ben.id, dan.id]);
    expect(await reasonOf(addToGroup(world.deps, as, id, { kind: 'language', code: 'cs' }))).toBe('PERMISSION_DENIED');
    await removeFromGroup(world.deps, as, id, { kind: 'admin', id: dan.id });
    expect((await world.deps.groups.get(id))!.admins).toEqual([ben.id]);
  });

  it("a project's bot cannot be an admin of other teams", async () => {
    const { world, as, teams } = await withProject();
    const token = { projectId: 7, projectSlug: '', name: 'ci', expiresMs: 0, groupIds: [] };
    await createProjectToken(world.deps, as, token);
    const [bot] = (await world.deps.users.bots(7, { skip: 0, limit: 1 })).items;
    const add = (groupId: number) => addToGroup(world.deps, world.operator, groupId, { kind: 'admin', id: bot!.id });
    expect(await fieldsOf(add(4))).toEqual(['user_id:invalid']);
    expect(await reasonOf(add(teams[1]!.id))).toBe('OK');
  });

  it('a team that requires a second factor is changed only with one', async () => {
    const { world, as, teams } = await withProject();
    const id = teams[1]!.id;
    await updateGroup(world.deps, world.operator, id, { enforced2fa: true, replace: false });
    const add = () => addToGroup(world.deps, as, id, { kind: 'language', code: 'cs' });
    expect(await reasonOf(add())).toBe('PERMISSION_DENIED');
    expect((await world.deps.groups.get(id))!.languages).toEqual([]);
  });

  it('a group names a limited number of objects', async () => {
    const world = await World.create();
    const full = Array.from({ length: ASSOCIATIONS_MAX }, (_, i) => i + 1);
    await world.deps.groups.update(4, (g) => ({ next: { ...g, projects: full }, announce: { audit: [] } }));
    const more = { kind: 'project', id: ASSOCIATIONS_MAX + 1 } as const;
    expect(await fieldsOf(addToGroup(world.deps, world.operator, 4, more))).toEqual(['project_id:max_length']);
    await removeFromGroup(world.deps, world.operator, 4, { kind: 'project', id: 1 });
    expect((await addToGroup(world.deps, world.operator, 4, more)).projects.at(-1)).toBe(ASSOCIATIONS_MAX + 1);
  });

  it('associations are audited once', async () => {
    const world = await World.create();
    for (let i = 0; i < 2; i++) await addToGroup(world.deps, world.operator, 4, { kind: 'language', code: 'cs' });
    expect(world.announced.audit).toMatchObject([{ action: 'group.language.add', details: { language_code: 'cs' } }]);
  });
});
