import { IdSequences } from '@parlance/store-kit';
import type { Connection } from 'mongoose';
import { defaultGroups, defaultRoles } from '../domain/permissions/defaults';
import { ANONYMOUS_ID } from '../domain/user';

/** Objects that get integer ids. */
type Sequence =
  'users' | 'tokens' | 'secondFactors' | 'subscriptions' | 'groups' | 'roles' | 'mails' | 'audit' | 'webCredentials';
export type Ids = IdSequences<Sequence>;

/** Ids of users' objects start above those of the defaults. */
export function makeIds(connection: Connection): Ids {
  const above = { users: ANONYMOUS_ID, groups: defaultGroups().length, roles: defaultRoles([]).length };
  // They are created often, and no list has them in the order of their ids.
  const blocks = { size: 20, of: ['mails', 'audit', 'webCredentials'] } as const;
  return new IdSequences<Sequence>(connection.collection('counters'), { above, blocks });
}
