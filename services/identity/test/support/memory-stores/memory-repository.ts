import { TakenError, type Announcement, type EntityUpdate, type VersionedStore } from '../../../src/domain/ports';
import type { Announced } from './announced';

/** Stores copies, so that callers cannot change stored entities. */
export abstract class MemoryRepository<T extends { id: number; version: number }> implements VersionedStore<T> {
  protected readonly stored = new Map<number, T>();
  private last: number;

  constructor(
    private readonly announced: Announced,
    lastId: number,
  ) {
    this.last = lastId;
  }

  protected where(matches: (entity: T) => boolean): T[] {
    return [...this.stored.values()]
      .filter(matches)
      .sort((a, b) => a.id - b.id)
      .map((e) => structuredClone(e));
  }

  /** The field in which another entity has the same unique value. */
  protected abstract taken(entity: T): TakenError['field'] | undefined;

  get(id: number): Promise<T | undefined> {
    return Promise.resolve(this.where((e) => e.id === id)[0]);
  }

  many(ids: readonly number[]): Promise<T[]> {
    return Promise.resolve(this.where((e) => ids.includes(e.id)));
  }

  nextId(): Promise<number> {
    return Promise.resolve(++this.last);
  }

  insert(entity: T, announcement: Announcement): Promise<void> {
    const taken = this.stored.has(entity.id) ? 'id' : this.taken(entity);
    if (taken) return Promise.reject(new TakenError(taken));
    this.stored.set(entity.id, structuredClone(entity));
    this.announced.all.push(announcement);
    return Promise.resolve();
  }

  /** Synchronous between read and write, so that concurrent writers are serialized. */
  update(id: number, change: (current: T) => EntityUpdate<T> | undefined): Promise<T | undefined> {
    const stored = this.stored.get(id);
    if (!stored) return Promise.resolve(undefined);
    try {
      const wanted = change(structuredClone(stored));
      if (!wanted) return Promise.resolve(structuredClone(stored));
      const next = { ...wanted.next, version: stored.version + 1 };
      const taken = this.taken(next);
      if (taken) throw new TakenError(taken);
      this.stored.set(id, structuredClone(next));
      this.announced.all.push(wanted.announce);
      return Promise.resolve(next);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }
}
