import type { BatchConsumerOptions } from '@parlance/events';
import type { Feed } from '../app/outbound/feed';

/** Events per batch. The history is read once per subscription and batch. */
const BATCH = 200;
/** Debounce before a batch, in milliseconds. */
const GATHER_MS = 300;

/** Queues deliveries for new history entries. */
export function changesConsumer(
  feed: Pick<Feed, 'changed'>,
): BatchConsumerOptions<'translationUpdated' | 'changeMade'> {
  return {
    durable: 'hooks-changes',
    payloads: ['translationUpdated', 'changeMade'],
    batch: BATCH,
    gatherMs: GATHER_MS,
    handle: (events) => feed.changed([...new Set(events.map(({ payload }) => payload.projectId))]),
  };
}
