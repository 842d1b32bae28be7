import { logger } from '@parlance/telemetry';
import type { Component } from '../../domain/component';
import { textPairsOf, type NewMemoryEntry } from '../../domain/memory/entry';
import type { MemoryProject } from '../../domain/memory/ports';
import type { Translation } from '../../domain/translation';
import type { Unit } from '../../domain/unit';
import { inTranslation } from '../../domain/unit-query';
import { sharesTexts } from './access';
import type { MemoryDeps } from './deps';
import type { Catalog, TranslationReader } from '../../domain/ports';
import { unitBatches, type BatchReader } from '../unit-batches';

export interface LearnDeps extends MemoryDeps {
  units: BatchReader['units'];
  translations: Pick<TranslationReader, 'get'>;
  catalog: Catalog;
}

/** Adds the translations of some units of one translation to the memory. Idempotent. */
export async function learnFromUnits(deps: LearnDeps, translation: number, units: readonly number[]): Promise<void> {
  const origin = await originOf(deps, translation);
  if (!origin) return;
  await learn(deps, origin, entriesOf(await deps.units.many(units), origin), true);
}

/**
 * Adds all finished strings of a translation to the memory. Idempotent.
 * @param pause waits between batches, at least as long as the batch took, to limit the load
 */
export async function learnFromTranslation(
  deps: LearnDeps,
  translation: number,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const origin = await originOf(deps, translation);
  if (!origin) return;
  let lastMs = 0;
  for await (const units of unitBatches(deps, inTranslation(translation))) {
    if (lastMs > 0) await pause(lastMs);
    const startedAt = performance.now();
    if (!(await learn(deps, origin, entriesOf(units, origin), false))) return;
    lastMs = performance.now() - startedAt;
  }
}

/** Adds entries. @returns false: the quota of the project is reached */
async function learn(
  { store, quotas, now }: LearnDeps,
  { project }: UnitOrigin,
  entries: readonly NewMemoryEntry[],
  confirm: boolean,
): Promise<boolean> {
  if ((await store.count({ project: project.id }, quotas.perProject)) >= quotas.perProject) {
    logger.warn(
      { project: project.id, quota: quotas.perProject },
      'memory: entries skipped, quota of the project reached',
    );
    return false;
  }
  await store.add(entries, { now: now(), confirm });
  return true;
}

interface UnitOrigin {
  translation: Translation;
  component: Component;
  project: MemoryProject;
}

/** Context of the units; null for source translations, glossaries and deleted objects, which the memory ignores. */
async function originOf(deps: LearnDeps, id: number): Promise<UnitOrigin | null> {
  const translation = await deps.translations.get(id);
  if (!translation || translation.isSource) return null;
  const [component, project] = await Promise.all([
    deps.catalog.component(translation.component, ''),
    deps.projects.get(translation.project),
  ]);
  return component && project && !component.isGlossary ? { translation, component, project } : null;
}

function entriesOf(units: readonly Unit[], { translation, component, project }: UnitOrigin): NewMemoryEntry[] {
  const { sourceLanguage } = component;
  return units
    .filter((unit) => unit.translation === translation.id)
    .flatMap((unit) => textPairsOf(unit, translation.language))
    .map((lesson) => ({
      ...lesson,
      sourceLanguage: { id: sourceLanguage.id, code: sourceLanguage.code },
      targetLanguage: { id: translation.language.id, code: translation.language.code },
      origin: `${component.projectSlug}/${component.path}`,
      project: project.id,
      user: 0,
      fromFile: false,
      shared: sharesTexts(project),
    }));
}
