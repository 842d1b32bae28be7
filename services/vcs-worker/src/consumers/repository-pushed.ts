import type { IncomingEvent } from '@parlance/events';
import type { Deps } from '../app/deps';

export const pushedPayloads = ['repositoryPushed', 'pendingCommitRequested'] as const;

/**
 * Git hosts announced pushes, or somebody wants waiting edits committed: both become tasks. Idempotent: tasks begin once.
 * @param mergeMs how long a pull waits for more announcements of the same component, in milliseconds
 */
export function repositoryPushed(deps: Pick<Deps, 'tasks' | 'wake'>, mergeMs: number) {
  return async (events: IncomingEvent<(typeof pushedPayloads)[number]>[]): Promise<void> => {
    for (const event of events) {
      if (event.payloadName === 'repositoryPushed') {
        const pushed = event.payload as IncomingEvent<'repositoryPushed'>['payload'];
        for (const [at, component] of pushed.componentIds.entries()) {
          await deps.tasks.beginPull(pushed.taskIds[at] || `${event.id}-${at}`, component, mergeMs);
        }
      } else {
        const { componentId } = event.payload as IncomingEvent<'pendingCommitRequested'>['payload'];
        await deps.tasks.begin({ id: event.id, kind: 'commit', component: componentId, user: 0, changed: [] });
      }
    }
    deps.wake();
  };
}
