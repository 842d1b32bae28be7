import { can } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import { type CallContext, type Implementation, pageOf, requireId, requireService } from '@parlance/grpc-kit';
import { measuredReceive } from '../app/measured-receive';
import type { ReceiveDeps } from '../app/receive';
import { repeatDelivery } from '../app/repeat-delivery';
import { updateComponent, updateProject } from '../app/update';
import { inboundToWire, outcomeToWire } from './mappers';
import { withReceived } from './requests';

/** gRPC handlers of notifications from git hosts. */
export function inboundHandlers(
  inbound: ReceiveDeps,
): Pick<
  Implementation<'hooks'>,
  'receive' | 'updateProject' | 'updateComponent' | 'listInboundDeliveries' | 'repeatInboundDelivery'
> {
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
      const projectId = request.projectId && requireId(request.projectId, 'project_id');
      const { skip, size } = pageOf(request.page);
      if (projectId === 0) requireService(context.caller);
      else await requireProject(inbound, projectId, context);
      const { deliveries, total } = await inbound.inbound.ofProject(projectId, skip, size);
      return { deliveries: deliveries.map((d) => inboundToWire(d, projectId)), total };
    },
    async repeatInboundDelivery(request, context) {
      requireService(context.caller);
      return { delivery: inboundToWire(await repeatDelivery(inbound, request.id), 0) };
    },
  };
}

async function requireProject(inbound: ReceiveDeps, projectId: number, context: CallContext): Promise<void> {
  const project = await inbound.catalog.project(projectId, context);
  if (!project) throw new ServiceError('NOT_FOUND');
  if (!can(context.caller, 'project.edit', { projectId, accessControl: project.accessControl }))
    throw new ServiceError('PERMISSION_DENIED');
}
