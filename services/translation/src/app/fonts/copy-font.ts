import type { CheckMarks } from '../../domain/ports';
import type { FontSource, FontStore } from '../../domain/project-fonts';
import type { CacheInvalidation } from '../caches/interfaces';
import type { BackgroundChecks } from '../checks/background-checks';

export interface CopyFontDeps {
  fonts: FontStore;
  fontSource: FontSource;
  translations: Pick<CheckMarks, 'markRerun'>;
  cacheGeneration: CacheInvalidation;
  contextChecks: Pick<BackgroundChecks, 'scheduleRecheck'>;
}

/**
 * Copies a font that was added, or removes the copy of a deleted one, and schedules the checks of the project's strings. Idempotent and
 * independent of the order of events: the state at the source decides.
 */
export async function copyFont(deps: CopyFontDeps, project: number, id: number): Promise<void> {
  const { fonts, fontSource } = deps;
  const font = await fontSource.font(id);
  if (font) await fonts.put(font);
  // Another process may have handled the deletion before the copy was written.
  if (!font || !(await fontSource.font(id))) await fonts.remove(id);
  await deps.translations.markRerun({ project });
  await deps.cacheGeneration.changed();
  deps.contextChecks.scheduleRecheck();
}
