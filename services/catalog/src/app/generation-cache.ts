/** How long a value is kept at most, in milliseconds, should a change of generation ever be missed. */
const MAX_AGE_MS = 30_000;

/**
 * Keeps one value as long as the catalog has not changed: callers tell the generation they have seen, and a value read under
 * another one is read anew. Callers that tell none get a fresh one.
 */
export class GenerationCache<V> {
  private entry: { generation: string; at: number; value: Promise<V> } | undefined;

  constructor(private readonly read: () => Promise<V>) {}

  get(generation: string): Promise<V> {
    const entry = this.entry;
    if (entry && generation !== '' && entry.generation === generation && Date.now() - entry.at < MAX_AGE_MS) return entry.value;
    const value = this.read();
    if (generation !== '') {
      const fresh = { generation, at: Date.now(), value };
      this.entry = fresh;
      value.catch(() => {
        if (this.entry === fresh) this.entry = undefined;
      });
    }
    return value;
  }

  /** Something was written here: the next caller reads anew whatever generation it tells. */
  drop(): void {
    this.entry = undefined;
  }
}
