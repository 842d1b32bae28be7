import type { RequestContext } from '../deps';
import { holds } from '../rights';

/** Whether the caller sees more of users than their names. */
export function seesUsersInFull(context: RequestContext): boolean {
  return holds(context, 'user.view', 'user.edit');
}
