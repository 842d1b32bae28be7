import type { RequestContext } from '../deps';
import { holdsOnSite } from '../rights';

/** Whether the caller sees all fields of users. */
export function seesUsersInFull(context: RequestContext): boolean {
  return holdsOnSite(context, 'user.view', 'user.edit');
}
