import type { Announcer, TranslationReader, UserLookup } from '../domain/ports';
import { anonymizeAuthor, type AnonymizeAuthorDeps } from './anonymize-author';

export interface FinishRestoredProjectDeps extends AnonymizeAuthorDeps {
  entities: Pick<UserLookup, 'deletedUsers'>;
  translations: AnonymizeAuthorDeps['translations'] & Pick<TranslationReader, 'many'>;
  announcer: Pick<Announcer, 'updated'>;
  /** Users who are named in data of a project outside its history. */
  people: (project: number) => Promise<number[]>;
  translationIds: (project: number) => Promise<number[]>;
}

/** Anonymizes people who were deleted after the backup, and announces the translations of a restored project. Idempotent. */
export async function finishRestoredProject(deps: FinishRestoredProjectDeps, project: number): Promise<void> {
  const people = await deps.people(project);
  const deleted = people.length > 0 ? await deps.entities.deletedUsers(people) : [];
  for (const person of deleted) await anonymizeAuthor(deps, person);
  const ids = await deps.translationIds(project);
  for (const translation of await deps.translations.many(ids)) await deps.announcer.updated(translation, 'any');
}
