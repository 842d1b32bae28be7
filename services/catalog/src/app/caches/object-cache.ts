import type { Stamped } from '../../domain/ports';

/**
 * Cache with a fixed capacity and FIFO eviction. An entry is valid while the catalog snapshot has the same stamp for it.
 */
export class ObjectCache<T extends { id: number }> {
  private readonly kept = new Map<number, Stamped<T>>();

  constructor(
    private readonly read: (ids: readonly number[]) => Promise<Stamped<T>[]>,
    private readonly capacity: number,
  ) {}

  /**
   * The objects with these ids, in the same order; deleted ones are omitted.
   * @param stampOf the stamp of an object in the catalog snapshot
   */
  async get(ids: readonly number[], stampOf: (id: number) => string | undefined): Promise<T[]> {
    const found = new Map<number, T>();
    const missing: number[] = [];
    for (const id of ids) {
      const entry = this.kept.get(id);
      if (entry && entry.stamp === stampOf(id)) found.set(id, entry.object);
      else missing.push(id);
    }
    if (missing.length > 0) {
      for (const entry of await this.read(missing)) {
        found.set(entry.object.id, entry.object);
        if (this.kept.size >= this.capacity && !this.kept.has(entry.object.id))
          this.kept.delete(this.kept.keys().next().value!);
        this.kept.set(entry.object.id, entry);
      }
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }
}
