import { withProject } from '../../../test/support/world';
import { finishRestoredTeams } from './finish-restored-teams';

it('deleted users and roles are removed from the teams of a restored project', async () => {
  const { world, ana, teams } = await withProject();
  const team = teams[0]!;
  await world.deps.groups.update(team.id, (group) => ({
    next: { ...group, admins: [ana.id, 987_654], roles: [...group.roles, 876_543] },
    announce: { audit: [] },
  }));
  await finishRestoredTeams(world.deps, team.definingProject);
  expect(await world.deps.groups.get(team.id)).toMatchObject({ admins: [ana.id], roles: team.roles });
});
