import { logger } from '@parlance/telemetry';
import type { Component } from '../../domain/component';
import { lessonsOf, type NewMemoryEntry } from '../../domain/memory/entry';
import type { MemoryProject } from '../../domain/memory/ports';
import type { Translation } from '../../domain/translation';
import type { Unit } from '../../domain/unit';
import { sharesTexts } from './access';
import type { MemoryDeps } from './deps';
import type { Catalog, TranslationReader, UnitReader } from '../../domain/ports';

/** Units that are learned from at once when a whole translation is read: few, so that nobody waits long for the store. */
const BATCH = 100;

/** What learning needs. */
export interface GrowDeps extends MemoryDeps {
  units: Pick<UnitReader, 'many' | 'ofTranslation'>;
  translations: Pick<TranslationReader, 'get'>;
  catalog: Catalog;
}

/** What some units of one translation teach goes into the memory. Repeatable. */
export async function learnFromUnits(deps: GrowDeps, translation: number, units: readonly number[]): Promise<void> {
  const teacher = await teacherOf(deps, translation);
  if (!teacher) return;
  await learn(deps, teacher, entriesOf(await deps.units.many(units), teacher), true);
}

/**
 * What a whole translation teaches goes into the memory. Repeatable.
 * @param pause waits between parts of the work, for as long as they took or longer, so that it stays in the background
 */
export async function learnFromTranslation(
  deps: GrowDeps,
  translation: number,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const teacher = await teacherOf(deps, translation);
  if (!teacher) return;
  const units = await deps.units.ofTranslation(translation);
  for (let at = 0; at < units.length; at += BATCH) {
    const startedAt = performance.now();
    const entries = entriesOf(units.slice(at, at + BATCH), teacher);
    if (!(await learn(deps, teacher, entries, false))) return;
    if (at + BATCH < units.length) await pause(performance.now() - startedAt);
  }
}

/** Adds what was learned, unless the project's memory is full. @returns whether it was added */
async function learn(
  { store, quotas, now }: GrowDeps,
  { project }: Teacher,
  entries: readonly NewMemoryEntry[],
  confirm: boolean,
): Promise<boolean> {
  if ((await store.count({ project: project.id }, quotas.perProject)) >= quotas.perProject) {
    logger.warn({ project: project.id, quota: quotas.perProject }, 'memory: quota reached, nothing is learned');
    return false;
  }
  await store.add(entries, { now: now(), confirm });
  return true;
}

interface Teacher {
  translation: Translation;
  component: Component;
  project: MemoryProject;
}

/** Where units come from; null when nothing is learned from them: source texts, terms of glossaries, what is gone. */
async function teacherOf(deps: GrowDeps, id: number): Promise<Teacher | null> {
  const translation = await deps.translations.get(id);
  if (!translation || translation.isSource) return null;
  const [component, project] = await Promise.all([
    deps.catalog.component(translation.component, ''),
    deps.projects.get(translation.project),
  ]);
  return component && project && !component.isGlossary ? { translation, component, project } : null;
}

function entriesOf(units: readonly Unit[], { translation, component, project }: Teacher): NewMemoryEntry[] {
  const { sourceLanguage } = component;
  return units
    .filter((unit) => unit.translation === translation.id)
    .flatMap((unit) => lessonsOf(unit, translation.language))
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
