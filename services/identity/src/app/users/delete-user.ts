import { ANONYMOUS_ID, anonymised } from '../../domain/user';
import { announce } from '../audit/audit-action';
import { notFound } from '../field-errors';
import type { RequestContext, Identity } from '../deps';
import { refuse, requireOnSite } from '../rights';

/**
 * Wipes what tells who a user was; the id stays, so histories keep their author. Access ends with the first write; what other
 * documents hold of the user (team admin rights, addresses in the audit log, mails) is wiped by `forgetUser`.
 */
export async function deleteUser(on: Identity, context: RequestContext, id: number): Promise<void> {
  requireOnSite(context, 'user.edit');
  if (id === ANONYMOUS_ID) refuse(context, 'The anonymous user cannot be deleted.');
  const current = await on.users.get(id);
  if (!current) throw notFound('The user');
  if (current.isSuperuser && !context.caller.isSuperuser) refuse(context, 'Only superusers can delete superusers.');
  await wipeUser(on, context, id, 'user.delete');
}

/** Anonymises without asking for rights. */
export async function wipeUser(on: Identity, context: RequestContext, id: number, action: string): Promise<void> {
  await on.users.update(id, (user) => {
    if (user.deleted) return undefined;
    const next = anonymised(user, on.noreplyDomain);
    return {
      next,
      announce: {
        ...announce(on, context, { action, kind: 'user', id }, [id]),
        userDeleted: { userId: id, replacementUsername: next.username },
      },
    };
  });
  await forgetUser(on, id);
}

/** Repeatable; the consumer of UserDeleted does it again in case the first attempt was cut short. */
export async function forgetUser(on: Identity, userId: number): Promise<void> {
  for (const groupId of await on.groups.naming({ admin: userId })) {
    await on.groups.update(groupId, (group) =>
      group.admins.includes(userId)
        ? { next: { ...group, admins: group.admins.filter((a) => a !== userId) }, announce: { audit: [] } }
        : undefined,
    );
  }
  await on.audit.forgetAddresses(userId);
  await on.mails.removeOf(userId);
}
