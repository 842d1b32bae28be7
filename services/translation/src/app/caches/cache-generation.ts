/** A cache that other replicas invalidate. */
export interface SharedCache {
  clear(): void;
}

/**
 * Invalidates the timed caches of all replicas. A write replaces the generation before its response; gateways send the current generation
 * with every call. So a request never reads values that were cached before an acknowledged write (read-your-writes).
 */
export class CacheGeneration {
  private seen = '';

  /**
   * @param replace stores a new generation for all replicas. While that is impossible, the caches' lifetime bounds the staleness.
   */
  constructor(
    private readonly caches: readonly SharedCache[],
    private readonly replace: () => Promise<void>,
  ) {}

  /** @param generations of the catalog and of the strings, as the caller knows them; '' if unknown */
  observe(generations: { catalogGeneration: string; stringsGeneration: string }): void {
    const { catalogGeneration, stringsGeneration } = generations;
    if (catalogGeneration === '' && stringsGeneration === '') return;
    const seen = `${catalogGeneration} ${stringsGeneration}`;
    if (seen === this.seen) return;
    this.seen = seen;
    this.forget();
  }

  /** Clears the caches of this process. Background work has no caller whose generation identifies stale entries. */
  forget(): void {
    for (const cache of this.caches) cache.clear();
  }

  /** Called after a write and before its response. */
  async changed(): Promise<void> {
    this.forget();
    await this.replace();
  }
}
