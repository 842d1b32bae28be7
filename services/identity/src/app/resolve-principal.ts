import { permissions as table, isPermission, type Grant, type Permission, type Principal } from '@parlance/access';
import type { Group } from '../domain/group';
import { resolveGrants, type TeamReach } from '../domain/grants';
import { ANONYMOUS_ID, type User } from '../domain/user';
import type { Identity } from './identity';

/** Looks up what a user may do: groups, their roles, the projects of their component lists. Three queries at most. */
export async function resolvePrincipal(on: Identity, user: User): Promise<Principal> {
  const anonymous = user.id === ANONYMOUS_ID;
  return {
    userId: anonymous ? 0 : user.id,
    username: user.username,
    fullName: user.fullName,
    email: user.email ?? '',
    isSuperuser: user.isSuperuser,
    isBot: user.isBot,
    anonymous,
    ...(user.projectId === 0 ? {} : { onlyProjects: [user.projectId] }),
    // A superuser passes every check, so nothing needs to travel with it.
    grants: user.isSuperuser ? [] : await grantsOf(on, user),
  };
}

async function grantsOf(on: Identity, user: User): Promise<Grant[]> {
  const groups = user.groups.length === 0 ? [] : (await on.groups.many(user.groups)).filter((g) => !g.deleted);
  const permissions = await permissionsByRole(on, groups);
  const lists = [...new Set(groups.filter((g) => g.projectSelection === 2).flatMap((g) => g.componentLists))];
  const listed = lists.length === 0 ? new Map<number, number[]>() : await on.componentLists.projectsOf(lists);
  const teams = groups.map((group): TeamReach<Permission> => ({
    permissions: group.roles.flatMap((role) => permissions.get(role) ?? []),
    projectSelection: group.projectSelection,
    projects: group.projects,
    components: group.components,
    listedProjects: group.componentLists.flatMap((id) => listed.get(id) ?? []),
    languageSelection: group.languageSelection,
    languages: group.languages,
  }));
  return resolveGrants(teams, (p) => table[p] === 'site');
}

async function permissionsByRole(on: Identity, groups: readonly Group[]): Promise<Map<number, Permission[]>> {
  const ids = [...new Set(groups.flatMap((g) => g.roles))];
  const roles = ids.length === 0 ? [] : await on.roles.many(ids);
  return new Map(roles.filter((r) => !r.deleted).map((r) => [r.id, r.permissions.filter(isPermission)]));
}
