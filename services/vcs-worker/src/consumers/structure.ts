import type { EventHandlers } from '@parlance/events';
import { removeComponent } from '../app/tasks/component-tasks';
import type { Deps } from '../app/deps';
import type { TaskKind } from '../domain/task';

type StructureDeps = Pick<Deps, 'tasks' | 'repositories' | 'commits' | 'clones' | 'index' | 'wake'>;

/** Begins the task that the catalog announced with an event; an empty id announces none. */
async function startTask(
  deps: Pick<Deps, 'tasks' | 'wake'>,
  kind: TaskKind,
  announced: { taskId: string; componentId: number; userId: number; changed?: string[] },
): Promise<void> {
  const { taskId, componentId, userId, changed = [] } = announced;
  if (taskId) await deps.tasks.begin({ id: taskId, kind, component: componentId, user: userId, changed });
  deps.wake();
}

/** Imports new components, updates changed ones and removes deleted ones. Idempotent: a task begins once. */
export function structureHandlers(
  deps: StructureDeps,
): EventHandlers<'componentCreated' | 'componentUpdated' | 'componentDeleted' | 'projectDeleted'> {
  return {
    componentCreated: ({ payload }) => startTask(deps, 'import', payload),
    componentUpdated: ({ payload }) => startTask(deps, 'update', payload),
    componentDeleted: ({ payload }) => removeComponent(deps, payload.componentId),
    async projectDeleted({ payload }) {
      for (const component of await deps.index.ofProject(payload.projectId)) await removeComponent(deps, component);
    },
  };
}
