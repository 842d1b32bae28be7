import { permissionNames, permissions } from '@parlance/access';
import { anonymousGroups, defaultGroups, defaultRoles } from '../domain/defaults';
import { TakenError, type Announcement } from '../domain/ports';
import { ANONYMOUS_ID, ANONYMOUS_NAME, newUser } from '../domain/user';
import { finishGroupRemoval } from './groups/delete-group';
import type { Identity } from './deps';
import { finishRoleRemoval } from './groups/roles';

const silently: Announcement = { audit: [] };

/**
 * Makes what every installation begins with, once: after the anonymous user exists, default roles and groups that somebody
 * deleted stay deleted. Several processes may run this at the same time.
 */
export async function bootstrap(on: Identity): Promise<void> {
  if (!(await on.users.get(ANONYMOUS_ID))) {
    const projectPermissions = permissionNames.filter((name) => permissions[name] === 'project');
    for (const role of defaultRoles(projectPermissions)) await unlessThere(() => on.roles.insert(role, silently));
    for (const group of defaultGroups()) await unlessThere(() => on.groups.insert(group, silently));
    const anonymous = newUser({
      id: ANONYMOUS_ID,
      username: ANONYMOUS_NAME,
      fullName: 'Anonymous',
      email: null,
      nowMs: on.now(),
      groups: [...anonymousGroups],
      subscriptionIds: [],
      isActive: false,
    });
    await unlessThere(() => on.users.insert(anonymous, silently));
  }
  for (const group of await on.groups.removed()) await finishGroupRemoval(on, group.id);
  for (const role of await on.roles.removed()) await finishRoleRemoval(on, role.id);
}

async function unlessThere(insert: () => Promise<void>): Promise<void> {
  try {
    await insert();
  } catch (error) {
    if (!(error instanceof TakenError)) throw error;
  }
}
