import { can } from '@parlance/access';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { type Implementation, pageOf, requireId } from '@parlance/grpc-kit';
import {
  createSubscription,
  deleteDelivery,
  deleteSubscription,
  getDelivery,
  getSubscription,
  listDeliveries,
  listSubscriptions,
  retryDelivery,
  updateSubscription,
  type OutboundDeps,
} from '../app/outbound/subscriptions';
import { measuredReceive } from '../app/measured-receive';
import type { ReceiveDeps } from '../app/receive';
import { updateComponent, updateProject } from '../app/update';
import { deliveryToWire, inboundToWire, outcomeToWire, subscriptionToWire } from './mappers';
import { kindOf, withReceived } from './requests';

/** gRPC handlers of the hooks service. */
export function makeHandlers(inbound: ReceiveDeps, outbound: OutboundDeps): Implementation<'hooks'> {
  return {
    async receive(requests, context) {
      const result = await withReceived(requests, (received) => measuredReceive(inbound, received, context));
      return {
        outcome: outcomeToWire[result.outcome],
        repositoryMatches: result.repositoryMatches,
        branchMatches: result.branchMatches,
        enabledHookMatches: result.enabledMatches,
        updatedComponentIds: result.componentIds,
        taskIds: result.taskIds,
        message: result.message,
        repeatedDelivery: result.repeated,
      };
    },
    updateProject: (request, context) => updateProject(inbound, requireId(request.projectId, 'project_id'), context),
    updateComponent: (request, context) =>
      updateComponent(inbound, requireId(request.componentId, 'component_id'), context),
    async listInboundDeliveries(request, context) {
      const projectId = requireId(request.projectId, 'project_id');
      const { skip, size } = pageOf(request.page);
      const project = await inbound.catalog.project(projectId, context);
      if (!project) throw new ServiceError('NOT_FOUND');
      if (!can(context.caller, 'project.edit', { projectId, accessControl: project.accessControl }))
        throw new ServiceError('PERMISSION_DENIED');
      const { deliveries, total } = await inbound.inbound.ofProject(projectId, skip, size);
      return { deliveries: deliveries.map((d) => inboundToWire(d, projectId)), total };
    },

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

    async listDeliveries(request, context) {
      const { skip, size } = pageOf(request.page);
      const { deliveries, total } = await listDeliveries(
        outbound,
        requireId(request.subscriptionId, 'subscription_id'),
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
