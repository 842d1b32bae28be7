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

  get(key: K, read: () => Promise<V>): Promise<V> {
    const entry = this.entries.get(key);
    if (entry && Date.now() - entry.readAt < MAX_AGE_MS) return entry.value;
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
