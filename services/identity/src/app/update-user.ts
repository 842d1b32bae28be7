import { Problems } from '../domain/problems';
import { ANONYMOUS_ID, checkEmail, checkFullName, checkUsername, type User } from '../domain/user';
import { announce, changedFields } from './announce';
import { notFound, raise, reportTaken } from './fields';
import type { Caller, Identity } from './identity';
import { refuse, requireOnSite } from './rights';

export interface UserChanges {
  username?: string;
  fullName?: string;
  email?: string;
  isSuperuser?: boolean;
  isActive?: boolean;
  isBot?: boolean;
  /** PUT: username and full name are required. */
  replace: boolean;
}

const auditable = ['username', 'fullName', 'email', 'isSuperuser', 'isActive', 'isBot'] as const;

export async function updateUser(on: Identity, caller: Caller, id: number, changes: UserChanges): Promise<User> {
  requireOnSite(caller, 'user.edit');
  const problems = new Problems();
  if (changes.username !== undefined || changes.replace) checkUsername(problems, changes.username);
  if (changes.fullName !== undefined || changes.replace) checkFullName(problems, changes.fullName);
  if (changes.email !== undefined) checkEmail(problems, changes.email);
  const updated = await reportTaken(() =>
    on.users.update(id, (current) => {
      refuseEdit(caller, current, changes);
      raise(problems);
      const next = apply(current, changes);
      const changed = changedFields(current, next, auditable);
      if (changed.length === 0) return undefined;
      const deed = { action: 'user.update', kind: 'user' as const, id, details: { changed } };
      return { next, announce: announce(on, caller, deed, [id]) };
    }),
  );
  if (!updated) throw notFound('The user');
  return updated;
}

function refuseEdit(caller: Caller, current: User, changes: UserChanges): void {
  if (current.deleted) refuse(caller, 'A deleted user cannot be changed.');
  if (current.id === ANONYMOUS_ID) refuse(caller, 'The anonymous user cannot be changed.');
  const touchesSuperuser = current.isSuperuser || changes.isSuperuser === true;
  if (touchesSuperuser && !caller.principal.isSuperuser) refuse(caller, 'Only superusers can change superusers.');
}

function apply(current: User, changes: UserChanges): User {
  return {
    ...current,
    username: changes.username ?? current.username,
    fullName: changes.fullName ?? current.fullName,
    email: changes.email === undefined ? current.email : changes.email || null,
    isSuperuser: changes.isSuperuser ?? current.isSuperuser,
    isActive: changes.isActive ?? current.isActive,
    // A project token's user stays a bot: what it may reach depends on it.
    isBot: current.projectId === 0 ? (changes.isBot ?? current.isBot) : true,
  };
}
