import { TimeSlice } from '@parlance/workload';
import type { DriverCursor } from './collection';

type Cursor<D> = Pick<DriverCursor<D>, 'hasNext' | 'close' | 'readBufferedDocuments'>;

/** Documents that are deserialized between two looks at the clock. */
const TOGETHER = 100;

/**
 * Calls `visit` for each document of a cursor and yields to the event loop between documents where that takes long.
 * @param visit ends the reading by answering false
 */
export async function eachDocument<D>(cursor: Cursor<D>, visit: (document: D) => unknown): Promise<void> {
  const slice = new TimeSlice();
  while (await cursor.hasNext()) {
    for (const document of cursor.readBufferedDocuments(TOGETHER)) if (visit(document) === false) return cursor.close();
    if (slice.isOver()) await slice.next();
  }
}

/** What a cursor's documents become, in their order; see {@link eachDocument}. */
export async function flatMapDocuments<D, R>(cursor: Cursor<D>, map: (document: D) => readonly R[]): Promise<R[]> {
  const results: R[] = [];
  await eachDocument(cursor, (document: D) => void results.push(...map(document)));
  return results;
}
