import { fieldErrors } from '@parlance/errors';
import { type Implementation, pageOf, requireId } from '@parlance/grpc-kit';
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  listSubscriptions,
  updateSubscription,
  type OutboundDeps,
} from '../app/outbound/subscriptions';
import { subscriptionToWire } from './mappers';
import { kindOf } from './requests';

/** gRPC handlers of outbound subscriptions. */
export function subscriptionHandlers(
  outbound: OutboundDeps,
): Pick<
  Implementation<'hooks'>,
  'listSubscriptions' | 'getSubscription' | 'createSubscription' | 'updateSubscription' | 'deleteSubscription'
> {
  return {
    async listSubscriptions(request, context) {
      const { skip, size } = pageOf(request.page);
      const { subscriptions, total } = await listSubscriptions(outbound, request.projectId, skip, size, context);
      return { subscriptions: subscriptions.map(subscriptionToWire), total };
    },
    async getSubscription(request, context) {
      return {
        subscription: subscriptionToWire(await getSubscription(outbound, requireId(request.id, 'id'), context)),
      };
    },
    async createSubscription(request, context) {
      const { projectId, componentId, webhookUrl: url, events, secret, payloadKind, addonId } = request;
      const input = {
        projectId,
        componentId,
        url,
        events,
        secret,
        kind: kindOf(payloadKind) ?? 'change',
        addonId,
        validateOnly: request.validateOnly,
      } as const;
      const made = await createSubscription(outbound, input, context);
      return made ? { subscription: subscriptionToWire(made) } : {};
    },
    async updateSubscription(request, context) {
      const patch = {
        url: request.webhookUrl,
        events: request.hasEvents ? request.events : undefined,
        secret: request.secret,
        enabled: request.enabled,
        kind: kindOf(request.payloadKind),
      };
      return {
        subscription: subscriptionToWire(
          await updateSubscription(outbound, requireId(request.id, 'id'), patch, context),
        ),
      };
    },
    async deleteSubscription(request, context) {
      if (!request.id && !request.addonId)
        throw fieldErrors([{ attr: 'id', code: 'required', detail: 'An id or an add-on is required.' }]);
      await deleteSubscription(outbound, request, context);
      return {};
    },
  };
}
