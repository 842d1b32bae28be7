import type { Implementation } from '@parlance/grpc-kit';
import type { Identity } from '../app/identity';
import {
  confirmSecondFactor,
  createSecondFactor,
  deleteSecondFactor,
  getSecondFactor,
  listSecondFactors,
} from '../app/second-factors';
import { sliceOf } from '../app/slice';
import { callerOf } from './mappers';

type Methods = Pick<
  Implementation<'identity'>,
  'listSecondFactors' | 'getSecondFactor' | 'createSecondFactor' | 'confirmSecondFactor' | 'deleteSecondFactor'
>;

/** Second factors. */
export function secondFactorMethods(on: Identity): Methods {
  return {
    async listSecondFactors(request, context) {
      const page = await listSecondFactors(on, callerOf(context), request.userId, sliceOf(request.page));
      return { factors: page.items, total: page.total };
    },
    async getSecondFactor(request, context) {
      return { factor: await getSecondFactor(on, callerOf(context), request.userId, request.id) };
    },
    async createSecondFactor(request, context) {
      return createSecondFactor(on, callerOf(context), request);
    },
    async confirmSecondFactor(request, context) {
      return { factor: await confirmSecondFactor(on, callerOf(context), request) };
    },
    async deleteSecondFactor(request, context) {
      await deleteSecondFactor(on, callerOf(context), request.userId, request.id, request);
      return {};
    },
  };
}
