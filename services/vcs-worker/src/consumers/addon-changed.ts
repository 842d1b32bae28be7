import { addonDefinition } from '@parlance/contracts';
import type { EventHandlers } from '@parlance/events';
import { componentsUnder } from '../app/addons/run';
import type { Deps } from '../app/deps';

/** Runs a new or changed add-on on the existing content of its components. Idempotent: a task begins once. */
export function addonHandlers(deps: Pick<Deps, 'tasks' | 'index' | 'wake'>): EventHandlers<'addonChanged'> {
  return {
    async addonChanged({ id, payload }) {
      const { addonId, name, componentId, projectId, removed, userId } = payload;
      if (removed || !addonDefinition(name)?.events.includes('install')) return;
      for (const component of await componentsUnder(deps.index, { componentId, projectId }))
        await deps.tasks.begin({
          id: `addons-${id}-${component}`,
          kind: 'addons',
          component,
          user: userId,
          changed: ['install', String(addonId)],
        });
      deps.wake();
    },
  };
}
