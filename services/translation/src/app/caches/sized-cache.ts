/** A bounded memory of answers; what was not asked for longest goes first. */
export class SizedCache<V> {
  private readonly entries = new Map<string, { value: V; size: number }>();
  private total = 0;

  /** @param capacity sum of sizes that is kept */
  constructor(private readonly capacity: number) {}

  get(key: string): V | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** @param valueSize of the value alone; the key counts, too: it can hold a long query */
  set(key: string, value: V, valueSize: number): void {
    const size = valueSize + key.length;
    this.delete(key);
    if (size > this.capacity / 4) return;
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
