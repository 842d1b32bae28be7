import type { IncomingEvent } from '@parlance/events';
import type { Parts } from '../app/parts';
import { removeComponent } from '../app/remove-component';

/** Settings of components that decide about checks, read-only state or priority of their strings. */
const judging = ['check_flags', 'is_glossary', 'allow_translation_propagation'];

/**
 * Follows the catalog: removed components lose their strings, changed settings are read anew, strings follow changed flags.
 * Repeatable.
 */
export function structureChanged(parts: Parts) {
  return async (events: IncomingEvent<'projectUpdated' | 'componentUpdated' | 'componentDeleted'>[]): Promise<void> => {
    let judge = false;
    for (const { payload } of events) {
      if (!('componentId' in payload)) {
        if (!payload.changed.includes('check_flags')) continue;
        parts.catalog.forgetAll();
        await parts.translations.markRejudge({ project: payload.projectId });
        judge = true;
        continue;
      }
      parts.catalog.forget(payload.componentId);
      if (!('changed' in payload)) {
        await removeComponent(parts, payload.componentId);
        if (payload.isGlossary) await parts.termsChanged(payload.projectId, null);
        continue;
      }
      if (payload.changed.includes('is_glossary')) await parts.termsChanged(payload.projectId, null);
      if (payload.changed.some((name) => judging.includes(name))) {
        await parts.translations.markRejudge({ component: payload.componentId });
        judge = true;
      }
    }
    if (judge) parts.contextChecks.recheckSoon();
  };
}
