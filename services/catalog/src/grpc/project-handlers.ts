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
import { labelToProto, languageInfoToProto, languageToProto, projectToProto } from './mappers';
import { toRequestContext, uniqueBatch, requireMessage } from './requests';

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

/** gRPC handlers of languages, projects and their labels. */
export function projectHandlers(deps: Deps): Pick<Implementation<'catalog'>, Names> {
  const shown = async (context: RequestContext, projects: readonly Project[]) =>
    (await projectViews(deps, context, projects)).map((view) =>
      projectToProto(
        view,
        context.caller.service && view.project.hookSecret ? deps.secrets.open(view.project.hookSecret) : '',
      ),
    );
  return {
    async getLanguage(request, call) {
      return { language: languageToProto(await getLanguage(deps, toRequestContext(call), request.code)) };
    },
    async batchGetLanguages(request, call) {
      const context = toRequestContext(call);
      const snapshot = await deps.snapshot.at(context.generation);
      const found = [
        ...uniqueBatch(request.ids).map((id) => snapshot.languages.get(id)),
        ...uniqueBatch(request.codes, 'codes').map((code) => snapshot.language(code)),
      ];
      return {
        languages: [...new Set(found)].flatMap((language) =>
          language ? [languageToProto({ language, inUse: snapshot.inUse(language.code) })] : [],
        ),
      };
    },
    async listLanguages(request, call) {
      const { items, total } = await listLanguages(deps, toRequestContext(call), pageOf(request.page));
      return { languages: items.map(languageToProto), total };
    },
    async createLanguage(request, call) {
      return {
        language: languageToProto(
          await createLanguage(deps, toRequestContext(call), requireMessage(request.language, 'language')),
        ),
      };
    },
    async updateLanguage(request, call) {
      return {
        language: languageToProto(
          await updateLanguage(
            deps,
            toRequestContext(call),
            request.code,
            requireMessage(request.language, 'language'),
            request.replace,
          ),
        ),
      };
    },
    async deleteLanguage(request, call) {
      await deleteLanguage(deps, toRequestContext(call), request.code);
      return {};
    },
    async resolveLanguages(request, call) {
      const { projectId, componentId, fileCodes } = request;
      uniqueBatch(fileCodes, 'file_codes');
      return {
        languages: (await resolveLanguages(deps, toRequestContext(call), { projectId, componentId, fileCodes })).map(
          languageInfoToProto,
        ),
      };
    },

    async getProject(request, call) {
      const context = toRequestContext(call);
      return { project: (await shown(context, [await readProject(deps, context, request)]))[0]! };
    },
    async batchGetProjects(request, call) {
      const context = toRequestContext(call);
      const projects = await deps.reader.projects(context.generation, uniqueBatch(request.ids));
      return {
        projects: await shown(
          context,
          projects.filter((p) => canSee(context.caller, targetOf(p))),
        ),
      };
    },
    async listProjects(request, call) {
      const context = toRequestContext(call);
      const { items, total } = await pageOfProjects(deps, context, pageOf(request.page));
      return { projects: await shown(context, items), total };
    },
    async createProject(request, call) {
      const context = toRequestContext(call);
      return {
        project: (
          await shown(context, [await createProject(deps, context, { ...requireMessage(request.project, 'project') })])
        )[0]!,
      };
    },
    async updateProject(request, call) {
      const context = toRequestContext(call);
      const project = await updateProject(
        deps,
        context,
        request.id,
        { ...requireMessage(request.project, 'project') },
        request.replace,
      );
      return { project: (await shown(context, [project]))[0]! };
    },
    async deleteProject(request, call) {
      await deleteProject(deps, toRequestContext(call), request.id);
      return {};
    },
    async setProjectLock(request, call) {
      await setProjectLock(deps, toRequestContext(call), request.id, request.locked);
      return { locked: request.locked };
    },

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

    async listHidden(_request, call) {
      const context = toRequestContext(call);
      const { projects, components } = hiddenFrom(context, await deps.snapshot.at(context.generation));
      return { projectIds: [...projects], componentIds: [...components] };
    },
    async getCounts(_request, call) {
      const { projects, components, languages } = await deps.snapshot.at(toRequestContext(call).generation);
      return { projects: projects.size, components: components.size, languages: languages.size };
    },
    search: (request, call) => search(deps, toRequestContext(call), searchOf(request)),
  };
}
