import type { vcsWorker } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { pageOf, requireId, requireService, type Implementation } from '@parlance/grpc-kit';
import type { Deps } from '../app/deps';
import type { RepositoryEntry } from '../domain/repository';
import { taskStates, type TaskEntry, type TaskState } from '../domain/task';
import { requireTaskId } from './task-id';

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
    async listTasks({ states, componentId, page }, { caller }) {
      requireService(caller);
      const filter = {
        states: requireStates(states),
        component: componentId === 0 ? 0 : requireId(componentId, 'component_id'),
      };
      return { tasks: (await deps.tasks.list(filter, pageOf(page))).map(taskSummary) };
    },
    async retryTask(request, { caller }) {
      requireService(caller);
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
    async listRepositories({ failed, unpushed, unmerged, leased, page }, { caller }) {
      requireService(caller);
      const found = await deps.repositories.list({ failed, unpushed, unmerged, leased }, pageOf(page));
      return { repositories: found.map(repositorySummary) };
    },
  };
}
