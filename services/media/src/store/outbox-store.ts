import { driverCollection } from '@parlance/store-kit';
import type { OutboxEntry, OutboxStore } from '@parlance/events';
import type { Models, ScreenshotDocument } from './models';

/** Events stored in screenshots' documents. */
export class MongoOutboxStore implements OutboxStore<number> {
  constructor(private readonly models: Models) {}

  async pending(beforeMs: number, limit: number): Promise<OutboxEntry<number>[]> {
    const found = await this.models.screenshots
      .find({ 'outbox.timeMs': { $lt: beforeMs } }, { outbox: 1 })
      .limit(limit)
      .lean<ScreenshotDocument[]>();
    return found.map((d) => ({ documentId: d._id, events: d.outbox }));
  }

  async remove(documentId: number, eventIds: string[]): Promise<void> {
    await driverCollection(this.models.screenshots).updateOne(
      { _id: documentId },
      {
        $pull: { outbox: { id: { $in: eventIds } } },
      },
    );
  }
}
