import type { Model } from 'mongoose';
import type { Announcement, EntityUpdate, Page, VersionedStore, PageRequest } from '../domain/ports';
import { TakenError } from '../domain/ports';
import { isDuplicateKey, LOST_RACE, optimisticUpdate, retried } from '@parlance/store-kit';
import { pendingOf, type AnnouncementSink, type PendingAnnouncements } from './announcement-sink';

/** A stored entity: its id under _id, what is to be announced beside it. */
export type Stored<T extends { id: number }> = Omit<T, 'id'> & PendingAnnouncements & { _id: number };

const ATTEMPTS = 20;

/** Reads and writes entities of one collection under optimistic concurrency. */
export abstract class MongoVersionedStore<T extends { id: number; version: number }> implements VersionedStore<T> {
  /** The insertion that was begun last. */
  private inserting: Promise<unknown> = Promise.resolve();

  protected constructor(
    protected readonly model: Model<Stored<T>>,
    private readonly announcer: AnnouncementSink,
  ) {}

  abstract nextId(): Promise<number>;

  /** Fields that are computed from the entity, for indexes; always the same names. */
  protected derived(_entity: T): Record<string, unknown> {
    return {};
  }

  /** Names of the unique indexes, and the field that is taken when one is hurt. */
  protected readonly unique: Record<string, TakenError['field']> = {};

  /** Fields that are stored but are no part of the entity. */
  protected readonly extraFields: readonly string[] = [];

  private get projection(): Record<string, 0> {
    return Object.fromEntries(['outbox', 'auditTrail', ...this.extraFields].map((name) => [name, 0]));
  }

  private toEntity(stored: Stored<T>): T {
    const { _id, ...rest } = stored;
    return { id: _id, ...rest } as unknown as T;
  }

  protected async one(filter: Record<string, unknown>): Promise<T | undefined> {
    const stored = await this.model.findOne(filter, this.projection).lean<Stored<T>>().exec();
    return stored ? this.toEntity(stored) : undefined;
  }

  /** @param limit 0: none */
  protected async all(filter: Record<string, unknown>, limit = 0): Promise<T[]> {
    const found = this.model.find(filter, this.projection).sort({ _id: 1 }).limit(limit);
    const stored = await found.lean<Stored<T>[]>().exec();
    return stored.map((s) => this.toEntity(s));
  }

  protected async page(filter: Record<string, unknown>, pageRequest: PageRequest): Promise<Page<T>> {
    const [stored, total] = await Promise.all([
      this.model
        .find(filter, this.projection)
        .sort({ _id: 1 })
        .skip(pageRequest.skip)
        .limit(pageRequest.limit)
        .lean<Stored<T>[]>()
        .exec(),
      this.model.countDocuments(filter).exec(),
    ]);
    return { items: stored.map((s) => this.toEntity(s)), total };
  }

  protected async idsWhere(filter: Record<string, unknown>): Promise<number[]> {
    const found = await this.model.find(filter, { _id: 1 }).sort({ _id: 1 }).lean<{ _id: number }[]>().exec();
    return found.map((f) => f._id);
  }

  get(id: number): Promise<T | undefined> {
    return this.one({ _id: id });
  }

  many(ids: readonly number[]): Promise<T[]> {
    return ids.length === 0 ? Promise.resolve([]) : this.all({ _id: { $in: ids } });
  }

  async insert(entity: T, announcement: Announcement): Promise<void> {
    const pending = pendingOf(announcement);
    // One after the other: the engine may take a second to see that insertions of the same wait for each other.
    const mine = this.inserting.then(() => this.insertDocument(this.document(entity, pending)));
    this.inserting = mine.catch(() => undefined);
    await mine;
    await this.announcer.written(this.model.collection.name, entity.id, pending);
  }

  /**
   * Of several concurrent inserts of one value, the engine may refuse each because of another that it then undoes. A value that no stored
   * document holds is therefore inserted again.
   */
  private async insertDocument(document: Record<string, unknown>): Promise<void> {
    let refusal: TakenError | undefined;
    await optimisticUpdate(
      async () => {
        try {
          await this.translatingDuplicates(() => this.model.collection.insertOne(document as never));
          return undefined;
        } catch (error) {
          if (!(error instanceof TakenError) || (await this.isHeld(error.field, document))) throw error;
          refusal = error;
          return LOST_RACE;
        }
      },
      { attempts: ATTEMPTS, exhausted: () => refusal! },
    );
  }

  update(id: number, change: (current: T) => EntityUpdate<T> | undefined): Promise<T | undefined> {
    return optimisticUpdate(
      async () => {
        const current = await this.get(id);
        if (!current) return undefined;
        const wanted = change(current);
        if (!wanted) return current;
        const next = { ...wanted.next, version: current.version + 1 };
        const pending = pendingOf(wanted.announce);
        if (!(await this.replaceDocument(current.version, next, pending))) return LOST_RACE;
        await this.announcer.written(this.model.collection.name, id, pending);
        return next;
      },
      { attempts: ATTEMPTS },
    );
  }

  /** @returns false when the stored version is not `expectedVersion` */
  private async replaceDocument(expectedVersion: number, next: T, pending: PendingAnnouncements): Promise<boolean> {
    const { _id, outbox: _outbox, auditTrail: _trail, ...fields } = this.document(next, pending);
    const result = await this.translatingDuplicates(() =>
      this.model.collection.updateOne(
        { _id, version: expectedVersion } as never,
        {
          $set: fields,
          $push: { outbox: { $each: pending.outbox }, auditTrail: { $each: pending.auditTrail } },
        } as never,
      ),
    );
    return result.matchedCount === 1;
  }

  private async isHeld(field: TakenError['field'], document: Record<string, unknown>): Promise<boolean> {
    const path = { username: 'usernameFolded', email: 'emailFolded', teamKey: 'teamKey', id: '_id' }[field];
    return (await this.model.collection.countDocuments({ [path]: document[path] } as never)) > 0;
  }

  private document(entity: T, pending: PendingAnnouncements): Record<string, unknown> {
    const { id, ...fields } = entity;
    return { _id: id, ...fields, ...this.derived(entity), outbox: pending.outbox, auditTrail: pending.auditTrail };
  }

  /** Turns a broken unique index into the field that is taken; other failures pass. */
  private async translatingDuplicates<R>(write: () => Promise<R>): Promise<R> {
    try {
      return await retried(write);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const { message } = error as { message?: string };
      const index = Object.keys(this.unique).find((name) => message?.includes(name));
      throw new TakenError(index === undefined ? 'id' : this.unique[index]!);
    }
  }
}
