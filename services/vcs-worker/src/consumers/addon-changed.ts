import { addonDefinition } from '@parlance/contracts';
import type { IncomingEvent } from '@parlance/events';
import type { Parts } from '../app/parts';

/** A new or changed add-on does its work on what is there already, in each component that it acts on. Repeatable: tasks begin once. */
export function addonChanged(parts: Pick<Parts, 'tasks' | 'index' | 'wake'>) {
  return async (events: IncomingEvent<'addonChanged'>[]): Promise<void> => {
    for (const { id, payload } of events) {
      const { addonId, name, componentId, projectId, removed, userId } = payload;
      if (removed || !addonDefinition(name)?.events.includes('install')) continue;
      const components = componentId
        ? [componentId]
        : projectId
          ? await parts.index.ofProject(projectId)
          : await parts.index.all();
      for (const component of components)
        await parts.tasks.begin({
          id: `addons-${id}-${component}`,
          kind: 'addons',
          component,
          user: userId,
          changed: ['install', String(addonId)],
        });
    }
    parts.wake();
  };
}
