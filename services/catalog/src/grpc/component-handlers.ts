import type { catalog } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { type Implementation, pageOf } from '@parlance/grpc-kit';
import { acceptAgreement, getAgreement } from '../app/components/agreements';
import { createComponent } from '../app/components/create-component';
import { deleteComponent } from '../app/components/delete-component';
import { readComponent } from '../app/find-objects';
import { listLinked, revokeLinked } from '../app/linking/linked-components';
import { createLink, deleteLink, deleteShared, listLinks, listShared } from '../app/linking/links';
import { setLock } from '../app/components/lock-components';
import { listComponentIds, pageOfComponents, visibleByIds } from '../app/components/list-components';
import { matchRepositories } from '../app/linking/match-repositories';
import type { RequestContext, Deps } from '../app/deps';
import { updateComponent } from '../app/components/update-component';
import { componentViews, fullAddresses, projectViews, type ComponentViews } from '../app/views';
import { requireService } from '../app/visibility';
import type { Component, Project } from '../domain/objects';
import { componentToProto, languageToProto, linkedToProto, matchToProto, projectToProto } from './mappers';
import { toRequestContext, uniqueBatch, requireMessage, readUpload } from './requests';

type Names =
  | 'getComponent'
  | 'batchGetComponents'
  | 'listComponents'
  | 'listComponentIds'
  | 'createComponent'
  | 'createComponentFromFile'
  | 'updateComponent'
  | 'deleteComponent'
  | 'setLock'
  | 'getAgreement'
  | 'acceptAgreement'
  | 'setComponentTask'
  | 'matchRepositories'
  | 'listLinks'
  | 'createLink'
  | 'deleteLink'
  | 'listSharedComponents'
  | 'deleteSharedComponent'
  | 'listLinkedComponents'
  | 'deleteLinkedComponent';

/** gRPC handlers of components, their locks and links. */
export function componentHandlers(deps: Deps): Pick<Implementation<'catalog'>, Names> {
  const lists = (views: ComponentViews) => ({
    components: views.components.map((view) => componentToProto(view)),
    projects: views.projects.map((view) => projectToProto(view)),
    languages: views.languages.map((language) => languageToProto({ language, inUse: true })),
  });
  const one = async (
    context: RequestContext,
    { component, project }: { component: Component; project: Project },
    withCredentials = false,
  ) => {
    const views = await componentViews(deps, context, [component], [project]);
    const view = views.components[0];
    const projectView = views.projects[0];
    const language = views.languages[0];
    if (!view || !projectView || !language) throw new ServiceError('NOT_FOUND');
    return {
      component: componentToProto(view, withCredentials ? fullAddresses(deps, view.owner) : undefined),
      project: projectToProto(projectView),
      sourceLanguage: languageToProto({ language, inUse: true }),
    };
  };
  const createRequestFromProto = (request: catalog.CreateComponentRequest__Output) => ({
    projectId: request.projectId,
    input: { ...requireMessage(request.component, 'component') },
    disableAutoshare: request.disableAutoshare,
  });
  return {
    async getComponent(request, call) {
      const context = toRequestContext(call);
      if (request.withCredentials) requireService(context);
      return one(context, await readComponent(deps, context, request), request.withCredentials);
    },
    async batchGetComponents(request, call) {
      const context = toRequestContext(call);
      const { components, projects } = await visibleByIds(deps, context, uniqueBatch(request.ids));
      return lists(await componentViews(deps, context, components, projects));
    },
    async listComponents(request, call) {
      const context = toRequestContext(call);
      const { items, total } = await pageOfComponents(deps, context, request, pageOf(request.page));
      return { ...lists(await componentViews(deps, context, items)), total };
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
    async createComponent(request, call) {
      const context = toRequestContext(call);
      return one(context, await createComponent(deps, context, createRequestFromProto(request)));
    },
    async createComponentFromFile(requests, call) {
      const context = toRequestContext(call);
      const { request, file } = await readUpload(requests);
      return one(context, await createComponent(deps, context, { ...createRequestFromProto(request), file }));
    },
    async updateComponent(request, call) {
      const context = toRequestContext(call);
      return one(
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
    async setLock(request, call) {
      await setLock(deps, toRequestContext(call), request.componentId, request.locked);
      return { locked: request.locked };
    },
    async getAgreement({ componentId, userId }, call) {
      return getAgreement(deps, toRequestContext(call), componentId, userId);
    },
    async acceptAgreement({ componentId, agreed }, call) {
      return acceptAgreement(deps, toRequestContext(call), componentId, agreed);
    },
    async setComponentTask(request, call) {
      requireService(toRequestContext(call));
      await deps.components.setTask(request.componentId, request.taskId, request.completed);
      await deps.announcer.written();
      return {};
    },
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
      return one(context, await createLink(deps, context, request.componentId, request.projectSlug));
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
