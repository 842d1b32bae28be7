import type { EventHandlers } from '@parlance/events';
import type { Deps } from '../app/deps';

/**
 * Begins tasks for pushes that git hosts announced and for requested commits of pending edits. Idempotent: a task begins once.
 * @param mergeMs debounce of pulls of the same component, in milliseconds
 */
export function pushedHandlers(
  deps: Pick<Deps, 'tasks' | 'wake'>,
  mergeMs: number,
): EventHandlers<'repositoryPushed' | 'pendingCommitRequested'> {
  return {
    async repositoryPushed({ id, payload }) {
      for (const [at, component] of payload.componentIds.entries())
        await deps.tasks.beginPull(payload.taskIds[at] || `${id}-${at}`, component, mergeMs);
      // When the pulls are due: the periodic look would find them up to a second later.
      setTimeout(() => deps.wake(), mergeMs).unref();
    },
    async pendingCommitRequested({ id, payload }) {
      await deps.tasks.begin({ id, kind: 'commit', component: payload.componentId, user: 0, changed: [] });
      deps.wake();
    },
  };
}
