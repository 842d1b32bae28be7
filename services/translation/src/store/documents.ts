import { TimeSlice } from '@parlance/workload';
import type { DriverCursor } from './collection';

type Cursor<D> = Pick<DriverCursor<D>, 'hasNext' | 'close' | 'readBufferedDocuments'>;

/** Documents deserialized between two checks of the time slice. */
const BATCH = 50;

/**
 * Calls `visit` for each document of a cursor, yielding to the event loop.
 * @param visit returns false to stop
 */
export async function eachDocument<D>(cursor: Cursor<D>, visit: (document: D) => unknown): Promise<void> {
  const slice = new TimeSlice();
  while (await cursor.hasNext()) {
    for (const document of cursor.readBufferedDocuments(BATCH)) if (visit(document) === false) return cursor.close();
    if (slice.isOver()) await slice.next();
  }
}

/** Maps the documents of a cursor, in order; see {@link eachDocument}. */
export async function flatMapDocuments<D, R>(cursor: Cursor<D>, map: (document: D) => readonly R[]): Promise<R[]> {
  const results: R[] = [];
  await eachDocument(cursor, (document: D) => void results.push(...map(document)));
  return results;
}
