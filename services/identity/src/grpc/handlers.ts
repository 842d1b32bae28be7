import type { Implementation } from '@parlance/grpc-kit';
import type { Deps } from '../app/deps';
import { groupMethods } from './groups';
import { secondFactorMethods } from './second-factors';
import { tokenMethods } from './tokens';
import { userMethods } from './users';

/** Methods that report all problems of a request: their use cases collect them in `Problems`. */
export const reportsAllProblems = [
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

/** gRPC handlers of identity. */
export function handlers(deps: Deps): Implementation<'identity'> {
  return { ...userMethods(deps), ...groupMethods(deps), ...tokenMethods(deps), ...secondFactorMethods(deps) };
}
