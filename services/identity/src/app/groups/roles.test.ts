import { canOnSite } from '@parlance/access';
import { fieldsOf, reasonOf, World } from '../../../test/support/world';
import { changeMembership } from './change-membership';
import { createRole, deleteRole, getRole, listRoles, updateRole } from './roles';

const all = { skip: 0, limit: 100 };

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
