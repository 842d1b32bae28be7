import type { Page, PageRequest } from '../../domain/ports';
import type { User } from '../../domain/user';
import type { RequestContext, Deps } from '../deps';
import { seesUsersInFull } from './user-view';

/** All users for those who manage users; else only the caller, and nobody for anonymous callers. */
export async function listUsers(
  deps: Pick<Deps, 'users'>,
  context: RequestContext,
  filter: { usernamePrefix: string; id: number },
  page: PageRequest,
): Promise<Page<User>> {
  const own = context.caller.userId;
  const query = {
    ...(filter.usernamePrefix === '' ? {} : { usernamePrefix: filter.usernamePrefix }),
    ...(filter.id === 0 ? {} : { id: filter.id }),
  };
  if (seesUsersInFull(context)) return deps.users.list(query, page);
  if (own === 0 || (filter.id !== 0 && filter.id !== own)) return { items: [], total: 0 };
  return deps.users.list({ ...query, id: own }, page);
}
