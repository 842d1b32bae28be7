import type { IncomingEvent } from '@parlance/events';
import { anonymizeAuthor, type AnonymizeAuthorDeps } from '../app/anonymize-author';
import type { UserLookup } from '../domain/ports';

export interface UserDeletedDeps extends AnonymizeAuthorDeps {
  entities: Pick<UserLookup, 'deletedUsers'>;
}

/** Anonymizes deleted users outside the history. Idempotent. */
export function userDeleted(deps: UserDeletedDeps) {
  return async (events: IncomingEvent<'userDeleted'>[]): Promise<void> => {
    const ids = [...new Set(events.map(({ payload }) => payload.userId))];
    for (const person of await deps.entities.deletedUsers(ids)) await anonymizeAuthor(deps, person);
  };
}
