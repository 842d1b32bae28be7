import type { Caller } from './identity';
import { holds } from './rights';

/** Whether the caller sees more of users than their names. */
export function seesUsersInFull(caller: Caller): boolean {
  return holds(caller, 'user.view', 'user.edit');
}
