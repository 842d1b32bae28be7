import { can } from '@parlance/access';
import type { vcsWorker } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { requireService, type Implementation } from '@parlance/grpc-kit';
import { randomUUID } from 'node:crypto';
import type { Deps } from '../app/deps';
import { loadStartedTask } from '../app/tasks/load-started-task';
import { accessTarget } from '../domain/component';
import { isOver, MAX_LOG_LINES, REPORT_MAX_SILENCE_MS, type Task } from '../domain/task';
import { requireTaskId } from './task-id';

function taskToProto(task: Task): vcsWorker.Task {
  const over = isOver(task);
  return {
    id: task.id,
    completed: over,
    progress: over ? 100 : task.progress,
    resultJson: JSON.stringify(task.result ?? null),
    log: task.log.join('\n'),
    componentId: task.component,
  };
}

/** Task of a deleted component, visible to every caller with its id, so that polling ends. */
const deletedTask = (id: string): vcsWorker.Task => ({
  id,
  completed: true,
  progress: 100,
  resultJson: JSON.stringify('The component was deleted.'),
});

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fieldErrors([{ attr: 'result_json', code: 'invalid', detail: 'The value must be JSON.' }]);
  }
}

/** gRPC handlers of background tasks. */
export function taskHandlers(
  deps: Deps,
  cancelLocally: (task: string) => void,
): Pick<Implementation<'vcs-worker'>, 'getTask' | 'cancelTask' | 'reportTask'> {
  return {
    async getTask(request, context) {
      const task = await loadStartedTask(deps, requireTaskId(request.id));
      const isVisible =
        task.component === 0 ||
        context.caller.service !== undefined ||
        (await deps.catalog.visible(task.component, context.callerToken, context.catalogGeneration));
      if (isVisible) return { task: taskToProto(task) };
      if (await deps.catalog.component(task.component)) throw new ServiceError('NOT_FOUND');
      return { task: deletedTask(task.id) };
    },
    async cancelTask(request, context) {
      const task = await loadStartedTask(deps, requireTaskId(request.id));
      if (!context.caller.service) {
        const component = task.component === 0 ? null : await deps.catalog.component(task.component);
        if (!component || !can(context.caller, 'component.edit', accessTarget(component)))
          throw new ServiceError('PERMISSION_DENIED');
      }
      await deps.tasks.cancel(task.id);
      cancelLocally(task.id);
      return {};
    },
    async reportTask(request, context) {
      requireService(context.caller);
      if (request.progress < 0 || request.progress > 100)
        throw fieldErrors([{ attr: 'progress', code: 'invalid', detail: 'A percentage is required.' }]);
      const id = request.id === '' ? randomUUID() : requireTaskId(request.id);
      const report = {
        id,
        kind: 'report' as const,
        component: request.componentId,
        user: 0,
        state: request.completed ? ('done' as const) : ('running' as const),
        progress: request.completed ? 100 : request.progress,
        result: request.resultJson === '' ? undefined : readJson(request.resultJson),
        log: request.log.slice(-MAX_LOG_LINES),
        changed: [],
        attempts: 0,
      };
      await deps.tasks.upsertReport(report, new Date(Date.now() + REPORT_MAX_SILENCE_MS));
      return { id };
    },
  };
}
