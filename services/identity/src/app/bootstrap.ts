import { permissionNames, permissions } from '@parlance/access';
import { anonymousGroups, defaultGroups, defaultRoles } from '../domain/permissions/defaults';
import { TakenError, type Announcement } from '../domain/ports';
import { ANONYMOUS_ID, ANONYMOUS_NAME, newUser } from '../domain/user';
import { finishGroupDeletion } from './groups/delete-group';
import type { Deps } from './deps';
import { finishRoleDeletion } from './groups/roles';

const noAnnouncement: Announcement = { audit: [] };

type BootstrapDeps = Pick<Deps, 'users' | 'groups' | 'roles' | 'now'>;

/**
 * Creates the default roles, groups and the anonymous user once. Defaults that were deleted later stay deleted.
 * Safe to run in several processes at once.
 */
export async function bootstrap(deps: BootstrapDeps): Promise<void> {
  if (!(await deps.users.get(ANONYMOUS_ID))) {
    const projectPermissions = permissionNames.filter((name) => permissions[name] === 'project');
    for (const role of defaultRoles(projectPermissions))
      await insertIfAbsent(() => deps.roles.insert(role, noAnnouncement));
    for (const group of defaultGroups()) await insertIfAbsent(() => deps.groups.insert(group, noAnnouncement));
    const anonymous = newUser({
      id: ANONYMOUS_ID,
      username: ANONYMOUS_NAME,
      fullName: 'Anonymous',
      email: null,
      nowMs: deps.now(),
      groups: [...anonymousGroups],
      subscriptionIds: [],
      isActive: false,
    });
    await insertIfAbsent(() => deps.users.insert(anonymous, noAnnouncement));
  }
  for (const group of await deps.groups.beingDeleted()) await finishGroupDeletion(deps, group.id);
  for (const role of await deps.roles.beingDeleted()) await finishRoleDeletion(deps, role.id);
}

async function insertIfAbsent(insert: () => Promise<void>): Promise<void> {
  try {
    await insert();
  } catch (error) {
    if (!(error instanceof TakenError)) throw error;
  }
}
