import { type Implementation, pageOf } from '@parlance/grpc-kit';
import { createLabel, deleteLabel, listLabels } from '../app/projects/labels';
import type { Deps } from '../app/deps';
import { labelToProto } from './mappers';
import { toRequestContext, uniqueBatch, requireMessage } from './requests';

/** gRPC handlers of projects' labels. */
export function labelHandlers(
  deps: Deps,
): Pick<Implementation<'catalog'>, 'listLabels' | 'batchGetLabels' | 'createLabel' | 'deleteLabel'> {
  return {
    async listLabels(request, call) {
      const { items, total } = await listLabels(deps, toRequestContext(call), request.projectId, pageOf(request.page));
      return { labels: items.map(labelToProto), total };
    },
    async batchGetLabels(request) {
      return { labels: (await deps.labels.byIds(uniqueBatch(request.ids))).map(labelToProto) };
    },
    async createLabel(request, call) {
      return {
        label: labelToProto(
          await createLabel(deps, toRequestContext(call), request.projectId, requireMessage(request.label, 'label')),
        ),
      };
    },
    async deleteLabel(request, call) {
      await deleteLabel(deps, toRequestContext(call), request.projectId, request.id);
      return {};
    },
  };
}
