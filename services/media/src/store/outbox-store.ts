import { countUpTo, driverCollection } from '@parlance/store-kit';
import type { OutboxEntry, OutboxStore } from '@parlance/events';
import type { ContentGenerations, OutboxId } from '../domain/ports';
import type { FontDocument, Models, ScreenshotDocument } from './models';

type DocumentWithEvents = Pick<FontDocument, '_id' | 'projectId' | 'outbox'> &
  Partial<Pick<ScreenshotDocument, 'componentId'>>;

const ofPlace = { projectId: 1, componentId: 1 };

/** Events stored in the documents of screenshots and fonts. */
export class MongoOutboxStore implements OutboxStore<OutboxId> {
  constructor(
    private readonly models: Pick<Models, 'screenshots' | 'fonts'>,
    private readonly contents: ContentGenerations,
  ) {}

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
    const documents = driverCollection<DocumentWithEvents>(
      of === 'fonts' ? this.models.fonts : this.models.screenshots,
    );
    const found = await documents.findOneAndUpdate({ _id: id }, published, { projection: ofPlace });
    // The process that wrote the document may have ended before it invalidated replies about it.
    if (found) await this.contents.changed([{ project: found.projectId, component: found.componentId ?? 0 }]);
  }
}
