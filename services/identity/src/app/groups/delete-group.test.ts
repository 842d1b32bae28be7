import { can } from '@parlance/access';
import { reasonOf, withProject } from '../../../test/support/world';
import { deleteGroup, finishGroupDeletion } from './delete-group';
import { getGroup } from './list-groups';

describe('deleteGroup', () => {
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

  it('members lose a deleted group, and only managers delete it', async () => {
    const { world, ana, as, teams } = await withProject();
    const ben = await world.as(await world.user('ben'));
    expect(await reasonOf(deleteGroup(world.deps, ben, teams[0]!.id))).toBe('NOT_FOUND');
    await deleteGroup(world.deps, as, teams[0]!.id);
    expect((await world.deps.users.get(ana.id))!.groups).toEqual([2, 3]);
    expect(await world.deps.groups.get(teams[0]!.id)).toBeUndefined();
    expect(world.announced.audit.map(({ action }) => action)).toContain('group.delete');
  });
});
