import { driverCollection, type IdSequences } from '@parlance/store-kit';
import type { Subscription } from '../domain/outbound/subscription';
import { StaleError, type SubscriptionStore } from '../domain/ports';
import type { Models, SubscriptionDocument } from './models';

const toSubscription = ({ _id, ...rest }: SubscriptionDocument): Subscription => ({ id: _id, ...rest });

/** Outbound subscriptions in MongoDB. */
export class MongoSubscriptionStore implements SubscriptionStore {
  constructor(
    private readonly models: Models,
    private readonly ids: IdSequences,
  ) {}

  async get(id: number): Promise<Subscription | undefined> {
    const found = await this.models.subscriptions.findById(id).lean<SubscriptionDocument | null>();
    return found ? toSubscription(found) : undefined;
  }

  async ofAddon(addonId: number): Promise<Subscription | undefined> {
    const found = await this.models.subscriptions.findOne({ addonId }).lean<SubscriptionDocument | null>();
    return found ? toSubscription(found) : undefined;
  }

  async list(
    projectId: number,
    skip: number,
    limit: number,
  ): Promise<{ subscriptions: Subscription[]; total: number }> {
    const [documents, total] = await Promise.all([
      this.models.subscriptions
        .find({ projectId })
        .sort({ _id: 1 })
        .skip(skip)
        .limit(limit)
        .lean<SubscriptionDocument[]>(),
      this.models.subscriptions.countDocuments({ projectId }),
    ]);
    return { subscriptions: documents.map(toSubscription), total };
  }

  async listInterested(projectIds: readonly number[]): Promise<Subscription[]> {
    const documents = await this.models.subscriptions
      .find({ projectId: { $in: [0, ...projectIds] }, enabled: true })
      .lean<SubscriptionDocument[]>();
    return documents.map(toSubscription);
  }

  async add(subscription: Omit<Subscription, 'id' | 'version'>): Promise<Subscription> {
    const stored = { ...subscription, id: await this.ids.next('subscription'), version: 1 };
    const { id, ...rest } = stored;
    await driverCollection(this.models.subscriptions).insertOne({ _id: id, ...rest });
    return stored;
  }

  async replace(subscription: Subscription): Promise<Subscription> {
    // Fields of the sender do not change the version.
    const { id, version, seenMs: _seen, lastSuccessMs: _success, lastFailureMs: _failure, ...rest } = subscription;
    const { matchedCount } = await driverCollection(this.models.subscriptions).updateOne(
      { _id: id, version },
      { $set: { ...rest, version: version + 1 } },
    );
    if (matchedCount === 0) throw new StaleError();
    return { ...subscription, version: version + 1 };
  }

  async markSeen(id: number, timeMs: number): Promise<void> {
    await driverCollection(this.models.subscriptions).updateOne({ _id: id }, { $max: { seenMs: timeMs } });
  }

  async noteAttempt(id: number, succeeded: boolean, timeMs: number): Promise<void> {
    await driverCollection(this.models.subscriptions).updateOne(
      { _id: id },
      { $set: { [succeeded ? 'lastSuccessMs' : 'lastFailureMs']: timeMs } },
    );
  }

  async remove(id: number): Promise<void> {
    await driverCollection(this.models.subscriptions).deleteMany({ _id: id });
    await this.models.deliveries.collection.deleteMany({ subscriptionId: id });
  }

  async removeOf(place: { projectId: number } | { componentId: number }): Promise<void> {
    for (const { _id } of await this.models.subscriptions.find(place, { _id: 1 }).lean<{ _id: number }[]>())
      await this.remove(_id);
  }
}
