import type { catalog } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import { type Implementation, pageOf } from '@parlance/grpc-kit';
import { createComponent } from '../app/components/create-component';
import { deleteComponent } from '../app/components/delete-component';
import { readComponent } from '../app/find-objects';
import { listComponentIds, pageOfComponents, visibleByIds } from '../app/components/list-components';
import type { Deps } from '../app/deps';
import { updateComponent } from '../app/components/update-component';
import { componentViews } from '../app/views';
import { requireService } from '../app/visibility';
import { componentToResponse, listToResponse } from './component-response';
import { toRequestContext, uniqueBatch, requireMessage, readUpload } from './requests';

const createRequestFromProto = (request: catalog.CreateComponentRequest__Output) => ({
  projectId: request.projectId,
  input: { ...requireMessage(request.component, 'component') },
  disableAutoshare: request.disableAutoshare,
});

/** gRPC handlers that read components. */
export function componentReadHandlers(
  deps: Deps,
): Pick<Implementation<'catalog'>, 'getComponent' | 'batchGetComponents' | 'listComponents' | 'listComponentIds'> {
  return {
    async getComponent(request, call) {
      const context = toRequestContext(call);
      if (request.withCredentials) requireService(context);
      return componentToResponse(deps, context, await readComponent(deps, context, request), request.withCredentials);
    },
    async batchGetComponents(request, call) {
      const context = toRequestContext(call);
      const { components, projects } = await visibleByIds(deps, context, uniqueBatch(request.ids));
      return listToResponse(await componentViews(deps, context, components, projects));
    },
    async listComponents(request, call) {
      const context = toRequestContext(call);
      const { items, total } = await pageOfComponents(deps, context, request, pageOf(request.page));
      return { ...listToResponse(await componentViews(deps, context, items)), total };
    },
    async listComponentIds(request, call) {
      const { projectId, categoryId, componentListId } = request;
      if ([projectId, categoryId, componentListId].filter(Boolean).length !== 1) {
        throw fieldErrors([
          {
            attr: 'project_id',
            code: 'invalid',
            detail: 'Exactly one of project, category and component list is required.',
          },
        ]);
      }
      const links = request.onlyLinks ? 'only' : request.withLinks ? 'with' : 'without';
      return { ids: await listComponentIds(deps, toRequestContext(call), request, links) };
    },
  };
}

/** gRPC handlers that create, change and delete components. */
export function componentWriteHandlers(
  deps: Deps,
): Pick<
  Implementation<'catalog'>,
  'createComponent' | 'createComponentFromFile' | 'updateComponent' | 'deleteComponent'
> {
  return {
    async createComponent(request, call) {
      const context = toRequestContext(call);
      return componentToResponse(deps, context, await createComponent(deps, context, createRequestFromProto(request)));
    },
    async createComponentFromFile(requests, call) {
      const context = toRequestContext(call);
      const { request, file } = await readUpload(requests);
      return componentToResponse(
        deps,
        context,
        await createComponent(deps, context, { ...createRequestFromProto(request), file }),
      );
    },
    async updateComponent(request, call) {
      const context = toRequestContext(call);
      return componentToResponse(
        deps,
        context,
        await updateComponent(
          deps,
          context,
          request.id,
          { ...requireMessage(request.component, 'component') },
          request.replace,
        ),
      );
    },
    async deleteComponent(request, call) {
      await deleteComponent(deps, toRequestContext(call), request.id);
      return {};
    },
  };
}
