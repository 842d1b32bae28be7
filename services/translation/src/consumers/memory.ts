import type { IncomingEvent } from '@parlance/events';
import { sharesTexts } from '../app/memory/access';
import { learnFromTranslation, learnFromUnits, type LearnDeps } from '../app/memory/learn';
import type { MemoryDeps } from '../app/memory/deps';
import type { MachineryStore } from '../domain/machinery/ports';

/** Adds edits to the translation memory. Idempotent. */
export function memoryEdits(deps: LearnDeps) {
  return async (events: IncomingEvent<'translationUpdated'>[]): Promise<void> => {
    const edited = new Map<number, Set<number>>();
    for (const { payload } of events) {
      if (payload.unitIds.length === 0 || payload.isSource) continue;
      const units = edited.get(payload.translationId) ?? new Set();
      for (const id of payload.unitIds) units.add(id);
      edited.set(payload.translationId, units);
    }
    for (const [translation, units] of edited) await learnFromUnits(deps, translation, [...units]);
  };
}

/** Adds whole translations to the translation memory after imports. Idempotent. */
export function memoryImports(deps: LearnDeps, pause: (ms: number) => Promise<void>) {
  return async (events: IncomingEvent<'translationUpdated'>[]): Promise<void> => {
    const translations = new Set<number>();
    for (const { payload } of events)
      if (payload.unitIds.length === 0 && !payload.unitsUnchanged && !payload.isSource)
        translations.add(payload.translationId);
    for (const translation of translations) await learnFromTranslation(deps, translation, pause);
  };
}

/** Applies project settings to the memory, and removes the data of deleted projects and users. Idempotent. */
export function memoryOwners(deps: MemoryDeps, machinery: Pick<MachineryStore, 'remove'>) {
  return async (events: IncomingEvent<'projectUpdated' | 'projectDeleted' | 'userDeleted'>[]): Promise<void> => {
    for (const { payload, payloadName } of events) {
      if ('userId' in payload) await deps.store.removeOfUser(payload.userId);
      else if (payloadName === 'projectDeleted') {
        await deps.store.removeOfProject(payload.projectId);
        await machinery.remove(payload.projectId);
      } else {
        const project = await deps.projects.get(payload.projectId);
        if (project) await deps.store.setShared(project.id, sharesTexts(project));
      }
    }
  };
}
