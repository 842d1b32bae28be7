import type { IncomingEvent } from '@parlance/events';
import { forgetPerson } from '../app/forget-person';
import type { Deps } from '../app/deps';

type Needed = Parameters<typeof forgetPerson>[0] & Pick<Deps, 'directory'>;

/** Forgets the names of people who are gone where they are not part of the history. Repeatable. */
export function peopleGone(parts: Needed) {
  return async (events: IncomingEvent<'userDeleted'>[]): Promise<void> => {
    const gone = [...new Set(events.map(({ payload }) => payload.userId))];
    for (const person of await parts.directory.deletedUsers(gone)) await forgetPerson(parts, person);
  };
}
