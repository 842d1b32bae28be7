import { countUpTo, driverCollection } from '@parlance/store-kit';
import type { OutboxEntry, OutboxStore, OutgoingEvent } from '@parlance/events';
import type { Models } from './models';

/** Identifies a document with events. */
export interface StoreOutboxLocation {
  collection: 'projects' | 'nodes' | 'addons';
  id: number;
}

const collections = ['projects', 'nodes', 'addons'] as const;

/** Finds events left in the outboxes of documents. */
export class MongoOutboxStore implements OutboxStore<StoreOutboxLocation> {
  constructor(private readonly models: Models) {}

  async pending(beforeMs: number, limit: number): Promise<OutboxEntry<StoreOutboxLocation>[]> {
    const entries: OutboxEntry<StoreOutboxLocation>[] = [];
    for (const collection of collections) {
      if (entries.length >= limit) break;
      const found = await driverCollection<{ _id: number; outbox: OutgoingEvent[] }>(this.models[collection])
        .find({ 'outbox.timeMs': { $lt: beforeMs } }, { projection: { outbox: 1 }, limit: limit - entries.length })
        .toArray();
      for (const d of found) {
        entries.push({ documentId: { collection, id: d._id }, events: d.outbox });
      }
    }
    return entries;
  }

  count(beforeMs: number, limit: number): Promise<number> {
    const all = collections.map((name) => this.models[name].collection);
    return countUpTo(all, { 'outbox.timeMs': { $lt: beforeMs } }, limit);
  }

  async remove({ collection, id }: StoreOutboxLocation, eventIds: string[]): Promise<void> {
    const documents = driverCollection<{ _id: number; outbox: OutgoingEvent[] }>(this.models[collection]);
    await documents.updateOne({ _id: id }, { $pull: { outbox: { id: { $in: eventIds } } } });
  }
}

/** Purges documents of objects that were deleted before a time and whose events are published; returns their number. */
export async function purgeRemoved(models: Models, beforeMs: number): Promise<number> {
  const old = { updatedMs: { $lt: beforeMs } };
  const results = await Promise.all([
    models.projects.collection.deleteMany({ ...old, removed: true, outbox: { $size: 0 } }),
    models.nodes.collection.deleteMany({ ...old, kind: 'removed', outbox: { $size: 0 } }),
    models.languages.collection.deleteMany({ ...old, removed: true }),
    models.addons.collection.deleteMany({ ...old, removed: true, outbox: { $size: 0 } }),
  ]);
  return results.reduce((sum, r) => sum + r.deletedCount, 0);
}
