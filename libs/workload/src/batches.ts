import { deserialize, serialize } from 'node:v8';
import { TimeSlice } from './slices';

/** Maximum number of items in a batch. */
const BATCH_ITEMS = 500;

/** Items as independently serialized batches, which move between threads without a copy and are deserialized one at a time. */
export type Batches<T> = Uint8Array<ArrayBuffer>[] & { readonly items?: T };

function encode(items: readonly unknown[]): Uint8Array<ArrayBuffer> {
  // `serialize` may return a view of a larger buffer, which would be transferred as a whole.
  return new Uint8Array(serialize(items));
}

/** Serializes items without a yield: for worker threads. @param plain copies an item that is not plain data */
export function toBatches<T>(items: readonly T[], plain: (item: T) => T = (item) => item): Batches<T> {
  const batches: Batches<T> = [];
  for (let at = 0; at < items.length; at += BATCH_ITEMS)
    batches.push(encode(items.slice(at, at + BATCH_ITEMS).map(plain)));
  return batches;
}

/** Serializes items in slices: for the main thread. */
export async function toBatchesInSlices<T>(items: readonly T[]): Promise<Batches<T>> {
  const slice = new TimeSlice();
  const batches: Batches<T> = [];
  for (let at = 0; at < items.length; at += BATCH_ITEMS) {
    batches.push(encode(items.slice(at, at + BATCH_ITEMS)));
    if (slice.isOver()) await slice.next();
  }
  return batches;
}

/** Deserializes all items together, for worker threads. */
export function fromBatches<T>(batches: Batches<T>): T[] {
  return batches.flatMap((batch) => deserialize(batch) as T[]);
}

/** Deserializes one batch after the other in slices: at most one exists as objects. */
export async function* readBatches<T>(batches: Batches<T>): AsyncGenerator<T[]> {
  const slice = new TimeSlice();
  for (const batch of batches) {
    yield deserialize(batch) as T[];
    if (slice.isOver()) await slice.next();
  }
}
