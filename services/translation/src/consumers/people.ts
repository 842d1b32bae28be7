import type { IncomingEvent } from '@parlance/events';
import type { Parts } from '../app/parts';

/** Forgets the names of people who are gone where they are not part of the history. Repeatable. */
export function peopleGone(parts: Pick<Parts, 'suggestions'>) {
  return async (events: IncomingEvent<'userDeleted'>[]): Promise<void> => {
    for (const { payload } of events) await parts.suggestions.forgetAuthor(payload.userId);
  };
}
