import { fieldsOf, reasonOf, withProject, World } from '../../../test/support/world';
import { createProjectToken } from '../tokens/project-tokens';
import { deleteUser } from '../users/delete-user';
import { addToGroup } from './associate-group';
import { changeMembership } from './change-membership';
import { updateGroup } from './update-group';

describe('changeMembership', () => {
  it('users join and leave a group once, and both are audited', async () => {
    const world = await World.create();
    const { id: userId } = await world.user('ana');
    world.announced.all.length = 0;
    const change = (member: boolean) => changeMembership(world.deps, world.operator, { userId, groupId: 5, member });
    for (let i = 0; i < 2; i++) expect((await change(true)).groups).toEqual([2, 3, 5]);
    for (let i = 0; i < 2; i++) expect((await change(false)).groups).toEqual([2, 3]);
    expect(world.announced.audit.map(({ action }) => action)).toEqual(['user.group.add', 'user.group.remove']);
    expect(world.announced.all.map(({ accessChanged }) => accessChanged)).toEqual([[userId], [userId]]);
  });

  it('managers of the project and admins of the team choose its members, other users do not', async () => {
    const { world, as, teams } = await withProject();
    const ben = await world.user('ben');
    const dan = await world.user('dan');
    const groupId = teams[1]!.id;
    await addToGroup(world.deps, world.operator, groupId, { kind: 'admin', id: ben.id });
    const request = { userId: dan.id, groupId, member: true };
    expect(await reasonOf(changeMembership(world.deps, await world.as(dan), request))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(changeMembership(world.deps, as, { ...request, groupId: 5 }))).toBe('PERMISSION_DENIED');
    expect((await changeMembership(world.deps, await world.as(ben), request)).groups).toContain(groupId);
    expect((await changeMembership(world.deps, as, { ...request, member: false })).groups).not.toContain(groupId);
  });

  it('unknown users and groups are named only to callers who manage users', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    const change = (request: object, context = world.operator) =>
      changeMembership(world.deps, context, { userId: ana.id, groupId: 5, member: true, ...request });
    expect(await reasonOf(change({ userId: 999 }))).toBe('NOT_FOUND');
    expect(await fieldsOf(change({ groupId: 999 }))).toEqual(['group_id:does_not_exist']);
    expect(await reasonOf(change({ groupId: 999 }, await world.as(ana)))).toBe('PERMISSION_DENIED');
    await deleteUser(world.deps, world.operator, ana.id);
    expect(await reasonOf(change({}))).toBe('PERMISSION_DENIED');
  });

  it("a project's bot is a member of its project's teams only", async () => {
    const { world, as, teams } = await withProject();
    const token = { projectId: 7, projectSlug: '', name: 'ci', expiresMs: 0, groupIds: [] };
    await createProjectToken(world.deps, as, token);
    const [bot] = (await world.deps.users.bots(7, { skip: 0, limit: 1 })).items;
    const change = (groupId: number) =>
      changeMembership(world.deps, world.operator, { userId: bot!.id, groupId, member: true });
    expect(await fieldsOf(change(5))).toEqual(['group_id:invalid']);
    expect((await change(teams[1]!.id)).groups).toContain(teams[1]!.id);
  });

  it('a team that requires a second factor gets members only by callers with one', async () => {
    const { world, ana, as, teams } = await withProject();
    const groupId = teams[1]!.id;
    await updateGroup(world.deps, world.operator, groupId, { enforced2fa: true, replace: false });
    const request = { userId: ana.id, groupId, member: true };
    expect(await reasonOf(changeMembership(world.deps, as, request))).toBe('PERMISSION_DENIED');
  });
});
