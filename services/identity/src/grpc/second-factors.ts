import type { Implementation } from '@parlance/grpc-kit';
import type { Deps } from '../app/deps';
import {
  confirmSecondFactor,
  createSecondFactor,
  deleteSecondFactor,
  getSecondFactor,
  listSecondFactors,
} from '../app/second-factors/second-factors';
import { finishSecurityKey, startSecurityKey } from '../app/second-factors/security-keys';
import { sliceOf } from '../app/page-request';

type Methods = Pick<
  Implementation<'identity'>,
  | 'listSecondFactors'
  | 'getSecondFactor'
  | 'createSecondFactor'
  | 'confirmSecondFactor'
  | 'deleteSecondFactor'
  | 'startSecurityKey'
  | 'finishSecurityKey'
>;

/** gRPC handlers of second factors. */
export function secondFactorMethods(deps: Deps): Methods {
  return {
    async listSecondFactors(request, context) {
      const page = await listSecondFactors(deps, context, request.userId, sliceOf(request.page));
      return { factors: page.items, total: page.total };
    },
    async getSecondFactor(request, context) {
      return { factor: await getSecondFactor(deps, context, request.userId, request.id) };
    },
    async createSecondFactor(request, context) {
      return createSecondFactor(deps, context, request);
    },
    async confirmSecondFactor(request, context) {
      return { factor: await confirmSecondFactor(deps, context, request) };
    },
    async startSecurityKey(request, context) {
      return { options: await startSecurityKey(deps, context, request) };
    },
    async finishSecurityKey(request, context) {
      return { factor: await finishSecurityKey(deps, context, request) };
    },
    async deleteSecondFactor(request, context) {
      await deleteSecondFactor(deps, context, request.userId, request.id, request);
      return {};
    },
  };
}
