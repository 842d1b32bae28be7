import type { IncomingEvent } from '@parlance/events';
import { removeComponent, type RemoveComponentDeps } from '../app/remove-component';
import type { BackgroundChecks } from '../app/checks/background-checks';
import type { Glossary } from '../app/caches/interfaces';
import type { CatalogGeneration, CatalogInvalidation, CheckMarks } from '../domain/ports';

export interface StructureDeps extends RemoveComponentDeps {
  translations: RemoveComponentDeps['translations'] & CheckMarks;
  catalog: CatalogInvalidation;
  catalogGeneration: Pick<CatalogGeneration, 'replace'>;
  glossary: Glossary;
  contextChecks: BackgroundChecks;
}

/** Settings that affect checks, read-only state or priority of strings. */
const checkSettings = ['check_flags', 'is_glossary', 'allow_translation_propagation'];

/**
 * Applies changes of the catalog: removes the strings of deleted components, invalidates cached settings, schedules checks. Idempotent.
 * It replaces the generation before it marks strings, because the event can precede the catalog's own call: whoever reads a string that
 * was checked again also reads the new settings.
 */
export function structureChanged(deps: StructureDeps) {
  return async (events: IncomingEvent<'projectUpdated' | 'componentUpdated' | 'componentDeleted'>[]): Promise<void> => {
    let recheck = false;
    for (const { payload } of events) {
      if (!('componentId' in payload)) {
        if (!payload.changed.includes('check_flags')) continue;
        deps.catalog.forgetAll();
        await deps.catalogGeneration.replace();
        await deps.translations.markRerun({ project: payload.projectId });
        recheck = true;
        continue;
      }
      deps.catalog.forget(payload.componentId);
      if (!('changed' in payload)) {
        await removeComponent(deps, payload.componentId);
        if (payload.isGlossary) await deps.glossary.termsChanged(payload.projectId, null);
        continue;
      }
      if (payload.changed.includes('is_glossary')) await deps.glossary.termsChanged(payload.projectId, null);
      if (payload.changed.some((name) => checkSettings.includes(name))) {
        await deps.catalogGeneration.replace();
        await deps.translations.markRerun({ component: payload.componentId });
        recheck = true;
      }
    }
    if (recheck) deps.contextChecks.scheduleRecheck();
  };
}
