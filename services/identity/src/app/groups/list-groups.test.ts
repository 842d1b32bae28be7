import { reasonOf, withProject } from '../../../test/support/world';
import { addToGroup } from './associate-group';
import { changeMembership } from './change-membership';
import { getGroup, listGroups, listProjectTeams } from './list-groups';

const all = { skip: 0, limit: 100 };

describe('listGroups', () => {
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

  it('admins who left a group still see it', async () => {
    const { world, ana, teams } = await withProject();
    await addToGroup(world.deps, world.operator, 4, { kind: 'admin', id: ana.id });
    await changeMembership(world.deps, world.operator, { userId: ana.id, groupId: 4, member: false });
    const as = await world.as(ana);
    expect((await listGroups(world.deps, as, all)).items.map(({ id }) => id)).toEqual([2, 3, 4, teams[0]!.id]);
    expect((await getGroup(world.deps, as, 4)).id).toBe(4);
  });
});
