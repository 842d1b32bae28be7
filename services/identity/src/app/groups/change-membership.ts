import type { Group } from '../../domain/permissions/group';
import type { User } from '../../domain/user';
import { announce } from '../audit/audit-action';
import { fieldError, notFound } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { holdsOnSite, managesMembers, denyAccess, requireSecondFactorOfTeam } from '../rights';

type ChangeMembershipDeps = Pick<Deps, 'users' | 'groups' | 'projects' | 'now'>;

/** Adds a user to a group or removes it; idempotent. Unknown group: field error on group_id. */
export async function changeMembership(
  deps: ChangeMembershipDeps,
  context: RequestContext,
  request: { userId: number; groupId: number; member: boolean },
): Promise<User> {
  const group = await deps.groups.get(request.groupId);
  const mayManage =
    holdsOnSite(context, 'user.edit') || (group && !group.deleted && (await managesMembers(deps, context, group)));
  if (!mayManage) denyAccess(context);
  const user = await deps.users.get(request.userId);
  if (!user) throw notFound('The user');
  if (!group || group.deleted) throw fieldError('group_id', 'does_not_exist', 'There is no such group.');
  requireSecondFactorOfTeam(context, group);
  checkMembership(context, user, group);
  return setMembership(deps, context, user.id, group, request.member);
}

/** A project's bot can only access its project, so other teams are rejected. */
function checkMembership(context: RequestContext, user: User, group: Group): void {
  if (user.deleted) denyAccess(context, 'A deleted user cannot be a member.');
  if (user.projectId !== 0 && user.projectId !== group.definingProject) {
    throw fieldError('group_id', 'invalid', "A project token can only be a member of its project's teams.");
  }
}

/** Writes the membership without a permission check. */
export async function setMembership(
  deps: Pick<Deps, 'users' | 'now'>,
  context: RequestContext,
  userId: number,
  group: Group,
  member: boolean,
): Promise<User> {
  const updated = await deps.users.update(userId, (user) => {
    if (user.groups.includes(group.id) === member) return undefined;
    const groups = member
      ? [...user.groups, group.id].sort((a, b) => a - b)
      : user.groups.filter((g) => g !== group.id);
    const action = member ? 'user.group.add' : 'user.group.remove';
    const details = { group_id: group.id, group: group.name };
    return {
      next: { ...user, groups },
      announce: announce(deps, context, { action, kind: 'user', id: userId, details }, [userId]),
    };
  });
  if (!updated) throw notFound('The user');
  return updated;
}
