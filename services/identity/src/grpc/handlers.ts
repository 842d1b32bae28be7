import type { Implementation } from '@parlance/grpc-kit';
import type { Deps } from '../app/deps';
import { authenticationMethods } from './authentication';
import { groupMethods } from './groups';
import { roleMethods } from './roles';
import { secondFactorMethods } from './second-factors';
import { sessionMethods } from './sessions';
import { subscriptionMethods } from './subscriptions';
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
  return {
    ...authenticationMethods(deps),
    ...sessionMethods(deps),
    ...userMethods(deps),
    ...subscriptionMethods(deps),
    ...groupMethods(deps),
    ...roleMethods(deps),
    ...tokenMethods(deps),
    ...secondFactorMethods(deps),
  };
}
