import { canSee } from '@parlance/access';
import type { catalog } from '@parlance/contracts';
import { type Implementation, pageOf } from '@parlance/grpc-kit';
import { readProject } from '../app/find-objects';
import { pageOfProjects } from '../app/components/list-components';
import type { RequestContext, Deps } from '../app/deps';
import { createProject, deleteProject, setProjectLock, updateProject } from '../app/projects/projects';
import { projectViews } from '../app/views';
import { targetOf } from '../app/visibility';
import type { Project } from '../domain/objects';
import { projectToProto } from './mappers';
import { toRequestContext, uniqueBatch, requireMessage } from './requests';

/** gRPC handlers of projects. */
export function projectHandlers(
  deps: Deps,
): Pick<
  Implementation<'catalog'>,
  | 'getProject'
  | 'batchGetProjects'
  | 'listProjects'
  | 'createProject'
  | 'updateProject'
  | 'deleteProject'
  | 'setProjectLock'
> {
  return { ...readHandlers(deps), ...writeHandlers(deps) };
}

/** Projects as the caller sees them; only services see the secrets of hooks. */
async function shown(deps: Deps, context: RequestContext, projects: readonly Project[]): Promise<catalog.Project[]> {
  return (await projectViews(deps, context, projects)).map((view) =>
    projectToProto(
      view,
      context.caller.service && view.project.hookSecret ? deps.secrets.open(view.project.hookSecret) : '',
    ),
  );
}

function readHandlers(deps: Deps): Pick<Implementation<'catalog'>, 'getProject' | 'batchGetProjects' | 'listProjects'> {
  return {
    async getProject(request, call) {
      const context = toRequestContext(call);
      return { project: (await shown(deps, context, [await readProject(deps, context, request)]))[0]! };
    },
    async batchGetProjects(request, call) {
      const context = toRequestContext(call);
      const projects = await deps.reader.projects(context.generation, uniqueBatch(request.ids));
      return {
        projects: await shown(
          deps,
          context,
          projects.filter((p) => canSee(context.caller, targetOf(p))),
        ),
      };
    },
    async listProjects(request, call) {
      const context = toRequestContext(call);
      const { items, total } = await pageOfProjects(deps, context, pageOf(request.page));
      return { projects: await shown(deps, context, items), total };
    },
  };
}

function writeHandlers(
  deps: Deps,
): Pick<Implementation<'catalog'>, 'createProject' | 'updateProject' | 'deleteProject' | 'setProjectLock'> {
  return {
    async createProject(request, call) {
      const context = toRequestContext(call);
      return {
        project: (
          await shown(deps, context, [
            await createProject(deps, context, { ...requireMessage(request.project, 'project') }),
          ])
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
      return { project: (await shown(deps, context, [project]))[0]! };
    },
    async deleteProject(request, call) {
      await deleteProject(deps, toRequestContext(call), request.id);
      return {};
    },
    async setProjectLock(request, call) {
      await setProjectLock(deps, toRequestContext(call), request.id, request.locked);
      return { locked: request.locked };
    },
  };
}
