import { dispatch, type BatchConsumerOptions, type EventHandlers } from '@parlance/events';
import type { Snapshot } from '../domain/counters';
import type { KnownObject, SnapshotStore } from '../domain/ports';
import { snapshotFromMessage } from '../app/snapshot-message';
import { countedEvents, type CountedEvent } from '../app/counted-events';

/** Name of the durable consumer that all replicas share. */
export const STORE_CONSUMER = 'statistics-counters';

/** Events per batch: under load several edits of a translation become one write. */
const BATCH = 500;
/** Debounce before a batch, in milliseconds. Reads do not depend on it: they use the sums in memory. */
const GATHER_MS = 500;

/** Writes of one batch. */
class SnapshotBatch {
  private readonly snapshots = new Map<number, Snapshot>();
  private readonly added = new Map<string, KnownObject>();
  private readonly removedTranslations = new Set<number>();
  private readonly removed: KnownObject[] = [];

  /** Adds an event to the batch. */
  readonly handlers: EventHandlers<CountedEvent, unknown> = {
    translationUpdated: ({ payload }) => this.keepNewest(snapshotFromMessage(payload)),
    translationDeleted: ({ payload }) => this.removedTranslations.add(payload.translationId),
    componentCreated: ({ payload }) => this.add(componentObject(payload)),
    componentDeleted: ({ payload }) => this.removed.push(componentObject(payload)),
    projectCreated: ({ payload }) => this.add(projectObject(payload)),
    projectDeleted: ({ payload }) => this.removed.push(projectObject(payload)),
  };

  private add(object: KnownObject): void {
    this.added.set(`${object.kind} ${object.id}`, object);
  }

  private keepNewest(snapshot: Snapshot): void {
    const known = this.snapshots.get(snapshot.translationId);
    if (!known || snapshot.revision > known.revision) this.snapshots.set(snapshot.translationId, snapshot);
  }

  async save(store: SnapshotStore): Promise<void> {
    await store.addObjects([...this.added.values()]);
    await store.removeTranslations([...this.removedTranslations]);
    await store.removeObjects(this.removed);
    await store.save([...this.snapshots.values()].filter((s) => !this.removedTranslations.has(s.translationId)));
  }
}

const componentObject = ({ componentId, projectId }: { componentId: number; projectId: number }): KnownObject => ({
  kind: 'component',
  id: componentId,
  projectId,
});

const projectObject = ({ projectId }: { projectId: number }): KnownObject => ({
  kind: 'project',
  id: projectId,
  projectId,
});

/**
 * Stores a batch of events. Only the newest snapshot of each translation is written, and removals are final, so the order within a
 * batch does not matter.
 */
export function snapshotsConsumer(store: SnapshotStore): BatchConsumerOptions<CountedEvent> {
  return {
    durable: STORE_CONSUMER,
    payloads: countedEvents,
    batch: BATCH,
    gatherMs: GATHER_MS,
    async handle(events) {
      const batch = new SnapshotBatch();
      for (const event of events) dispatch(batch.handlers, event);
      await batch.save(store);
    },
  };
}
