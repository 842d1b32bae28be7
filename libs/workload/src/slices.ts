import { performance } from 'node:perf_hooks';

/** Maximum duration of synchronous work between two yields, in milliseconds: a request waits for it several times. */
const SLICE_MS = 2;

const waiting: (() => void)[] = [];

function resumeNext(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(resumeNext);
}

/**
 * Resolves in a later iteration of the event loop. One waiter resumes per iteration, in FIFO order: concurrent tasks share the loop instead of adding up their slices.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resume) => {
    if (waiting.push(resume) === 1) setImmediate(resumeNext);
  });
}

/** Cooperative scheduling for long synchronous work: `if (slice.isOver()) await slice.next()` in the body of a loop. */
export class TimeSlice {
  private startedAt = performance.now();

  /** Whether the slice has used its time. */
  isOver(): boolean {
    return performance.now() - this.startedAt >= SLICE_MS;
  }

  /** Lets the event loop run, then begins the next slice. */
  async next(): Promise<void> {
    await yieldToEventLoop();
    this.startedAt = performance.now();
  }
}

/** Calls `work` for each item in order. Yields to the event loop after every slice. */
export async function eachInSlices<T>(items: Iterable<T>, work: (item: T, index: number) => void): Promise<void> {
  const slice = new TimeSlice();
  let index = 0;
  for (const item of items) {
    work(item, index++);
    if (slice.isOver()) await slice.next();
  }
}

/** Processes items in sequential portions and collects the results. */
export async function inPortions<T, R>(
  items: readonly T[],
  size: number,
  work: (some: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += size)
    for (const result of await work(items.slice(at, at + size))) results.push(result);
  return results;
}

/** `items.map(map)` in slices; see {@link eachInSlices}. */
export async function mapInSlices<T, R>(items: Iterable<T>, map: (item: T, index: number) => R): Promise<R[]> {
  const results: R[] = [];
  await eachInSlices(items, (item, index) => results.push(map(item, index)));
  return results;
}

/** `items.flatMap(map)` in slices; see {@link eachInSlices}. */
export async function flatMapInSlices<T, R>(
  items: Iterable<T>,
  map: (item: T, index: number) => readonly R[],
): Promise<R[]> {
  const results: R[] = [];
  await eachInSlices(items, (item, index) => {
    for (const result of map(item, index)) results.push(result);
  });
  return results;
}
