import type { OutboxEntry, OutboxStore, OutgoingEvent } from '@parlance/events';
import { driverCollection, isDuplicateKey } from '@parlance/store-kit';
import type { InboundDelivery, InboundStore } from '../domain/ports';
import type { InboundDocument, Models } from './models';

const toDelivery = ({
  _id,
  received,
  fingerprint = '',
  outbox: _outbox,
  projects: _projects,
  ...rest
}: InboundDocument): InboundDelivery => ({
  ...rest,
  id: _id,
  receivedMs: received.getTime(),
  fingerprint,
});

/** Inbound deliveries in MongoDB with their outboxes. */
export class MongoInboundStore implements InboundStore, OutboxStore<string> {
  constructor(private readonly models: Models) {}

  async get(id: string): Promise<InboundDelivery | undefined> {
    const found = await this.models.inbound.findById(id).lean<InboundDocument | null>();
    return found ? toDelivery(found) : undefined;
  }

  async find(fingerprint: string): Promise<InboundDelivery | undefined> {
    const found = await this.models.inbound.findOne({ fingerprint }).lean<InboundDocument | null>();
    return found ? toDelivery(found) : undefined;
  }

  async findSigned(digest: string, afterMs: number): Promise<InboundDelivery | undefined> {
    const found = await this.models.inbound
      .findOne({ signedDigest: digest, received: { $gt: new Date(afterMs) } })
      .lean<InboundDocument | null>();
    return found ? toDelivery(found) : undefined;
  }

  async noteTriggers(componentIds: readonly number[], quietMs: number): Promise<Set<number>> {
    const quiet = await Promise.all(
      [...new Set(componentIds)].map(async (id) => ((await this.noteTrigger(id, quietMs)) ? [id] : [])),
    );
    return new Set(quiet.flat());
  }

  /** Records a trigger of a component if the last recorded one is old enough; returns whether it was recorded. */
  private async noteTrigger(componentId: number, quietMs: number): Promise<boolean> {
    const now = new Date();
    try {
      const { matchedCount, upsertedCount } = await this.models.triggers.updateOne(
        { _id: componentId, at: { $lte: new Date(now.getTime() - quietMs) } },
        { $set: { at: now } },
        { upsert: true },
      );
      return matchedCount + upsertedCount > 0;
    } catch (error) {
      // The recorded trigger is younger, so the upsert failed with a duplicate key.
      if (!isDuplicateKey(error)) throw error;
      return false;
    }
  }

  async add({ id, receivedMs, fingerprint, ...rest }: InboundDelivery, events: OutgoingEvent[]): Promise<boolean> {
    const document: InboundDocument = {
      _id: id,
      ...rest,
      ...(fingerprint ? { fingerprint } : {}),
      received: new Date(receivedMs),
      projects: [...new Set(rest.pulls.map((p) => p.projectId))],
      outbox: events,
    };
    try {
      await driverCollection(this.models.inbound).insertOne(document);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async ofProject(
    projectId: number,
    skip: number,
    limit: number,
  ): Promise<{ deliveries: InboundDelivery[]; total: number }> {
    const filter = projectId === 0 ? {} : { projects: projectId };
    const [documents, total] = await Promise.all([
      this.models.inbound
        .find(filter, { outbox: 0 })
        .sort({ received: -1, _id: -1 })
        .skip(skip)
        .limit(limit)
        .lean<InboundDocument[]>(),
      this.models.inbound.countDocuments(filter),
    ]);
    return { deliveries: documents.map(toDelivery), total };
  }

  async pending(beforeMs: number, limit: number): Promise<OutboxEntry<string>[]> {
    const documents = await this.models.inbound
      .find({ 'outbox.timeMs': { $lt: beforeMs } }, { outbox: 1 })
      .limit(limit)
      .lean<InboundDocument[]>();
    return documents.map((d) => ({ documentId: d._id, events: d.outbox }));
  }

  async count(beforeMs: number, limit: number): Promise<number> {
    return this.models.inbound.countDocuments({ 'outbox.timeMs': { $lt: beforeMs } }, { limit });
  }

  async remove(documentId: string, eventIds: string[]): Promise<void> {
    await driverCollection(this.models.inbound).updateOne(
      { _id: documentId },
      {
        $pull: { outbox: { id: { $in: eventIds } } },
      },
    );
  }
}
