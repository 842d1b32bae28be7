import { driverCollection, insertUnique } from '@parlance/store-kit';
import type { Delivery } from '../domain/outbound/delivery';
import type { DeliveryFilter, DeliveryStore } from '../domain/ports';
import type { DeliveryDocument, Models } from './models';

const toDelivery = ({ _id, created, ...rest }: DeliveryDocument): Delivery => ({
  id: _id,
  createdMs: created.getTime(),
  ...rest,
});

/** Outbound deliveries in MongoDB: both the queue and its history. */
export class MongoDeliveryStore implements DeliveryStore {
  constructor(private readonly models: Models) {}

  private get collection() {
    return driverCollection(this.models.deliveries);
  }

  async add(deliveries: readonly Delivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    // Unique by subscription and change, so that queueing is idempotent.
    const documents = deliveries.map(({ id, createdMs, ...rest }) => ({
      _id: id,
      created: new Date(createdMs),
      ...rest,
    }));
    await insertUnique(this.collection, documents);
  }

  async get(id: string): Promise<Delivery | undefined> {
    const found = await this.models.deliveries.findById(id).lean<DeliveryDocument | null>();
    return found ? toDelivery(found) : undefined;
  }

  async list(
    { subscriptionId, state }: DeliveryFilter,
    skip: number,
    limit: number,
  ): Promise<{ deliveries: Delivery[]; total: number }> {
    const filter = { ...(subscriptionId === 0 ? {} : { subscriptionId }), ...(state === undefined ? {} : { state }) };
    const [documents, total] = await Promise.all([
      this.models.deliveries
        .find(filter)
        .sort({ created: -1, _id: -1 })
        .skip(skip)
        .limit(limit)
        .lean<DeliveryDocument[]>(),
      this.models.deliveries.countDocuments(filter),
    ]);
    return { deliveries: documents.map(toDelivery), total };
  }

  async claim(now: number, untilMs: number): Promise<Delivery | undefined> {
    const found = await this.collection.findOneAndUpdate(
      { state: 'pending', nextAttemptMs: { $lte: now } },
      { $set: { nextAttemptMs: untilMs }, $inc: { attempts: 1 } },
      { sort: { nextAttemptMs: 1 }, returnDocument: 'after' },
    );
    return found ? toDelivery(found) : undefined;
  }

  async finish(
    id: string,
    attempts: number,
    outcome: Pick<Delivery, 'state' | 'lastStatus' | 'lastError' | 'nextAttemptMs'>,
  ): Promise<void> {
    // A replica that took over after the lease expired has counted another attempt.
    await this.collection.updateOne({ _id: id, attempts, state: 'pending' }, { $set: outcome });
  }

  async retry(id: string, now: number): Promise<Delivery | undefined> {
    const found = await this.collection.findOneAndUpdate(
      { _id: id },
      { $set: { state: 'pending', attempts: 0, nextAttemptMs: now } },
      { returnDocument: 'after' },
    );
    return found ? toDelivery(found) : undefined;
  }

  async remove(id: string): Promise<boolean> {
    return (await this.collection.deleteMany({ _id: id })).deletedCount === 1;
  }
}
