import { announce } from '../audit/audit-action';
import type { RequestContext, Deps } from '../deps';
import { getGroup } from './list-groups';
import { managesGroup, denyAccess, requireSecondFactorOfTeam } from '../rights';

type DeleteGroupDeps = Pick<Deps, 'users' | 'groups' | 'projects' | 'now'>;

/** Deletes a group. The first write revokes its permissions and hides it; references to it are removed afterwards. */
export async function deleteGroup(deps: DeleteGroupDeps, context: RequestContext, id: number): Promise<void> {
  const group = await getGroup(deps, context, id);
  if (!(await managesGroup(deps, context, group))) denyAccess(context);
  requireSecondFactorOfTeam(context, group);
  await removeGroup(deps, context, id);
}

/** The same without a permission check. */
export async function removeGroup(
  deps: Pick<Deps, 'users' | 'groups' | 'now'>,
  context: RequestContext,
  id: number,
): Promise<void> {
  await deps.groups.update(id, (group) => {
    if (group.deleted) return undefined;
    const action = { action: 'group.delete', kind: 'group' as const, id, name: group.name };
    return { next: { ...group, deleted: true, teamKey: '' }, announce: announce(deps, context, action, []) };
  });
  await finishGroupDeletion(deps, id);
}

/** Removes members from a deleted group; repeated at startup for interrupted deletions. */
export async function finishGroupDeletion(deps: Pick<Deps, 'users' | 'groups'>, id: number): Promise<void> {
  for (const userId of await deps.users.memberIds(id)) {
    await deps.users.update(userId, (user) =>
      user.groups.includes(id)
        ? { next: { ...user, groups: user.groups.filter((g) => g !== id) }, announce: { audit: [] } }
        : undefined,
    );
  }
  await deps.groups.forget(id);
}
