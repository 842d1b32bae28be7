import type { IncomingEvent } from '@parlance/events';
import type { Feed } from '../app/outbound/feed';

export const CHANGES_CONSUMER = 'hooks-changes';
export const changeEvents = ['translationUpdated', 'changeMade'] as const;
/** Events that are looked at together: however many there are, the history is read once for each subscription. */
export const CHANGES_BATCH = 200;
/** How long a delivery may wait for further changes of the same moment, in milliseconds. */
export const CHANGES_GATHER_MS = 300;

/** Queues deliveries of what the history has got. */
export function queueChanges(feed: Feed) {
  return async (events: IncomingEvent<(typeof changeEvents)[number]>[]): Promise<void> => {
    await feed.changed([...new Set(events.map((event) => event.payload.projectId))]);
  };
}
