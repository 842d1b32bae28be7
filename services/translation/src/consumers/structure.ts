import type { IncomingEvent } from '@parlance/events';
import type { Parts } from '../app/parts';
import { removeComponent } from '../app/remove-component';

/** Follows the catalog: removed components lose their strings, changed settings are read anew. Repeatable. */
export function structureChanged(parts: Parts) {
  return async (events: IncomingEvent<'componentUpdated' | 'componentDeleted'>[]): Promise<void> => {
    for (const event of events) {
      const id = event.payload.componentId;
      parts.catalog.forget(id);
      if (event.payloadName === 'componentDeleted') await removeComponent(parts, id);
    }
  };
}
