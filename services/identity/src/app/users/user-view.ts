import type { RequestContext } from '../deps';
import { holdsOnSite } from '../rights';

/** Whether the caller sees more of users than their names. */
export function seesUsersInFull(context: RequestContext): boolean {
  return holdsOnSite(context, 'user.view', 'user.edit');
}
