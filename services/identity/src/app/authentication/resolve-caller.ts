import { permissions as table, isPermission, type Grant, type Permission, type Caller } from '@parlance/access';
import type { Group } from '../../domain/permissions/group';
import { resolveGrants, type TeamReach } from '../../domain/permissions/grants';
import { hasConfirmedFactor } from '../../domain/sign-in/second-factor';
import { ANONYMOUS_ID, type User } from '../../domain/user';
import type { Deps } from '../deps';

/** Resolves the permissions of a user: groups, their roles, the projects of their component lists. At most three queries. */
export async function resolveCaller(
  deps: Pick<Deps, 'groups' | 'roles' | 'componentLists'>,
  user: User,
): Promise<Caller> {
  return (await resolveCallers(deps, [user])).get(user.id)!;
}

/**
 * The same for many users, with the same number of queries.
 * @param options.allTeams includes teams of superusers, who do not need them for access but for notifications
 * @returns callers by user id
 */
export async function resolveCallers(
  deps: Pick<Deps, 'groups' | 'roles' | 'componentLists'>,
  users: readonly User[],
  options: { allTeams?: boolean } = {},
): Promise<Map<number, Caller>> {
  // Superusers pass every check, so no grants are needed.
  const groupsOf = (user: User) => (user.isSuperuser && !options.allTeams ? [] : user.groups);
  const groupIds = [...new Set(users.flatMap(groupsOf))];
  const groups = groupIds.length === 0 ? [] : (await deps.groups.many(groupIds)).filter((g) => !g.deleted);
  const permissions = await permissionsByRole(deps, groups);
  const lists = [...new Set(groups.filter((g) => g.projectSelection === 2).flatMap((g) => g.componentLists))];
  const listed = lists.length === 0 ? new Map<number, number[]>() : await deps.componentLists.projectsOf(lists);
  const reach = new Map(
    groups.map((group) => {
      const team = reachOf(group, permissions, listed);
      return [group.id, { team, enforced2fa: group.enforced2fa }];
    }),
  );
  return new Map(
    users.map((user) => {
      const teams = groupsOf(user).flatMap((id) => reach.get(id) ?? []);
      const trusted = user.isBot || hasConfirmedFactor(user);
      return [
        user.id,
        callerOf(
          user,
          resolveGrants(
            // Members without the required second factor still see the team's projects.
            teams.map(({ team, enforced2fa }) => (enforced2fa && !trusted ? { ...team, permissions: [] } : team)),
            (p) => table[p] === 'site',
          ),
        ),
      ];
    }),
  );
}

function callerOf(user: User, grants: Grant[]): Caller {
  const anonymous = user.id === ANONYMOUS_ID;
  return {
    userId: anonymous ? 0 : user.id,
    username: user.username,
    fullName: user.fullName,
    email: user.email ?? '',
    isSuperuser: user.isSuperuser,
    isBot: user.isBot,
    anonymous,
    ...(hasConfirmedFactor(user) ? { secondFactor: true } : {}),
    ...(user.projectId === 0 ? {} : { onlyProjects: [user.projectId] }),
    grants,
  };
}

function reachOf(
  group: Group,
  permissions: ReadonlyMap<number, Permission[]>,
  listed: ReadonlyMap<number, number[]>,
): TeamReach<Permission> {
  return {
    permissions: group.roles.flatMap((role) => permissions.get(role) ?? []),
    projectSelection: group.projectSelection,
    projects: group.projects,
    components: group.components,
    listedProjects: group.componentLists.flatMap((id) => listed.get(id) ?? []),
    languageSelection: group.languageSelection,
    languages: group.languages,
  };
}

async function permissionsByRole(
  deps: Pick<Deps, 'roles'>,
  groups: readonly Group[],
): Promise<Map<number, Permission[]>> {
  const ids = [...new Set(groups.flatMap((g) => g.roles))];
  const roles = ids.length === 0 ? [] : await deps.roles.many(ids);
  return new Map(roles.filter((r) => !r.deleted).map((r) => [r.id, r.permissions.filter(isPermission)]));
}
