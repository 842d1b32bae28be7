import type { IncomingEvent } from '@parlance/events';
import type { Parts } from '../app/parts';

/** Follows the catalog: removed components lose their strings, changed settings are read anew. Repeatable. */
export function structureChanged(parts: Parts) {
  return async (events: IncomingEvent<'componentUpdated' | 'componentDeleted'>[]): Promise<void> => {
    for (const event of events) {
      const id = event.payload.componentId;
      parts.catalog.forget(id);
      if (event.payloadName !== 'componentDeleted') continue;
      for (const translation of await parts.translations.ofComponent(id)) {
        await parts.translations.remove(translation.id);
        await parts.announcer.deleted(translation);
      }
      await parts.units.removeOfComponent(id);
      await parts.suggestions.removeOfComponent(id);
      await parts.comments.removeOfComponent(id);
      await parts.removals.removeOfComponent(id);
    }
  };
}
