import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum time that a loop blocks the event loop, in milliseconds. */
export const SLICE_MS = 10;

/** A share of the event loop's time. Call `pause` between items. */
export class Slice {
  private endsAt: number;

  constructor(private readonly ms = SLICE_MS) {
    this.endsAt = performance.now() + ms;
  }

  /** Whether the time is up. Call {@link pause} then. */
  get over(): boolean {
    return performance.now() >= this.endsAt;
  }

  /**
   * Yields to the event loop.
   * @throws the reason of the signal when it is aborted
   */
  async pause(signal?: AbortSignal): Promise<void> {
    await nextTurn();
    signal?.throwIfAborted();
    this.endsAt = performance.now() + this.ms;
  }
}

/**
 * Maps items one by one and yields to the event loop after every slice.
 * @throws the reason of the signal when it is aborted
 */
export async function mapInSlices<T, R>(items: readonly T[], map: (item: T) => R, signal?: AbortSignal): Promise<R[]> {
  const results: R[] = [];
  const slice = new Slice();
  for (const item of items) {
    results.push(map(item));
    if (slice.over) await slice.pause(signal);
  }
  return results;
}
