import { addonDefinition } from '@parlance/contracts';
import type { IncomingEvent } from '@parlance/events';
import { componentsUnder } from '../app/addons/run';
import type { Deps } from '../app/deps';

/** A new or changed add-on does its work on what is there already, in each component that it acts on. Repeatable: tasks begin once. */
export function addonChanged(deps: Pick<Deps, 'tasks' | 'index' | 'wake'>) {
  return async (events: IncomingEvent<'addonChanged'>[]): Promise<void> => {
    for (const { id, payload } of events) {
      const { addonId, name, componentId, projectId, removed, userId } = payload;
      if (removed || !addonDefinition(name)?.events.includes('install')) continue;
      for (const component of await componentsUnder(deps.index, { componentId, projectId }))
        await deps.tasks.begin({
          id: `addons-${id}-${component}`,
          kind: 'addons',
          component,
          user: userId,
          changed: ['install', String(addonId)],
        });
    }
    deps.wake();
  };
}
