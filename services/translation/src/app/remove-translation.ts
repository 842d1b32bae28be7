import { Action } from '../domain/change';
import { nobody } from '../domain/pending';
import type { Translation } from '../domain/translation';
import type { Author } from '../domain/unit';
import { changeOf, changeOfTranslation, historyText, numberChanges } from './history';
import type { Deps } from './deps';

/** Removes a translation and its strings. What waited to be committed stays in the history. */
export async function removeTranslation(
  deps: Pick<Deps, 'units' | 'translations' | 'changes' | 'ids' | 'announcer' | 'now'>,
  translation: Translation,
  by: Author | null,
): Promise<void> {
  // First: what is gone cannot be announced later.
  await deps.announcer.deleted(translation);
  const waiting = (await deps.units.pendingOfComponent(translation.component)).filter(
    (u) => u.translation === translation.id,
  );
  const author = by ?? nobody;
  const time = deps.now();
  const changes = waiting.map((unit) =>
    changeOf(unit, author, time, Action.stringRemoved, historyText(unit.target), historyText(unit.target), {
      source: historyText(unit.source),
      context: unit.context,
      uncommitted: true,
    }),
  );
  const removed = changeOfTranslation(translation, author, author.userId, time, Action.translationRemoved, {
    filename: translation.filename,
  });
  // The entry stands with the component: the translation is gone.
  changes.push({ ...removed, translation: 0, target: translation.filename || translation.language.code });
  await deps.changes.insert(await numberChanges(deps, changes));
  await deps.translations.remove(translation.id);
  await deps.units.removeOfTranslation(translation.id);
}
