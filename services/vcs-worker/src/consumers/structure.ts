import type { EventHandlers } from '@parlance/events';
import { forgetComponent } from '../app/tasks/component-tasks';
import type { Deps } from '../app/deps';
import type { TaskKind } from '../domain/task';

type Needed = Pick<Deps, 'tasks' | 'repositories' | 'commits' | 'clones' | 'index' | 'wake'>;

/** Begins the task that the catalog announced with an event; an empty id announces none. */
async function begin(
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
  deps: Needed,
): EventHandlers<'componentCreated' | 'componentUpdated' | 'componentDeleted' | 'projectDeleted'> {
  return {
    componentCreated: ({ payload }) => begin(deps, 'import', payload),
    componentUpdated: ({ payload }) => begin(deps, 'update', payload),
    componentDeleted: ({ payload }) => forgetComponent(deps, payload.componentId),
    async projectDeleted({ payload }) {
      for (const component of await deps.index.ofProject(payload.projectId)) await forgetComponent(deps, component);
    },
  };
}
