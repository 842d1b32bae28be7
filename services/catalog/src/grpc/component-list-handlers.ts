import { type Implementation, pageOf } from '@parlance/grpc-kit';
import {
  addToComponentList,
  createComponentList,
  deleteComponentList,
  getComponentList,
  listComponentLists,
  removeFromComponentList,
  updateComponentList,
} from '../app/lists/component-lists';
import type { Deps } from '../app/deps';
import { listToProto } from './mappers';
import { toRequestContext, requireMessage } from './requests';

/** gRPC handlers of component lists. */
export function componentListHandlers(
  deps: Deps,
): Pick<
  Implementation<'catalog'>,
  | 'listComponentLists'
  | 'getComponentList'
  | 'createComponentList'
  | 'updateComponentList'
  | 'deleteComponentList'
  | 'addToComponentList'
  | 'removeFromComponentList'
> {
  return {
    async listComponentLists(request, call) {
      const { items, total } = await listComponentLists(deps, toRequestContext(call), pageOf(request.page));
      return { componentLists: items.map(listToProto), total };
    },
    async getComponentList(request, call) {
      return { componentList: listToProto(await getComponentList(deps, toRequestContext(call), request)) };
    },
    async createComponentList(request, call) {
      return {
        componentList: listToProto(
          await createComponentList(
            deps,
            toRequestContext(call),
            requireMessage(request.componentList, 'component_list'),
          ),
        ),
      };
    },
    async updateComponentList(request, call) {
      const input = requireMessage(request.componentList, 'component_list');
      return {
        componentList: listToProto(
          await updateComponentList(deps, toRequestContext(call), request.id, input, request.replace),
        ),
      };
    },
    async deleteComponentList(request, call) {
      await deleteComponentList(deps, toRequestContext(call), request.id);
      return {};
    },
    async addToComponentList(request, call) {
      return {
        componentList: listToProto(
          await addToComponentList(deps, toRequestContext(call), request.id, request.componentId),
        ),
      };
    },
    async removeFromComponentList(request, call) {
      await removeFromComponentList(deps, toRequestContext(call), request.id, request.componentSlug);
      return {};
    },
  };
}
