import type { Backlog } from '../../domain/ports';
import type { DriverCollection } from '../collection';

/** Documents whose times are read. */
const PAGE = 100;

/**
 * Measures unfinished work in documents. Reads the times of one page; a larger backlog counts documents, up to a limit, and its oldest
 * time is that of the page.
 * @param path the field with the times, for the projection
 * @param timesOf times of a document's items, milliseconds since the epoch; undefined: not known
 * @param options of the queries
 */
export async function measureBacklog<D>(
  collection: Pick<DriverCollection<D>, 'find' | 'countDocuments'>,
  filter: object,
  path: string,
  limit: number,
  timesOf: (document: D) => (number | undefined)[],
  options: { hint?: object } = {},
): Promise<Backlog> {
  const page = await collection
    .find(filter, { ...options, projection: { [path]: 1 } })
    .limit(PAGE)
    .toArray();
  const items = page.flatMap(timesOf);
  const count = page.length < PAGE ? items.length : await collection.countDocuments(filter, { ...options, limit });
  const times = items.filter((time) => time !== undefined);
  return { count, oldest: times.length === 0 ? undefined : Math.min(...times) };
}
