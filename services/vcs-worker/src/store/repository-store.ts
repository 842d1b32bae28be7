import { driverCollection } from '@parlance/store-kit';
import type { OutboxEntry, OutgoingEvent } from '@parlance/events';
import {
  LeaseLostError,
  type Repository,
  type RepositoryChange,
  type RepositoryEntry,
  type RepositoryFilter,
  type RepositoryStore,
} from '../domain/repository';
import type { ContentGenerations } from '../domain/ports';
import { placesOf } from './component-index';
import type { Models, RepositoryDocument } from './models';
import type { PageRequest } from '../domain/page';

function toRepository(document: RepositoryDocument): Repository {
  const {
    _id,
    leaseOwner: _owner,
    leaseTicket: _ticket,
    leaseUntil: _until,
    queue: _queue,
    outbox: _outbox,
    createdAt: _created,
    ...rest
  } = document;
  // Documents of older versions do not have these fields.
  return {
    ...rest,
    id: _id,
    former: rest.former ?? null,
    maintained: rest.maintained ?? null,
    pushedAddress: rest.pushedAddress ?? '',
  };
}

const released = { leaseOwner: '', leaseTicket: '', leaseUntil: new Date(0) };

/** Repositories in MongoDB. */
export class MongoRepositoryStore implements RepositoryStore {
  constructor(
    private readonly models: Pick<Models, 'repositories' | 'components'>,
    private readonly contents: ContentGenerations,
  ) {}

  async insert(repository: Repository): Promise<void> {
    const { id, ...rest } = repository;
    await driverCollection(this.models.repositories).insertOne({
      _id: id,
      ...rest,
      ...released,
      queue: [],
      outbox: [],
      createdAt: new Date(),
    });
  }

  private async one(filter: Record<string, unknown>): Promise<Repository | null> {
    const found = await this.models.repositories.findOne(filter).lean<RepositoryDocument>();
    return found && toRepository(found);
  }

  get(id: string): Promise<Repository | null> {
    return this.one({ _id: id });
  }

  async byIds(ids: readonly string[]): Promise<Repository[]> {
    if (ids.length === 0) return [];
    const found = await this.models.repositories.find({ _id: { $in: [...ids] } }).lean<RepositoryDocument[]>();
    return found.map(toRepository);
  }

  ofOwner(component: number): Promise<Repository | null> {
    return this.one({ owner: component });
  }

  ofTask(task: string): Promise<Repository | null> {
    return this.one({ task });
  }

  async claim(id: string, owner: number): Promise<boolean> {
    const result = await this.models.repositories.updateOne(
      { _id: id, $or: [{ owner: null }, { owner }] },
      { $set: { owner } },
    );
    await this.changed(id);
    return result.matchedCount === 1;
  }

  async remove(id: string): Promise<void> {
    await this.models.repositories.deleteMany({ _id: id });
    await this.changed(id);
  }

  async findUnclaimed(before: Date, limit: number): Promise<Repository[]> {
    const found = await this.models.repositories
      .find({ owner: null, createdAt: { $lt: before } })
      .limit(limit)
      .lean<RepositoryDocument[]>();
    return found.map(toRepository);
  }

  async write(id: string, token: number, change: RepositoryChange, events: readonly OutgoingEvent[]): Promise<void> {
    const update = {
      ...(Object.keys(change).length > 0 ? { $set: change } : {}),
      ...(events.length > 0 ? { $push: { outbox: { $each: [...events] } } } : {}),
    };
    if (Object.keys(update).length === 0) return;
    const result = await this.models.repositories.updateOne({ _id: id, token }, update);
    if (result.matchedCount === 0) throw new LeaseLostError();
    if (Object.keys(change).length > 0) await this.changed(id);
  }

  /** Invalidates replies about the state of a repository. Components that are added to it later invalidate their own. */
  private async changed(id: string): Promise<void> {
    await this.contents.changed(await placesOf(this.models, id));
  }

  async list({ failed, unpushed, unmerged, leased }: RepositoryFilter, page: PageRequest): Promise<RepositoryEntry[]> {
    const now = new Date();
    const conditions = [
      ...(failed ? [{ failure: { $gt: '' } }] : []),
      ...(unpushed ? [{ unpushedSince: { $gt: 0 } }] : []),
      ...(unmerged ? [{ behind: { $gt: 0 } }] : []),
      ...(leased ? [{ leaseUntil: { $gt: now } }] : []),
    ];
    const found = await this.models.repositories
      .find({ owner: { $gt: 0 }, ...(conditions.length > 0 ? { $or: conditions } : {}) })
      .sort({ owner: 1 })
      .skip(page.skip)
      .limit(page.size)
      .lean<RepositoryDocument[]>();
    return found.map((document) => ({
      ...toRepository(document),
      owner: document.owner!,
      leaseHolder: document.leaseUntil > now ? document.leaseOwner : '',
      queueLength: document.queue.length,
    }));
  }

  async enqueue(id: string, ticket: string, worker: string): Promise<boolean> {
    const result = await this.models.repositories.updateOne(
      { _id: id, 'queue.id': { $ne: ticket } },
      { $push: { queue: { id: ticket, worker } } },
    );
    return result.matchedCount === 1;
  }

  async acquire(id: string, worker: string, ticket: string, until: Date): Promise<Repository | null> {
    const taken = await this.models.repositories
      .findOneAndUpdate(
        {
          _id: id,
          'queue.0.worker': worker,
          'queue.id': ticket,
          $or: [{ leaseUntil: { $lt: new Date() } }, { leaseTicket: ticket }],
        },
        { $inc: { token: 1 }, $set: { leaseOwner: worker, leaseTicket: ticket, leaseUntil: until } },
        { returnDocument: 'after' },
      )
      .lean<RepositoryDocument>();
    return taken && toRepository(taken);
  }

  async renew(id: string, token: number, until: Date): Promise<boolean> {
    return (
      (await this.models.repositories.updateOne({ _id: id, token }, { $set: { leaseUntil: until } })).matchedCount === 1
    );
  }

  async release(id: string, ticket: string): Promise<void> {
    const removal = { $pull: { queue: { id: ticket } } };
    const result = await this.models.repositories.updateOne(
      { _id: id, leaseTicket: ticket },
      { $set: released, ...removal },
    );
    if (result.matchedCount === 0) await this.models.repositories.updateOne({ _id: id }, removal);
  }

  async ticketsOf(worker: string): Promise<{ repository: string; ticket: string }[]> {
    const found = await this.models.repositories
      .find({ 'queue.worker': worker }, { queue: 1 })
      .lean<Pick<RepositoryDocument, '_id' | 'queue'>[]>();
    return found.flatMap(({ _id, queue }) =>
      queue.filter((entry) => entry.worker === worker).map((entry) => ({ repository: _id, ticket: entry.id })),
    );
  }

  async dropTickets(id: string, alive: readonly string[]): Promise<void> {
    await this.models.repositories.updateOne({ _id: id }, { $pull: { queue: { worker: { $nin: [...alive] } } } });
  }

  async releaseAll(worker: string): Promise<void> {
    await this.models.repositories.updateMany({ 'queue.worker': worker }, { $pull: { queue: { worker } } });
    await this.models.repositories.updateMany({ leaseOwner: worker }, { $set: released });
  }

  async pending(beforeMs: number, limit: number): Promise<OutboxEntry<string>[]> {
    const found = await this.models.repositories
      .find({ 'outbox.timeMs': { $lt: beforeMs } }, { outbox: 1 })
      .limit(limit)
      .lean<Pick<RepositoryDocument, '_id' | 'outbox'>[]>();
    return found.map((document) => ({ documentId: document._id, events: document.outbox }));
  }

  async countUnpublished(beforeMs: number, limit: number): Promise<number> {
    return this.models.repositories.countDocuments({ 'outbox.timeMs': { $lt: beforeMs } }, { limit });
  }

  async removeEvents(id: string, eventIds: string[]): Promise<void> {
    await this.models.repositories.updateOne({ _id: id }, { $pull: { outbox: { id: { $in: eventIds } } } });
  }
}
