import type { Stamped } from '../../domain/ports';

/**
 * Keeps the objects that were read last. An object is good as long as the directory knows it under the same stamp; so what this
 * answers is as new as the directory.
 */
export class ObjectCache<T extends { id: number }> {
  private readonly kept = new Map<number, Stamped<T>>();

  constructor(
    private readonly read: (ids: readonly number[]) => Promise<Stamped<T>[]>,
    private readonly capacity: number,
  ) {}

  /**
   * The objects with these ids, in the same order; those that are gone are left out.
   * @param stampOf the stamp under which the directory knows an object
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
