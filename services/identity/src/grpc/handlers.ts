import type { Implementation } from '@parlance/grpc-kit';
import type { Identity } from '../app/identity';
import { groupMethods } from './groups';
import { secondFactorMethods } from './second-factors';
import { tokenMethods } from './tokens';
import { userMethods } from './users';

/** Everything that the contract asks for. */
export function handlers(on: Identity): Implementation<'identity'> {
  return { ...userMethods(on), ...groupMethods(on), ...tokenMethods(on), ...secondFactorMethods(on) };
}
