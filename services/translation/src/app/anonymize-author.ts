import { isRenamed, renamed } from '../domain/pending';
import type { Author } from '../domain/unit';
import type {
  Announcer,
  PendingUnits,
  RemovalStore,
  SuggestionStore,
  TranslationCounters,
  TranslationQueries,
  UnitReader,
  UnitWriter,
} from '../domain/ports';

export interface AnonymizeAuthorDeps {
  suggestions: Pick<SuggestionStore, 'forgetAuthor'>;
  removals: Pick<RemovalStore, 'renameAuthor'>;
  units: Pick<UnitReader, 'many'> & Pick<UnitWriter, 'writeMany'> & Pick<PendingUnits, 'pendingOfAuthor'>;
  translations: Pick<TranslationQueries, 'components'> & Pick<TranslationCounters, 'renameLastAuthor'>;
  announcer: Pick<Announcer, 'updated'>;
}

/**
 * Puts what a deleted user is called now in place of the name and address they had, wherever these would still be published: in
 * commits of what they left pending, and as a translation's last author. What they wrote stays. Repeatable.
 */
export async function anonymizeAuthor(deps: AnonymizeAuthorDeps, person: Author): Promise<void> {
  await deps.suggestions.forgetAuthor(person.userId);
  await deps.removals.renameAuthor(person);
  let todo = await deps.units.pendingOfAuthor(await deps.translations.components(), person.userId);
  while (todo.length > 0) {
    const late = await deps.units.writeMany(
      todo.map(({ id, version, edits }) => ({ unit: id, version, patch: { edits: renamed(edits, person) } })),
    );
    todo = (await deps.units.many(late)).filter(({ edits }) => !isRenamed(edits, person));
  }
  for (const translation of await deps.translations.renameLastAuthor(person.userId, person.fullName))
    await deps.announcer.updated(translation, 'any');
}
