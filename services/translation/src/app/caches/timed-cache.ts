interface Entry<V> {
  readAt: number;
  value: Promise<V>;
}

/** In entries; a full cache is cleared. */
const CAPACITY = 50_000;
const MAX_AGE_MS = 5_000;

/** Keeps values for some seconds and deduplicates concurrent reads. Failed reads are not kept. */
export class TimedCache<K, V> {
  private readonly entries = new Map<K, Entry<V>>();

  has(key: K): boolean {
    return this.fresh(key) !== undefined;
  }

  private fresh(key: K): Entry<V> | undefined {
    const entry = this.entries.get(key);
    return entry && Date.now() - entry.readAt < MAX_AGE_MS ? entry : undefined;
  }

  get(key: K, read: () => Promise<V>): Promise<V> {
    const entry = this.fresh(key);
    if (entry) return entry.value;
    if (this.entries.size > CAPACITY) this.entries.clear();
    const value = read();
    this.entries.set(key, { readAt: Date.now(), value });
    value.catch(() => this.entries.delete(key));
    return value;
  }

  clear(): void {
    this.entries.clear();
  }
}
