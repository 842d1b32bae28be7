import { countUpTo, driverCollection } from '@parlance/store-kit';
import type { OutboxEntry, OutboxStore } from '@parlance/events';
import type { OutboxId } from '../domain/ports';
import type { FontDocument, Models, ScreenshotDocument } from './models';

/** Events stored in the documents of screenshots and fonts. */
export class MongoOutboxStore implements OutboxStore<OutboxId> {
  constructor(private readonly models: Pick<Models, 'screenshots' | 'fonts'>) {}

  async pending(beforeMs: number, limit: number): Promise<OutboxEntry<OutboxId>[]> {
    const filter = { 'outbox.timeMs': { $lt: beforeMs } };
    const [screenshots, fonts] = await Promise.all([
      this.models.screenshots.find(filter, { outbox: 1 }).limit(limit).lean<ScreenshotDocument[]>(),
      this.models.fonts.find(filter, { outbox: 1 }).limit(limit).lean<FontDocument[]>(),
    ]);
    return [
      ...screenshots.map((d) => ({ documentId: { of: 'screenshots' as const, id: d._id }, events: d.outbox })),
      ...fonts.map((d) => ({ documentId: { of: 'fonts' as const, id: d._id }, events: d.outbox })),
    ];
  }

  count(beforeMs: number, limit: number): Promise<number> {
    const all = [this.models.screenshots.collection, this.models.fonts.collection];
    return countUpTo(all, { 'outbox.timeMs': { $lt: beforeMs } }, limit);
  }

  async remove({ of, id }: OutboxId, eventIds: string[]): Promise<void> {
    const published = { $pull: { outbox: { id: { $in: eventIds } } } };
    if (of === 'fonts') await driverCollection(this.models.fonts).updateOne({ _id: id }, published);
    else await driverCollection(this.models.screenshots).updateOne({ _id: id }, published);
  }
}
