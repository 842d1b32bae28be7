import { type Implementation, pageOf } from '@parlance/grpc-kit';
import { listLinked, revokeLinked } from '../app/linking/linked-components';
import { createLink, deleteLink, deleteShared, listLinks, listShared } from '../app/linking/links';
import { matchRepositories } from '../app/linking/match-repositories';
import type { Deps } from '../app/deps';
import { projectViews } from '../app/views';
import { componentToResponse } from './component-response';
import { linkedToProto, matchToProto, projectToProto } from './mappers';
import { toRequestContext } from './requests';

/** gRPC handlers of components that several projects or components share. */
export function linkHandlers(
  deps: Deps,
): Pick<
  Implementation<'catalog'>,
  | 'matchRepositories'
  | 'listLinks'
  | 'createLink'
  | 'deleteLink'
  | 'listSharedComponents'
  | 'deleteSharedComponent'
  | 'listLinkedComponents'
  | 'deleteLinkedComponent'
> {
  return {
    async matchRepositories(request, call) {
      return { matches: (await matchRepositories(deps, toRequestContext(call), request)).map(matchToProto) };
    },
    async listLinks(request, call) {
      const context = toRequestContext(call);
      const { items, total } = await listLinks(deps, context, request.componentId, pageOf(request.page));
      return { projects: (await projectViews(deps, context, items)).map((view) => projectToProto(view)), total };
    },
    async createLink(request, call) {
      const context = toRequestContext(call);
      return componentToResponse(
        deps,
        context,
        await createLink(deps, context, request.componentId, request.projectSlug),
      );
    },
    async deleteLink(request, call) {
      await deleteLink(deps, toRequestContext(call), request.componentId, request.projectSlug);
      return {};
    },
    async listSharedComponents({ projectId, page }, call) {
      const { items, total } = await listShared(deps, toRequestContext(call), projectId, pageOf(page));
      return { components: items.map(linkedToProto), total };
    },
    async deleteSharedComponent({ projectId, componentId }, call) {
      await deleteShared(deps, toRequestContext(call), projectId, componentId);
      return {};
    },
    async listLinkedComponents({ componentId, page }, call) {
      const { items, total } = await listLinked(deps, toRequestContext(call), componentId, pageOf(page));
      return { components: items.map(linkedToProto), total };
    },
    async deleteLinkedComponent({ componentId, linkedComponentId }, call) {
      return { taskId: await revokeLinked(deps, toRequestContext(call), componentId, linkedComponentId) };
    },
  };
}
