import { isRenamed, renamed } from '../domain/pending';
import type { Author } from '../domain/unit';
import type { Deps } from './deps';

type Needed = Pick<Deps, 'suggestions' | 'removals' | 'units' | 'translations' | 'announcer'>;

/**
 * Puts what a deleted user is called now in place of the name and address they had, wherever these would still be published: in
 * commits of what they left pending, and as a translation's last author. What they wrote stays. Repeatable.
 */
export async function forgetPerson(parts: Needed, person: Author): Promise<void> {
  await parts.suggestions.forgetAuthor(person.userId);
  await parts.removals.renameAuthor(person);
  let todo = await parts.units.pendingOfAuthor(await parts.translations.components(), person.userId);
  while (todo.length > 0) {
    const late = await parts.units.writeMany(
      todo.map(({ id, version, edits }) => ({ unit: id, version, patch: { edits: renamed(edits, person) } })),
    );
    todo = (await parts.units.many(late)).filter(({ edits }) => !isRenamed(edits, person));
  }
  for (const translation of await parts.translations.renameLastAuthor(person.userId, person.fullName))
    await parts.announcer.updated(translation, 'any');
}
