import type { IncomingEvent } from '@parlance/events';
import type { Snapshot } from '../domain/counters';
import type { KnownObject, SnapshotStore } from '../domain/ports';
import { snapshotFromMessage } from '../app/snapshot-message';
import type { CountedEvent } from '../app/counted-events';

/** Name of the durable consumer; all replicas share its work. */
export const STORE_CONSUMER = 'statistics-counters';

/** Events that are stored at once: under load several edits of a translation become one write. */
export const STORE_BATCH = 500;
/** How long they are gathered, in milliseconds. Nobody waits for the store: answers come from the sums in memory. */
export const STORE_GATHER_MS = 500;

/**
 * Stores what a batch of events says. Within a batch only the newest snapshot of each translation is written; what was removed stays
 * removed whatever the order, so the order within a batch does not matter.
 */
export function storeSnapshots(store: SnapshotStore) {
  return async (events: IncomingEvent<CountedEvent>[]): Promise<void> => {
    const snapshots = new Map<number, Snapshot>();
    const added = new Map<string, KnownObject>();
    const removedTranslations = new Set<number>();
    const removed: KnownObject[] = [];
    const add = (object: KnownObject) => added.set(`${object.kind} ${object.id}`, object);
    for (const event of events) {
      const { payloadName, payload } = event;
      if (payloadName === 'translationUpdated') {
        const snapshot = snapshotFromMessage(payload as IncomingEvent<'translationUpdated'>['payload']);
        const known = snapshots.get(snapshot.translationId);
        if (!known || snapshot.revision > known.revision) snapshots.set(snapshot.translationId, snapshot);
      } else if (payloadName === 'translationDeleted') {
        removedTranslations.add((payload as IncomingEvent<'translationDeleted'>['payload']).translationId);
      } else {
        const { projectId, componentId } = payload as { projectId: number; componentId?: number };
        const object: KnownObject =
          componentId === undefined
            ? { kind: 'project', id: projectId, projectId }
            : { kind: 'component', id: componentId, projectId };
        if (payloadName === 'componentDeleted' || payloadName === 'projectDeleted') removed.push(object);
        else add(object);
      }
    }
    await store.addObjects([...added.values()]);
    await store.removeTranslations([...removedTranslations]);
    await store.removeObjects(removed);
    await store.save([...snapshots.values()].filter((s) => !removedTranslations.has(s.translationId)));
  };
}
