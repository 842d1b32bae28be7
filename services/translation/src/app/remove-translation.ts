import { Action } from '../domain/change';
import { NO_AUTHOR } from '../domain/pending';
import type { Translation } from '../domain/translation';
import type { Author } from '../domain/unit';
import { changeOf, changeOfTranslation, historyText, numberChanges } from './history';
import type {
  Announcer,
  Catalog,
  Clock,
  ContentGenerations,
  HistoryWriter,
  Ids,
  PendingUnits,
  TranslationWriter,
  UnitRemover,
} from '../domain/ports';
import type { CacheInvalidation, Glossary } from './caches/interfaces';

export interface RemoveTranslationDeps extends Clock {
  units: Pick<PendingUnits, 'pendingOfTranslation'> & Pick<UnitRemover, 'beginRemoval' | 'removeOfTranslation'>;
  translations: Pick<TranslationWriter, 'remove'>;
  changes: Pick<HistoryWriter, 'insert'>;
  ids: Ids;
  announcer: Pick<Announcer, 'deleted'>;
  catalog: Catalog;
  glossary: Glossary;
  cacheGeneration: CacheInvalidation;
  contents: ContentGenerations;
}

/** Removes a translation and its strings. The history keeps its pending edits. */
export async function removeTranslation(
  deps: RemoveTranslationDeps,
  translation: Translation,
  by: Author | null,
): Promise<void> {
  // Published first: a removed translation cannot be published later.
  await deps.announcer.deleted(translation);
  const waiting = await deps.units.pendingOfTranslation(translation);
  const author = by ?? NO_AUTHOR;
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
  // The entry belongs to the component.
  changes.push({ ...removed, translation: 0, target: translation.filename || translation.language.code });
  await deps.changes.insert(await numberChanges(deps, changes));
  await deps.units.beginRemoval(translation);
  await deps.translations.remove(translation.id);
  // Gateways cache the translations of a component.
  await deps.cacheGeneration.changed();
  await deps.contents.changed([translation]);
  await deps.units.removeOfTranslation(translation);
  if ((await deps.catalog.component(translation.component, ''))?.isGlossary)
    await deps.glossary.termsChanged(translation.project, translation.language.code);
}
