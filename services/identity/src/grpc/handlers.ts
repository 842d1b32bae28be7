import type { Implementation } from '@parlance/grpc-kit';
import type { Identity } from '../app/deps';
import { groupMethods } from './groups';
import { secondFactorMethods } from './second-factors';
import { tokenMethods } from './tokens';
import { userMethods } from './users';

/** Methods that say everything that is wrong with a request: their use cases collect it in `Problems` and `raise` it. */
export const completing = [
  'createUser',
  'updateUser',
  'createSubscription',
  'updateSubscription',
  'createRole',
  'updateRole',
  'createGroup',
  'updateGroup',
  'createPersonalToken',
  'createProjectToken',
] as const satisfies (keyof Implementation<'identity'>)[];

/** Everything that the contract asks for. */
export function handlers(on: Identity): Implementation<'identity'> {
  return { ...userMethods(on), ...groupMethods(on), ...tokenMethods(on), ...secondFactorMethods(on) };
}
