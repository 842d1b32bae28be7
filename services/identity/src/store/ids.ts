import { BlockIds } from '@parlance/store-kit';
import type { Connection } from 'mongoose';
import { defaultGroups, defaultRoles } from '../domain/permissions/defaults';
import { ANONYMOUS_ID } from '../domain/user';

/** Objects that get integer ids. */
type Sequence =
  'users' | 'tokens' | 'secondFactors' | 'subscriptions' | 'groups' | 'roles' | 'mails' | 'audit' | 'webCredentials';
export type Ids = BlockIds<Sequence>;

/** Ids of users' objects start above those of the defaults. */
export function makeIds(connection: Connection): Ids {
  const above = { users: ANONYMOUS_ID, groups: defaultGroups().length, roles: defaultRoles([]).length };
  return new BlockIds<Sequence>(connection.collection('counters'), 20, above);
}
