import { canSee } from '@parlance/access';
import { type Implementation, pageOf, searchOf } from '@parlance/grpc-kit';
import { readProject } from '../app/find-objects';
import { createLabel, deleteLabel, listLabels } from '../app/projects/labels';
import { createLanguage, deleteLanguage, getLanguage, listLanguages, updateLanguage } from '../app/languages/languages';
import { pageOfProjects } from '../app/components/list-components';
import type { RequestContext, Deps } from '../app/deps';
import { createProject, deleteProject, setProjectLock, updateProject } from '../app/projects/projects';
import { resolveLanguages } from '../app/languages/resolve-languages';
import { search } from '../app/search/search';
import { projectViews } from '../app/views';
import { hiddenFrom, targetOf } from '../app/visibility';
import type { Project } from '../domain/objects';
import { labelToProto, languageInfo, languageToProto, projectToProto } from './mappers';
import { requestContext, batch, needed } from './requests';

type Names =
  | 'getLanguage'
  | 'batchGetLanguages'
  | 'listLanguages'
  | 'createLanguage'
  | 'updateLanguage'
  | 'deleteLanguage'
  | 'resolveLanguages'
  | 'getProject'
  | 'batchGetProjects'
  | 'listProjects'
  | 'createProject'
  | 'updateProject'
  | 'deleteProject'
  | 'setProjectLock'
  | 'listLabels'
  | 'batchGetLabels'
  | 'createLabel'
  | 'deleteLabel'
  | 'listHidden'
  | 'getCounts'
  | 'search';

/** Languages, projects and their labels. */
export function projectHandlers(deps: Deps): Pick<Implementation<'catalog'>, Names> {
  const shown = async (context: RequestContext, projects: readonly Project[]) =>
    (await projectViews(deps, context, projects)).map((view) =>
      projectToProto(
        view,
        context.caller.service && view.project.hookSecret ? deps.secrets.open(view.project.hookSecret) : '',
      ),
    );
  return {
    async getLanguage(request, context) {
      return { language: languageToProto(await getLanguage(deps, requestContext(context), request.code)) };
    },
    async batchGetLanguages(request, context) {
      const actor = requestContext(context);
      const directory = await deps.directory.at(actor.generation);
      const found = [
        ...batch(request.ids).map((id) => directory.languages.get(id)),
        ...batch(request.codes, 'codes').map((code) => directory.language(code)),
      ];
      return {
        languages: [...new Set(found)].flatMap((language) =>
          language ? [languageToProto({ language, inUse: directory.inUse(language.code) })] : [],
        ),
      };
    },
    async listLanguages(request, context) {
      const { items, total } = await listLanguages(deps, requestContext(context), pageOf(request.page));
      return { languages: items.map(languageToProto), total };
    },
    async createLanguage(request, context) {
      return {
        language: languageToProto(
          await createLanguage(deps, requestContext(context), needed(request.language, 'language')),
        ),
      };
    },
    async updateLanguage(request, context) {
      return {
        language: languageToProto(
          await updateLanguage(
            deps,
            requestContext(context),
            request.code,
            needed(request.language, 'language'),
            request.replace,
          ),
        ),
      };
    },
    async deleteLanguage(request, context) {
      await deleteLanguage(deps, requestContext(context), request.code);
      return {};
    },
    async resolveLanguages(request, context) {
      const { projectId, componentId, fileCodes } = request;
      batch(fileCodes, 'file_codes');
      return {
        languages: (await resolveLanguages(deps, requestContext(context), { projectId, componentId, fileCodes })).map(
          languageInfo,
        ),
      };
    },

    async getProject(request, context) {
      const actor = requestContext(context);
      return { project: (await shown(actor, [await readProject(deps, actor, request)]))[0]! };
    },
    async batchGetProjects(request, context) {
      const actor = requestContext(context);
      const projects = await deps.reader.projects(actor.generation, batch(request.ids));
      return {
        projects: await shown(
          actor,
          projects.filter((p) => canSee(actor.caller, targetOf(p))),
        ),
      };
    },
    async listProjects(request, context) {
      const actor = requestContext(context);
      const { items, total } = await pageOfProjects(deps, actor, pageOf(request.page));
      return { projects: await shown(actor, items), total };
    },
    async createProject(request, context) {
      const actor = requestContext(context);
      return {
        project: (
          await shown(actor, [await createProject(deps, actor, { ...needed(request.project, 'project') })])
        )[0]!,
      };
    },
    async updateProject(request, context) {
      const actor = requestContext(context);
      const project = await updateProject(
        deps,
        actor,
        request.id,
        { ...needed(request.project, 'project') },
        request.replace,
      );
      return { project: (await shown(actor, [project]))[0]! };
    },
    async deleteProject(request, context) {
      await deleteProject(deps, requestContext(context), request.id);
      return {};
    },
    async setProjectLock(request, context) {
      await setProjectLock(deps, requestContext(context), request.id, request.locked);
      return { locked: request.locked };
    },

    async listLabels(request, context) {
      const { items, total } = await listLabels(deps, requestContext(context), request.projectId, pageOf(request.page));
      return { labels: items.map(labelToProto), total };
    },
    async batchGetLabels(request) {
      return { labels: (await deps.labels.byIds(batch(request.ids))).map(labelToProto) };
    },
    async createLabel(request, context) {
      return {
        label: labelToProto(
          await createLabel(deps, requestContext(context), request.projectId, needed(request.label, 'label')),
        ),
      };
    },
    async deleteLabel(request, context) {
      await deleteLabel(deps, requestContext(context), request.projectId, request.id);
      return {};
    },

    async listHidden(_request, context) {
      const actor = requestContext(context);
      const { projects, components } = hiddenFrom(actor, await deps.directory.at(actor.generation));
      return { projectIds: [...projects], componentIds: [...components] };
    },
    async getCounts(_request, context) {
      const { projects, components, languages } = await deps.directory.at(requestContext(context).generation);
      return { projects: projects.size, components: components.size, languages: languages.size };
    },
    search: (request, context) => search(deps, requestContext(context), searchOf(request)),
  };
}
