import type { Page, Slice } from '../../domain/ports';
import type { User } from '../../domain/user';
import type { RequestContext, Identity } from '../deps';
import { seesUsersInFull } from './user-view';

/** All users for those who manage users; else only the caller, and nobody for anonymous callers. */
export async function listUsers(
  on: Identity,
  context: RequestContext,
  filter: { usernamePrefix: string; id: number },
  slice: Slice,
): Promise<Page<User>> {
  const own = context.caller.userId;
  const query = {
    ...(filter.usernamePrefix === '' ? {} : { usernamePrefix: filter.usernamePrefix }),
    ...(filter.id === 0 ? {} : { id: filter.id }),
  };
  if (seesUsersInFull(context)) return on.users.list(query, slice);
  if (own === 0 || (filter.id !== 0 && filter.id !== own)) return { items: [], total: 0 };
  return on.users.list({ ...query, id: own }, slice);
}
