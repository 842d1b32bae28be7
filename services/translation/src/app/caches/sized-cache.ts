/** LRU cache bounded by the sum of entry sizes. Entries above a quarter of the capacity are not stored. */
export class SizedCache<V> {
  private readonly entries = new Map<string, { value: V; size: number }>();
  private total = 0;

  /** @param capacity maximum sum of sizes */
  constructor(private readonly capacity: number) {}

  /** Whether {@link set} stores a value of this size. */
  stores(key: string, valueSize: number): boolean {
    return valueSize + key.length <= this.capacity / 4;
  }

  get(key: string): V | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** @param valueSize size of the value; the length of the key is added, because keys may contain long queries */
  set(key: string, value: V, valueSize: number): void {
    const size = valueSize + key.length;
    this.delete(key);
    if (!this.stores(key, valueSize)) return;
    this.entries.set(key, { value, size });
    this.total += size;
    for (const oldest of this.entries.keys()) {
      if (this.total <= this.capacity) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.total -= entry.size;
    this.entries.delete(key);
  }
}
