import type { BatchConsumerOptions } from '@parlance/events';
import type { ComponentIndex } from '../domain/repository';

const BATCH = 500;
/** Debounce of a batch in milliseconds; the check for old edits works in hours. */
const GATHER_MS = 1_000;

/** Records which components have new edits, so that the check for old edits reads only those. Idempotent. */
export function editsConsumer(index: Pick<ComponentIndex, 'recordEdits'>): BatchConsumerOptions<'translationUpdated'> {
  return {
    durable: 'vcs-worker-edits',
    payloads: ['translationUpdated'],
    batch: BATCH,
    gatherMs: GATHER_MS,
    async handle(events) {
      const components = new Set(events.map((event) => event.payload.componentId));
      await index.recordEdits([...components], Math.max(...events.map((event) => event.timeMs)));
    },
  };
}
