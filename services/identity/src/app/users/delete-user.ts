import { ANONYMOUS_ID, anonymized } from '../../domain/user';
import { announce } from '../audit/audit-action';
import { notFound } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { denyAccess, requireOnSite } from '../rights';

type DeleteUserDeps = Pick<Deps, 'users' | 'groups' | 'audit' | 'mails' | 'now' | 'noreplyDomain'>;

/**
 * Wipes what tells who a user was; the id stays, so histories keep their author. Access ends with the first write; what other
 * documents hold of the user (team admin rights, addresses in the audit log, mails) is wiped by `forgetUser`.
 */
export async function deleteUser(deps: DeleteUserDeps, context: RequestContext, id: number): Promise<void> {
  requireOnSite(context, 'user.edit');
  if (id === ANONYMOUS_ID) denyAccess(context, 'The anonymous user cannot be deleted.');
  const current = await deps.users.get(id);
  if (!current) throw notFound('The user');
  if (current.isSuperuser && !context.caller.isSuperuser) denyAccess(context, 'Only superusers can delete superusers.');
  await anonymizeUser(deps, context, id, 'user.delete');
}

/** Anonymises without asking for rights. */
export async function anonymizeUser(
  deps: DeleteUserDeps,
  context: RequestContext,
  id: number,
  action: string,
): Promise<void> {
  await deps.users.update(id, (user) => {
    if (user.deleted) return undefined;
    const next = anonymized(user, deps.noreplyDomain);
    return {
      next,
      announce: {
        ...announce(deps, context, { action, kind: 'user', id }, [id]),
        userDeleted: { userId: id, replacementUsername: next.username },
      },
    };
  });
  await removeUserTraces(deps, id);
}

/** Repeatable; the consumer of UserDeleted does it again in case the first attempt was cut short. */
export async function removeUserTraces(deps: Pick<Deps, 'groups' | 'audit' | 'mails'>, userId: number): Promise<void> {
  for (const groupId of await deps.groups.naming({ admin: userId })) {
    await deps.groups.update(groupId, (group) =>
      group.admins.includes(userId)
        ? { next: { ...group, admins: group.admins.filter((a) => a !== userId) }, announce: { audit: [] } }
        : undefined,
    );
  }
  await deps.audit.forgetAddresses(userId);
  await deps.mails.removeOf(userId);
}
