import { ServiceError } from '@parlance/errors';
import type { User } from '../domain/user';
import { notFound } from './fields';
import type { Caller, Identity } from './identity';

/** One user by id or, when the id is 0, by name. Anonymous callers see nobody, bots see themselves. */
export async function getUser(
  on: Identity,
  caller: Caller,
  wanted: { id: number; username: string; email?: string },
): Promise<User> {
  const { id, username, email } = wanted;
  const named = () => (email && caller.principal.service ? on.users.byEmail(email) : on.users.byName(username));
  const user = id === 0 ? await named() : await on.users.get(id);
  const { anonymous, onlyProjects, userId } = caller.principal;
  if (!user || anonymous || (onlyProjects && user.id !== userId)) throw notFound('The user');
  return user;
}

/** Names for presenting histories. @throws INVALID when more are asked for than one answer may hold */
export async function batchGetUsers(on: Identity, ids: readonly number[]): Promise<User[]> {
  if (ids.length > 10_000) throw new ServiceError('INVALID', { message: 'At most 10 000 users can be asked for.' });
  return ids.length === 0 ? [] : on.users.many([...new Set(ids)]);
}
