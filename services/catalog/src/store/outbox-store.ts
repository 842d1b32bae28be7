import type { OutboxEntry, OutboxStore } from '@parlance/events';
import type { Models } from './models';

/** Where a document with events lies. */
export interface OutboxPlace {
  collection: 'projects' | 'nodes' | 'addons';
  id: number;
}

const collections = ['projects', 'nodes', 'addons'] as const;

/** Finds what is left in documents' outboxes. A removed document goes for good with its last event. */
export class MongoOutboxStore implements OutboxStore<OutboxPlace> {
  constructor(private readonly models: Models) {}

  async pending(beforeMs: number, limit: number): Promise<OutboxEntry<OutboxPlace>[]> {
    const entries: OutboxEntry<OutboxPlace>[] = [];
    for (const collection of collections) {
      if (entries.length >= limit) break;
      const found = await this.models[collection].collection
        .find({ 'outbox.timeMs': { $lt: beforeMs } }, { projection: { outbox: 1 }, limit: limit - entries.length })
        .toArray();
      for (const d of found as unknown as { _id: number; outbox: OutboxEntry<OutboxPlace>['events'] }[]) {
        entries.push({ documentId: { collection, id: d._id }, events: d.outbox });
      }
    }
    return entries;
  }

  async remove({ collection, id }: OutboxPlace, eventIds: string[]): Promise<void> {
    const documents = this.models[collection].collection;
    await documents.updateOne({ _id: id as never }, { $pull: { outbox: { id: { $in: eventIds } } } as never });
    const removed = collection === 'nodes' ? { kind: 'removed' } : { removed: true };
    await documents.deleteOne({ _id: id as never, ...removed, outbox: { $size: 0 } });
  }
}
