import { retryLost } from './edit/contention';
import { hasCurrentName, renameAuthor } from '../domain/pending';
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
 * Replaces the name and address of a deleted user by the placeholder where they would still be published: pending edits and the last
 * author of translations. Idempotent.
 */
export async function anonymizeAuthor(deps: AnonymizeAuthorDeps, person: Author): Promise<void> {
  await deps.suggestions.forgetAuthor(person.userId);
  await deps.removals.renameAuthor(person);
  const pending = await deps.units.pendingOfAuthor(await deps.translations.components(), person.userId);
  await retryLost(pending, async (todo) => {
    const late = await deps.units.writeMany(
      todo.map(({ id, version, edits }) => ({ unit: id, version, patch: { edits: renameAuthor(edits, person) } })),
    );
    return (await deps.units.many(late)).filter(({ edits }) => !hasCurrentName(edits, person));
  });
  for (const translation of await deps.translations.renameLastAuthor(person.userId, person.fullName))
    await deps.announcer.updated(translation, 'any');
}
