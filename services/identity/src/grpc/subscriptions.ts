import type { Implementation } from '@parlance/grpc-kit';
import type { Deps } from '../app/deps';
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  listSubscriptions,
  updateSubscription,
} from '../app/notifications/subscriptions';
import { sliceOf } from '../app/page-request';
import { subscriptionToProto } from './mappers';

/** gRPC handlers of users' notification subscriptions. */
export function subscriptionMethods(
  deps: Deps,
): Pick<
  Implementation<'identity'>,
  'listSubscriptions' | 'getSubscription' | 'createSubscription' | 'updateSubscription' | 'deleteSubscription'
> {
  return {
    async listSubscriptions(request, context) {
      const page = await listSubscriptions(deps, context, request.userId, sliceOf(request.page));
      return { subscriptions: page.items.map((s) => subscriptionToProto(request.userId, s)), total: page.total };
    },
    async getSubscription(request, context) {
      const subscription = await getSubscription(deps, context, request.userId, request.id);
      return { subscription: subscriptionToProto(request.userId, subscription) };
    },
    async createSubscription(request, context) {
      const subscription = await createSubscription(deps, context, request.userId, request);
      return { subscription: subscriptionToProto(request.userId, subscription) };
    },
    async updateSubscription(request, context) {
      const subscription = await updateSubscription(deps, context, request.userId, request.id, request);
      return { subscription: subscriptionToProto(request.userId, subscription) };
    },
    async deleteSubscription(request, context) {
      await deleteSubscription(deps, context, request.userId, request.id);
      return {};
    },
  };
}
