import type { Model, mongo } from 'mongoose';
import type { Announcement, EntityUpdate, Page, VersionedStore, PageRequest } from '../domain/ports';
import { TakenError } from '../domain/ports';
import { CountedPages, driverCollection, isDuplicateKey, LOST_RACE, optimisticUpdate } from '@parlance/store-kit';
import { pendingOf, type AnnouncementSink, type PendingAnnouncements } from './announcements/announcement-sink';

/** A stored entity: its id as _id, with pending announcements. */
type Stored<T extends { id: number }> = Omit<T, 'id'> & PendingAnnouncements & { _id: number };

/** A stored document of any entity. */
type StoredFields = PendingAnnouncements & { _id: number; version: number };

const ATTEMPTS = 20;

/** Reads and writes entities of one collection under optimistic concurrency. */
export abstract class MongoVersionedStore<
  T extends { id: number; version: number },
  D extends Stored<T>,
> implements VersionedStore<T> {
  /** The insert that was started last. */
  private inserting: Promise<unknown> = Promise.resolve();

  private readonly pages = new CountedPages();

  protected constructor(
    protected readonly model: Model<D>,
    private readonly announcer: AnnouncementSink,
  ) {}

  abstract nextId(): Promise<number>;

  /** Fields derived from the entity for indexes; always the same names. */
  protected derived(_entity: T): Record<string, unknown> {
    return {};
  }

  /** Names of unique indexes and their fields. */
  protected readonly unique: Record<string, TakenError['field']> = {};

  /** Stored fields that are not part of the entity. */
  protected readonly extraFields: readonly string[] = [];

  private get projection(): Record<string, 0> {
    return Object.fromEntries(['outbox', 'auditTrail', ...this.extraFields].map((name) => [name, 0]));
  }

  /** Writes use the driver, because mongoose would cast every field of the document again. */
  private get collection(): mongo.Collection<StoredFields> {
    return driverCollection<StoredFields>(this.model);
  }

  private toEntity(stored: D): T {
    const { _id, ...rest } = stored;
    // A document holds every field of its entity, with the id under another name.
    return { id: _id, ...rest } as unknown as T;
  }

  protected async one(filter: Record<string, unknown>): Promise<T | undefined> {
    const stored = await this.model.findOne(filter, this.projection).lean<D>().exec();
    return stored ? this.toEntity(stored) : undefined;
  }

  /** @param limit 0: none */
  protected async all(filter: Record<string, unknown>, limit = 0): Promise<T[]> {
    const found = this.model.find(filter, this.projection).sort({ _id: 1 }).limit(limit);
    const stored = await found.lean<D[]>().exec();
    return stored.map((s) => this.toEntity(s));
  }

  protected async page(filter: Record<string, unknown>, pageRequest: PageRequest): Promise<Page<T>> {
    const { skip, limit } = pageRequest;
    const { items, total } = await this.pages.read(
      { filter, skip, size: limit },
      () => this.model.find(filter, this.projection).sort({ _id: 1 }).skip(skip).limit(limit).lean<D[]>().exec(),
      () => this.model.countDocuments(filter).exec(),
    );
    return { items: items.map((s) => this.toEntity(s)), total };
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
    // Serialized: the engine may need a second to detect that concurrent inserts of the same value wait for each other.
    const mine = this.inserting.then(() => this.insertDocument(this.document(entity, pending)));
    this.inserting = mine.catch(() => undefined);
    await mine;
    await this.announcer.announce(this.model.collection.name, entity.id, pending);
  }

  /**
   * The engine may reject each of several concurrent inserts because of another one that it then rolls back. An insert is
   * therefore retried if no stored document has the value.
   */
  private async insertDocument(document: StoredFields): Promise<void> {
    let refusal: TakenError | undefined;
    await optimisticUpdate(
      async () => {
        try {
          await this.translatingDuplicates(() => this.collection.insertOne(document));
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
        await this.announcer.announce(this.model.collection.name, id, pending);
        return next;
      },
      { attempts: ATTEMPTS },
    );
  }

  /** @returns false when the stored version is not `expectedVersion` */
  private async replaceDocument(expectedVersion: number, next: T, pending: PendingAnnouncements): Promise<boolean> {
    const { _id, outbox: _outbox, auditTrail: _trail, ...fields } = this.document(next, pending);
    const result = await this.translatingDuplicates(() =>
      this.collection.updateOne(
        { _id, version: expectedVersion },
        {
          $set: fields,
          $push: { outbox: { $each: pending.outbox }, auditTrail: { $each: pending.auditTrail } },
        },
      ),
    );
    return result.matchedCount === 1;
  }

  private async isHeld(field: TakenError['field'], document: StoredFields): Promise<boolean> {
    const path = {
      username: 'usernameFolded',
      email: 'emailFolded',
      externalKey: 'externalKey',
      teamKey: 'teamKey',
      id: '_id',
    }[field];
    return (await this.collection.countDocuments({ [path]: Reflect.get(document, path) as unknown })) > 0;
  }

  private document(entity: T, pending: PendingAnnouncements): StoredFields {
    const { id, ...fields } = entity;
    return { _id: id, ...fields, ...this.derived(entity), outbox: pending.outbox, auditTrail: pending.auditTrail };
  }

  /** Converts a duplicate key error to TakenError; rethrows others. */
  private async translatingDuplicates<R>(write: () => Promise<R>): Promise<R> {
    try {
      return await write();
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const { message } = error as { message?: string };
      const index = Object.keys(this.unique).find((name) => message?.includes(name));
      throw new TakenError(index === undefined ? 'id' : this.unique[index]!);
    }
  }
}
