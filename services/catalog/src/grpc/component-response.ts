import type { catalog } from '@parlance/contracts';
import { ServiceError } from '@parlance/errors';
import type { RequestContext, Deps } from '../app/deps';
import { componentViews, fullAddresses, type ComponentViews } from '../app/views';
import type { Component, Project } from '../domain/objects';
import { componentToProto, languageToProto, projectToProto } from './mappers';

/** Components with the projects and languages that they refer to. */
export const listToResponse = (views: ComponentViews): catalog.BatchGetComponentsResponse => ({
  components: views.components.map((view) => componentToProto(view)),
  projects: views.projects.map((view) => projectToProto(view)),
  languages: views.languages.map((language) => languageToProto({ language, inUse: true })),
});

/** A component with the objects that responses show beside it. */
export async function componentToResponse(
  deps: Deps,
  context: RequestContext,
  { component, project }: { component: Component; project: Project },
  withCredentials = false,
): Promise<catalog.GetComponentResponse> {
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
}
