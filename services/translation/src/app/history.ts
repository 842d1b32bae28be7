import type { Change } from '../domain/change';
import type { Translation } from '../domain/translation';
import { timeAfter, type Author, type Unit } from '../domain/unit';
import type { Announcer, HistoryWriter, Ids, LastChange, TranslationCounters } from '../domain/ports';

export interface RecordChangesDeps {
  changes: Pick<HistoryWriter, 'insert'>;
  ids: Ids;
  translations: Pick<TranslationCounters, 'touch'>;
  announcer: Pick<Announcer, 'updated'>;
}

/** A history entry that has no id yet. */
export type ChangeDraft = Omit<Change, 'id'>;

/** How plural forms are joined where the API shows a text as one string. */
const PLURAL_SEPARATOR = '\u001e\u001e';

/** A text with all its plural forms as the history shows it. */
export function historyText(forms: readonly string[]): string {
  return forms.join(PLURAL_SEPARATOR);
}

/** History entry about a unit, with a time after the unit's last write. */
export function changeOf(
  unit: Unit,
  author: Pick<Author, 'userId'>,
  time: number,
  action: number,
  target: string,
  old: string,
  details: Record<string, unknown>,
): ChangeDraft {
  return {
    action,
    time: timeAfter(unit, time),
    project: unit.project,
    component: unit.component,
    translation: unit.translation,
    unit: unit.id,
    language: unit.language,
    user: author.userId,
    author: author.userId,
    target,
    old,
    details,
  };
}

/**
 * History entry about a translation as a whole.
 * @param user acting user; may differ from the author
 */
export function changeOfTranslation(
  translation: Translation,
  author: Pick<Author, 'userId'>,
  user: number,
  time: number,
  action: number,
  details: Record<string, unknown>,
): ChangeDraft {
  return {
    action,
    time,
    project: translation.project,
    component: translation.component,
    translation: translation.id,
    unit: 0,
    language: translation.language.code,
    user,
    author: author.userId,
    target: '',
    old: '',
    details,
  };
}

/** Allocates the ids of history entries. */
export async function numberChanges(deps: { ids: Ids }, changes: readonly ChangeDraft[]): Promise<Change[]> {
  if (changes.length === 0) return [];
  const ids = await deps.ids.range('change', changes.length);
  return changes.map((change, i) => ({ ...change, id: ids[i]! }));
}

/** Author of a translation's last change. @param user acting user; may differ from the author */
export function lastChangeBy(author: Author, user: number): NonNullable<LastChange['by']> {
  return { author: author.fullName || author.username, authorId: author.userId, user };
}

/**
 * Inserts history entries outside of unit writes and updates the last change of their translations. Idempotent for entries with `once`.
 * @param by the new last author; null keeps the last author
 */
export async function recordChanges(
  deps: RecordChangesDeps,
  changes: readonly ChangeDraft[],
  by: LastChange['by'] = null,
): Promise<void> {
  await deps.changes.insert(await numberChanges(deps, changes));
  const newest = new Map<number, number>();
  for (const { translation, time } of changes)
    if (translation !== 0) newest.set(translation, Math.max(time, newest.get(translation) ?? 0));
  for (const [translation, time] of newest) {
    const touched = await deps.translations.touch(translation, { time, by });
    if (touched) await deps.announcer.updated(touched, []);
  }
}
