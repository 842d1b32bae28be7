import { canSee } from '@parlance/access';
import { type Implementation, pageOf, searchOf } from '@parlance/grpc-kit';
import { readProject } from '../app/find';
import { createLabel, deleteLabel, listLabels } from '../app/labels';
import { createLanguage, deleteLanguage, getLanguage, listLanguages, updateLanguage } from '../app/languages';
import { pageOfProjects } from '../app/list-components';
import type { Actor, Parts } from '../app/parts';
import { createProject, deleteProject, setProjectLock, updateProject } from '../app/projects';
import { resolveLanguages } from '../app/resolve-languages';
import { search } from '../app/search';
import { projectViews } from '../app/views';
import { hiddenFrom, targetOf } from '../app/visibility';
import type { Project } from '../domain/objects';
import { labelToProto, languageInfo, languageToProto, projectToProto } from './mappers';
import { actorOf, batch, needed } from './requests';

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
export function projectHandlers(parts: Parts): Pick<Implementation<'catalog'>, Names> {
  const shown = async (actor: Actor, projects: readonly Project[]) =>
    (await projectViews(parts, actor, projects)).map((view) =>
      projectToProto(
        view,
        actor.principal.service && view.project.hookSecret ? parts.secrets.open(view.project.hookSecret) : '',
      ),
    );
  return {
    async getLanguage(request, context) {
      return { language: languageToProto(await getLanguage(parts, actorOf(context), request.code)) };
    },
    async batchGetLanguages(request, context) {
      const actor = actorOf(context);
      const directory = await parts.directory.at(actor.generation);
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
      const { items, total } = await listLanguages(parts, actorOf(context), pageOf(request.page));
      return { languages: items.map(languageToProto), total };
    },
    async createLanguage(request, context) {
      return {
        language: languageToProto(await createLanguage(parts, actorOf(context), needed(request.language, 'language'))),
      };
    },
    async updateLanguage(request, context) {
      return {
        language: languageToProto(
          await updateLanguage(
            parts,
            actorOf(context),
            request.code,
            needed(request.language, 'language'),
            request.replace,
          ),
        ),
      };
    },
    async deleteLanguage(request, context) {
      await deleteLanguage(parts, actorOf(context), request.code);
      return {};
    },
    async resolveLanguages(request, context) {
      const { projectId, componentId, fileCodes } = request;
      batch(fileCodes, 'file_codes');
      return {
        languages: (await resolveLanguages(parts, actorOf(context), { projectId, componentId, fileCodes })).map(
          languageInfo,
        ),
      };
    },

    async getProject(request, context) {
      const actor = actorOf(context);
      return { project: (await shown(actor, [await readProject(parts, actor, request)]))[0]! };
    },
    async batchGetProjects(request, context) {
      const actor = actorOf(context);
      const projects = await parts.reader.projects(actor.generation, batch(request.ids));
      return {
        projects: await shown(
          actor,
          projects.filter((p) => canSee(actor.principal, targetOf(p))),
        ),
      };
    },
    async listProjects(request, context) {
      const actor = actorOf(context);
      const { items, total } = await pageOfProjects(parts, actor, pageOf(request.page));
      return { projects: await shown(actor, items), total };
    },
    async createProject(request, context) {
      const actor = actorOf(context);
      return {
        project: (
          await shown(actor, [await createProject(parts, actor, { ...needed(request.project, 'project') })])
        )[0]!,
      };
    },
    async updateProject(request, context) {
      const actor = actorOf(context);
      const project = await updateProject(
        parts,
        actor,
        request.id,
        { ...needed(request.project, 'project') },
        request.replace,
      );
      return { project: (await shown(actor, [project]))[0]! };
    },
    async deleteProject(request, context) {
      await deleteProject(parts, actorOf(context), request.id);
      return {};
    },
    async setProjectLock(request, context) {
      await setProjectLock(parts, actorOf(context), request.id, request.locked);
      return { locked: request.locked };
    },

    async listLabels(request, context) {
      const { items, total } = await listLabels(parts, actorOf(context), request.projectId, pageOf(request.page));
      return { labels: items.map(labelToProto), total };
    },
    async batchGetLabels(request) {
      return { labels: (await parts.labels.byIds(batch(request.ids))).map(labelToProto) };
    },
    async createLabel(request, context) {
      return {
        label: labelToProto(
          await createLabel(parts, actorOf(context), request.projectId, needed(request.label, 'label')),
        ),
      };
    },
    async deleteLabel(request, context) {
      await deleteLabel(parts, actorOf(context), request.projectId, request.id);
      return {};
    },

    async listHidden(_request, context) {
      const actor = actorOf(context);
      const { projects, components } = hiddenFrom(actor, await parts.directory.at(actor.generation));
      return { projectIds: [...projects], componentIds: [...components] };
    },
    async getCounts(_request, context) {
      const { projects, components, languages } = await parts.directory.at(actorOf(context).generation);
      return { projects: projects.size, components: components.size, languages: languages.size };
    },
    search: (request, context) => search(parts, actorOf(context), searchOf(request)),
  };
}
