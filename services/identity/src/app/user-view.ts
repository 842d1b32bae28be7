import type { User } from '../domain/user';
import type { Caller } from './identity';
import { holds } from './rights';

/** A user as one caller may see it. */
export interface UserView {
  user: User;
  /** Everything may be shown; else only id, username and full name. */
  full: boolean;
}

/** Whether the caller sees more of users than their names. */
export function seesUsersInFull(caller: Caller): boolean {
  return holds(caller, 'user.view', 'user.edit');
}
