/**
 * Total of a list whose page was read: counted only if the page does not show the end of the list. For short lists; in long ones, the count
 * should not wait for the page.
 * @param page skipped documents, its size, and the documents on it
 */
export async function listTotal(
  { skip, size, found }: { skip: number; size: number; found: number },
  count: () => Promise<number>,
): Promise<number> {
  const showsEnd = found < size && (found > 0 || skip === 0);
  return showsEnd ? skip + found : count();
}

/** A collection of the driver. */
interface Countable {
  countDocuments(filter: object, options: { limit: number }): Promise<number>;
}

/** The number of documents of all collections that match; counts no further than `limit`. */
export async function countUpTo(collections: readonly Countable[], filter: object, limit: number): Promise<number> {
  let count = 0;
  for (const collection of collections) {
    if (count >= limit) break;
    count += await collection.countDocuments(filter, { limit: limit - count });
  }
  return count;
}
