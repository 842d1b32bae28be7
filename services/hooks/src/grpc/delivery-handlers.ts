import { type Implementation, pageOf, requireId } from '@parlance/grpc-kit';
import {
  deleteDelivery,
  getDelivery,
  listDeliveries,
  retryDelivery,
  type OutboundDeps,
} from '../app/outbound/subscriptions';
import { deliveryToWire, stateFromWire } from './mappers';

/** gRPC handlers of outbound deliveries. */
export function deliveryHandlers(
  outbound: OutboundDeps,
): Pick<Implementation<'hooks'>, 'listDeliveries' | 'getDelivery' | 'retryDelivery' | 'deleteDelivery'> {
  return {
    async listDeliveries(request, context) {
      const { skip, size } = pageOf(request.page);
      const { deliveries, total } = await listDeliveries(
        outbound,
        {
          subscriptionId: request.subscriptionId && requireId(request.subscriptionId, 'subscription_id'),
          state: stateFromWire(request.state),
        },
        skip,
        size,
        context,
      );
      return { deliveries: deliveries.map(deliveryToWire), total };
    },
    async getDelivery(request, context) {
      return { delivery: deliveryToWire(await getDelivery(outbound, request.id, context)) };
    },
    async retryDelivery(request, context) {
      return { delivery: deliveryToWire(await retryDelivery(outbound, request.id, context)) };
    },
    async deleteDelivery(request, context) {
      await deleteDelivery(outbound, request.id, context);
      return {};
    },
  };
}
