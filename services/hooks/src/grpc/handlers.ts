import type { Implementation } from '@parlance/grpc-kit';
import type { OutboundDeps } from '../app/outbound/subscriptions';
import type { ReceiveDeps } from '../app/receive';
import { deliveryHandlers } from './delivery-handlers';
import { inboundHandlers } from './inbound-handlers';
import { subscriptionHandlers } from './subscription-handlers';

/** gRPC handlers of the hooks service. */
export function makeHandlers(inbound: ReceiveDeps, outbound: OutboundDeps): Implementation<'hooks'> {
  return { ...inboundHandlers(inbound), ...subscriptionHandlers(outbound), ...deliveryHandlers(outbound) };
}
