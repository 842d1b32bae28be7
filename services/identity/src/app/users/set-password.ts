import { Problems } from '../../domain/problems';
import { randomText } from '../../domain/sign-in/token';
import { ANONYMOUS_ID, checkPassword, endedCredentials } from '../../domain/user';
import { announce } from '../audit/audit-action';
import { notFound, throwIfInvalid } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { denyAccess, requireSuperuser } from '../rights';

/** Sets a password, or generates one if none is given. @returns the generated password, otherwise '' */
export async function setPassword(
  deps: Pick<Deps, 'users' | 'webCredentials' | 'passwords' | 'now'>,
  context: RequestContext,
  userId: number,
  given: string,
): Promise<string> {
  requireSuperuser(context);
  const problems = new Problems();
  if (given !== '') checkPassword(problems, given);
  throwIfInvalid(problems);
  const password = given === '' ? randomText(24) : given;
  const passwordHash = await deps.passwords.hash(password);
  const updated = await deps.users.update(userId, (user) => {
    if (user.deleted || user.id === ANONYMOUS_ID || user.projectId !== 0)
      denyAccess(context, 'This user cannot sign in.');
    const action = { action: 'user.password.set', kind: 'user' as const, id: userId };
    const next = { ...user, passwordHash, ...endedCredentials(user) };
    return { next, announce: announce(deps, context, action, [userId]) };
  });
  if (!updated) throw notFound('The user');
  await deps.webCredentials.removeOf(userId);
  return given === '' ? password : '';
}
