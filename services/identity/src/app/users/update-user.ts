import { checkExpiry, Problems } from '../../domain/problems';
import { ANONYMOUS_ID, checkEmail, checkFullName, checkUsername, endedCredentials, type User } from '../../domain/user';
import { announce, changedFields } from '../audit/audit-action';
import { notFound, throwIfInvalid, reportTaken } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { denyAccess, requireOnSite } from '../rights';

export interface UserChanges {
  username?: string;
  fullName?: string;
  email?: string;
  isSuperuser?: boolean;
  isActive?: boolean;
  isBot?: boolean;
  /** 0: never. */
  dateExpiresMs?: number;
  /** PUT: username and full name are required. */
  replace: boolean;
}

const auditable = ['username', 'fullName', 'email', 'isSuperuser', 'isActive', 'isBot', 'dateExpiresMs'] as const;

export async function updateUser(
  deps: Pick<Deps, 'users' | 'webCredentials' | 'now'>,
  context: RequestContext,
  id: number,
  changes: UserChanges,
): Promise<User> {
  requireOnSite(context, 'user.edit');
  const problems = new Problems(context.problems);
  if (changes.username !== undefined || changes.replace) checkUsername(problems, changes.username);
  if (changes.fullName !== undefined || changes.replace) checkFullName(problems, changes.fullName);
  if (changes.email !== undefined) checkEmail(problems, changes.email);
  await checkFree(deps, problems, id, changes);
  const now = deps.now();
  const updated = await reportTaken(() =>
    deps.users.update(id, (current) => {
      checkEditable(context, current, changes);
      const { dateExpiresMs } = changes;
      // An unchanged date is accepted even if it has passed.
      if (dateExpiresMs !== undefined && dateExpiresMs !== current.dateExpiresMs)
        checkExpiry(problems, 'date_expires', dateExpiresMs, now);
      throwIfInvalid(problems);
      const next = apply(current, changes);
      const changed = changedFields(current, next, auditable);
      if (changed.length === 0) return undefined;
      const action = { action: 'user.update', kind: 'user' as const, id, details: { changed } };
      return { next, announce: announce(deps, context, action, [id]) };
    }),
  );
  if (!updated) throw notFound('The user');
  if (changes.isActive === false) await deps.webCredentials.removeOf(id);
  return updated;
}

/** Reports taken names and addresses with the other problems. Unique indexes decide between concurrent writers. */
async function checkFree(
  deps: Pick<Deps, 'users'>,
  problems: Problems,
  id: number,
  changes: UserChanges,
): Promise<void> {
  const { username, email } = changes;
  if (username !== undefined && problems.clean('username')) {
    const other = await deps.users.byName(username);
    if (other && other.id !== id) problems.add('username', 'unique', 'This username is already taken.');
  }
  if (email && problems.clean('email')) {
    const other = await deps.users.byEmail(email);
    if (other && other.id !== id) problems.add('email', 'unique', 'This mail address is already used by another user.');
  }
}

function checkEditable(context: RequestContext, current: User, changes: UserChanges): void {
  if (current.deleted) denyAccess(context, 'A deleted user cannot be changed.');
  if (current.id === ANONYMOUS_ID) denyAccess(context, 'The anonymous user cannot be changed.');
  const touchesSuperuser = current.isSuperuser || changes.isSuperuser === true;
  if (touchesSuperuser && !context.caller.isSuperuser) denyAccess(context, 'Only superusers can change superusers.');
}

function apply(current: User, changes: UserChanges): User {
  const dateExpiresMs = changes.dateExpiresMs ?? current.dateExpiresMs;
  return {
    ...current,
    dateExpiresMs,
    // A project token's user and token expire together.
    tokens:
      current.projectId === 0 || dateExpiresMs === current.dateExpiresMs
        ? current.tokens
        : current.tokens.map((token) => ({ ...token, expiresMs: dateExpiresMs })),
    username: changes.username ?? current.username,
    fullName: changes.fullName ?? current.fullName,
    email: changes.email === undefined ? current.email : changes.email || null,
    isSuperuser: changes.isSuperuser ?? current.isSuperuser,
    isActive: changes.isActive ?? current.isActive,
    // The sessions of a user who is activated again do not come back.
    ...(changes.isActive === false && current.isActive ? endedCredentials(current) : {}),
    // A project token's user stays a bot, because its access depends on it.
    isBot: current.projectId === 0 ? (changes.isBot ?? current.isBot) : true,
  };
}
