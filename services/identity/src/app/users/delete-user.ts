import { ANONYMOUS_ID, anonymized } from '../../domain/user';
import { announce } from '../audit/audit-action';
import { notFound } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { denyAccess, requireOnSite } from '../rights';

type DeleteUserDeps = Pick<Deps, 'users' | 'groups' | 'audit' | 'mails' | 'webCredentials' | 'now' | 'noreplyDomain'>;

/**
 * Deletes a user's personal data; the id is kept, so histories keep their author. Access ends with the first write; references in
 * other documents (team admins, addresses in the audit log, mails) are deleted by `removeUserTraces`.
 */
export async function deleteUser(deps: DeleteUserDeps, context: RequestContext, id: number): Promise<void> {
  requireOnSite(context, 'user.edit');
  if (id === ANONYMOUS_ID) denyAccess(context, 'The anonymous user cannot be deleted.');
  const current = await deps.users.get(id);
  if (!current) throw notFound('The user');
  if (current.isSuperuser && !context.caller.isSuperuser) denyAccess(context, 'Only superusers can delete superusers.');
  await anonymizeUser(deps, context, id, 'user.delete');
}

/** Anonymizes a user without a permission check. */
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

/** Idempotent; the consumer of UserDeleted repeats it in case the first attempt was interrupted. */
export async function removeUserTraces(
  deps: Pick<Deps, 'groups' | 'audit' | 'mails' | 'webCredentials'>,
  userId: number,
): Promise<void> {
  for (const groupId of await deps.groups.listReferencing({ admin: userId })) {
    await deps.groups.update(groupId, (group) =>
      group.admins.includes(userId)
        ? { next: { ...group, admins: group.admins.filter((a) => a !== userId) }, announce: { audit: [] } }
        : undefined,
    );
  }
  await deps.audit.forgetAddresses(userId);
  await deps.mails.removeOf(userId);
  await deps.webCredentials.removeOf(userId);
}
