import type { vcsWorker } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { requireId, type CallContext, type Implementation } from '@parlance/grpc-kit';
import type { Deps } from '../app/deps';
import type { RepositoryEntry } from '../domain/repository';
import { taskStates, type TaskEntry, type TaskState } from '../domain/task';
import { requireTaskId } from './task-id';

const MAX_ROWS = 1000;

function requireService({ caller }: CallContext): void {
  if (caller.service === undefined) throw new ServiceError('PERMISSION_DENIED');
}

function requireLimit(limit: number): number {
  if (limit < 1 || limit > MAX_ROWS)
    throw fieldErrors([{ attr: 'limit', code: 'invalid', detail: `A number from 1 to ${MAX_ROWS} is required.` }]);
  return limit;
}

function requireStates(states: readonly string[]): TaskState[] {
  return states.map((name) => {
    const state = taskStates.find((known) => known === name);
    if (state === undefined)
      throw fieldErrors([
        { attr: 'states', code: 'invalid_choice', detail: `"${name}" is not one of ${taskStates.join(', ')}.` },
      ]);
    return state;
  });
}

function requireStart(id: number): number {
  return id === 0 ? 0 : requireId(id, 'after_component_id');
}

const taskSummary = ({ component, result, ...entry }: TaskEntry): vcsWorker.TaskSummary => ({
  ...entry,
  componentId: component,
  error: (entry.state === 'failed' || entry.state === 'cancelled') && typeof result === 'string' ? result : '',
});

const repositorySummary = (entry: RepositoryEntry): vcsWorker.RepositorySummary => ({
  componentId: entry.owner,
  vcs: entry.vcs,
  url: entry.repo,
  branch: entry.branch,
  head: entry.head ?? '',
  upstream: entry.upstream ?? '',
  ahead: entry.ahead,
  behind: entry.behind,
  unpushedSinceMs: entry.unpushedSince ?? 0,
  unmergedSinceMs: entry.unmergedSince ?? 0,
  failure: entry.failure,
  leaseHolder: entry.leaseHolder,
  queueLength: entry.queueLength,
});

/** gRPC handlers of the operator's command. */
export function makeOperatorHandlers(
  deps: Pick<Deps, 'tasks' | 'repositories' | 'wake'>,
): Pick<Implementation<'vcs-worker'>, 'listTasks' | 'retryTask' | 'listRepositories'> {
  return {
    async listTasks({ states, componentId, limit }, context) {
      requireService(context);
      const filter = {
        states: requireStates(states),
        component: componentId === 0 ? 0 : requireId(componentId, 'component_id'),
        limit: requireLimit(limit),
      };
      return { tasks: (await deps.tasks.list(filter)).map(taskSummary) };
    },
    async retryTask(request, context) {
      requireService(context);
      const id = requireTaskId(request.id);
      if (!(await deps.tasks.retry(id))) {
        if (!(await deps.tasks.get(id))) throw new ServiceError('NOT_FOUND');
        throw fieldErrors([
          { attr: 'id', code: 'invalid', detail: 'Only failed and cancelled tasks of this service can be retried.' },
        ]);
      }
      deps.wake();
      return {};
    },
    async listRepositories({ failed, unpushed, unmerged, afterComponentId, limit }, context) {
      requireService(context);
      const filter = {
        failed,
        unpushed,
        unmerged,
        afterComponent: requireStart(afterComponentId),
        limit: requireLimit(limit),
      };
      return { repositories: (await deps.repositories.list(filter)).map(repositorySummary) };
    },
  };
}
