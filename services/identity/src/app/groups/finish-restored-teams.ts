import type { Deps } from '../deps';

/** Removes deleted users and roles from the teams of a restored project, and announces its rights. Idempotent. */
export async function finishRestoredTeams(
  deps: Pick<Deps, 'users' | 'groups' | 'roles'>,
  projectId: number,
): Promise<void> {
  for (const { id, admins, roles } of await deps.groups.ofProject(projectId)) {
    const people = new Set((await deps.users.many(admins)).filter(({ deleted }) => !deleted).map((user) => user.id));
    const known = new Set((await deps.roles.many(roles)).map((role) => role.id));
    await deps.groups.update(id, (group) => ({
      next: {
        ...group,
        admins: group.admins.filter((admin) => people.has(admin)),
        roles: group.roles.filter((role) => known.has(role)),
      },
      announce: { audit: [], accessChanged: [] },
    }));
  }
}
