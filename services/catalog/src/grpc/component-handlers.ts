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
import { demandProcess } from '../app/visibility';
import type { Component, Project } from '../domain/objects';
import { componentToProto, languageToProto, linkedToProto, matchToProto, projectToProto } from './mappers';
import { requestContext, batch, needed, readUpload } from './requests';

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

/** Components, their locks and links. */
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
  const wishOf = (request: catalog.CreateComponentRequest__Output) => ({
    projectId: request.projectId,
    input: { ...needed(request.component, 'component') },
    disableAutoshare: request.disableAutoshare,
  });
  return {
    async getComponent(request, context) {
      const actor = requestContext(context);
      if (request.withCredentials) demandProcess(actor);
      return one(actor, await readComponent(deps, actor, request), request.withCredentials);
    },
    async batchGetComponents(request, context) {
      const actor = requestContext(context);
      const { components, projects } = await visibleByIds(deps, actor, batch(request.ids));
      return lists(await componentViews(deps, actor, components, projects));
    },
    async listComponents(request, context) {
      const actor = requestContext(context);
      const { items, total } = await pageOfComponents(deps, actor, request, pageOf(request.page));
      return { ...lists(await componentViews(deps, actor, items)), total };
    },
    async listComponentIds(request, context) {
      const { projectId, categoryId, componentListId } = request;
      if ([projectId, categoryId, componentListId].filter(Boolean).length !== 1) {
        throw fieldErrors([
          {
            attr: 'project_id',
            code: 'invalid',
            detail: 'Exactly one of project, category and component list is needed.',
          },
        ]);
      }
      const links = request.onlyLinks ? 'only' : request.withLinks ? 'with' : 'without';
      return { ids: await listComponentIds(deps, requestContext(context), request, links) };
    },
    async createComponent(request, context) {
      const actor = requestContext(context);
      return one(actor, await createComponent(deps, actor, wishOf(request)));
    },
    async createComponentFromFile(requests, context) {
      const actor = requestContext(context);
      const { request, file } = await readUpload(requests);
      return one(actor, await createComponent(deps, actor, { ...wishOf(request), file }));
    },
    async updateComponent(request, context) {
      const actor = requestContext(context);
      return one(
        actor,
        await updateComponent(deps, actor, request.id, { ...needed(request.component, 'component') }, request.replace),
      );
    },
    async deleteComponent(request, context) {
      await deleteComponent(deps, requestContext(context), request.id);
      return {};
    },
    async setLock(request, context) {
      await setLock(deps, requestContext(context), request.componentId, request.locked);
      return { locked: request.locked };
    },
    async getAgreement({ componentId, userId }, context) {
      return getAgreement(deps, requestContext(context), componentId, userId);
    },
    async acceptAgreement({ componentId, agreed }, context) {
      return acceptAgreement(deps, requestContext(context), componentId, agreed);
    },
    async setComponentTask(request, context) {
      demandProcess(requestContext(context));
      await deps.components.setTask(request.componentId, request.taskId, request.completed);
      await deps.announcer.written();
      return {};
    },
    async matchRepositories(request, context) {
      return { matches: (await matchRepositories(deps, requestContext(context), request)).map(matchToProto) };
    },
    async listLinks(request, context) {
      const actor = requestContext(context);
      const { items, total } = await listLinks(deps, actor, request.componentId, pageOf(request.page));
      return { projects: (await projectViews(deps, actor, items)).map((view) => projectToProto(view)), total };
    },
    async createLink(request, context) {
      const actor = requestContext(context);
      return one(actor, await createLink(deps, actor, request.componentId, request.projectSlug));
    },
    async deleteLink(request, context) {
      await deleteLink(deps, requestContext(context), request.componentId, request.projectSlug);
      return {};
    },
    async listSharedComponents({ projectId, page }, context) {
      const { items, total } = await listShared(deps, requestContext(context), projectId, pageOf(page));
      return { components: items.map(linkedToProto), total };
    },
    async deleteSharedComponent({ projectId, componentId }, context) {
      await deleteShared(deps, requestContext(context), projectId, componentId);
      return {};
    },
    async listLinkedComponents({ componentId, page }, context) {
      const { items, total } = await listLinked(deps, requestContext(context), componentId, pageOf(page));
      return { components: items.map(linkedToProto), total };
    },
    async deleteLinkedComponent({ componentId, linkedComponentId }, context) {
      return { taskId: await revokeLinked(deps, requestContext(context), componentId, linkedComponentId) };
    },
  };
}
