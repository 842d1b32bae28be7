import type { Component } from '../../domain/component';
import { lessonsOf, type NewMemoryEntry } from '../../domain/memory/entry';
import type { MemoryProject } from '../../domain/memory/ports';
import type { Translation } from '../../domain/translation';
import type { Unit } from '../../domain/unit';
import type { Parts } from '../parts';
import { sharesTexts } from './access';
import type { MemoryParts } from './parts';

/** Units that are learned from at once when a whole translation is read: few, so that nobody waits long for the store. */
const BATCH = 100;

/** What learning needs. */
export type GrowParts = Pick<Parts, 'units' | 'translations'> & {
  catalog: Pick<Parts['catalog'], 'component'>;
} & MemoryParts;

/** What some units of one translation teach goes into the memory. Repeatable. */
export async function learnFromUnits(parts: GrowParts, translation: number, units: readonly number[]): Promise<void> {
  const teacher = await teacherOf(parts, translation);
  if (!teacher) return;
  await parts.store.add(entriesOf(await parts.units.many(units), teacher), { now: parts.now(), confirm: true });
}

/**
 * What a whole translation teaches goes into the memory. Repeatable.
 * @param pause waits between parts of the work, for as long as they took or longer, so that it stays in the background
 */
export async function learnFromTranslation(
  parts: GrowParts,
  translation: number,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const teacher = await teacherOf(parts, translation);
  if (!teacher) return;
  const units = await parts.units.ofTranslation(translation);
  for (let at = 0; at < units.length; at += BATCH) {
    const startedAt = performance.now();
    const entries = entriesOf(units.slice(at, at + BATCH), teacher);
    await parts.store.add(entries, { now: parts.now(), confirm: false });
    if (at + BATCH < units.length) await pause(performance.now() - startedAt);
  }
}

interface Teacher {
  translation: Translation;
  component: Component;
  project: MemoryProject;
}

/** Where units come from; null when nothing is learned from them: source texts, terms of glossaries, what is gone. */
async function teacherOf(parts: GrowParts, id: number): Promise<Teacher | null> {
  const translation = await parts.translations.get(id);
  if (!translation || translation.isSource) return null;
  const [component, project] = await Promise.all([
    parts.catalog.component(translation.component, ''),
    parts.projects.get(translation.project),
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
