import type { IncomingEvent } from '@parlance/events';
import { forgetComponent } from '../app/component-tasks';
import type { Deps } from '../app/deps';

export const structurePayloads = [
  'componentCreated',
  'componentUpdated',
  'componentDeleted',
  'projectDeleted',
] as const;

/** Follows the catalog: new components are imported, changed ones looked at anew, removed ones forgotten. Repeatable: tasks begin once. */
export function structureChanged(deps: Pick<Deps, 'tasks' | 'repositories' | 'commits' | 'clones' | 'index' | 'wake'>) {
  return async (events: IncomingEvent<(typeof structurePayloads)[number]>[]): Promise<void> => {
    for (const event of events) {
      const { payload } = event;
      switch (event.payloadName) {
        case 'componentCreated': {
          const created = payload as IncomingEvent<'componentCreated'>['payload'];
          if (created.taskId)
            await deps.tasks.begin({
              id: created.taskId,
              kind: 'import',
              component: created.componentId,
              user: created.userId,
              changed: [],
            });
          break;
        }
        case 'componentUpdated': {
          const updated = payload as IncomingEvent<'componentUpdated'>['payload'];
          if (updated.taskId)
            await deps.tasks.begin({
              id: updated.taskId,
              kind: 'update',
              component: updated.componentId,
              user: updated.userId,
              changed: updated.changed,
            });
          break;
        }
        case 'componentDeleted':
          await forgetComponent(deps, (payload as IncomingEvent<'componentDeleted'>['payload']).componentId);
          break;
        case 'projectDeleted':
          for (const component of await deps.index.ofProject(
            (payload as IncomingEvent<'projectDeleted'>['payload']).projectId,
          ))
            await forgetComponent(deps, component);
          break;
      }
    }
    deps.wake();
  };
}
