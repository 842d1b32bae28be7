import { Action, type Change } from '../domain/change';
import type { Translation } from '../domain/translation';
import type { Author } from '../domain/unit';
import { PLURAL_SEPARATOR } from './conflicts';
import type { Parts } from './parts';

/** Removes a translation and its strings. What waited to be committed stays in the history. */
export async function removeTranslation(
  parts: Pick<Parts, 'units' | 'translations' | 'changes' | 'ids' | 'announcer' | 'now'>,
  translation: Translation,
  by: Author | null,
): Promise<void> {
  const waiting = (await parts.units.pendingOfComponent(translation.component)).filter(
    (u) => u.translation === translation.id,
  );
  const ids = await parts.ids.range('change', waiting.length + 1);
  const user = by?.userId ?? 0;
  const common = {
    time: parts.now(),
    project: translation.project,
    component: translation.component,
    language: translation.language.code,
    user,
    author: user,
  };
  const changes: Change[] = waiting.map((unit, i) => ({
    ...common,
    id: ids[i]!,
    action: Action.stringRemoved,
    translation: translation.id,
    unit: unit.id,
    target: unit.target.join(PLURAL_SEPARATOR),
    old: unit.target.join(PLURAL_SEPARATOR),
    details: { source: unit.source.join(PLURAL_SEPARATOR), context: unit.context, uncommitted: true },
  }));
  changes.push({
    ...common,
    id: ids.at(-1)!,
    action: Action.translationRemoved,
    translation: 0,
    unit: 0,
    target: translation.language.code,
    old: '',
    details: { filename: translation.filename },
  });
  await parts.changes.insert(changes);
  await parts.translations.remove(translation.id);
  await parts.units.removeOfTranslation(translation.id);
  await parts.announcer.deleted(translation);
}
