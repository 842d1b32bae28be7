import { duplicatesIn, retried } from './retry';

/** A collection of the driver, as far as this needs it. */
interface Insertable {
  insertMany(documents: readonly never[], options: { ordered: false }): Promise<unknown>;
  find(filter: object, options: { projection: object }): { toArray(): Promise<unknown[]> };
}

/**
 * Inserts documents that have their ids, as far as unique indexes let them in.
 * @returns the ids of those that were refused, because another document has their unique values
 */
export async function insertUnique(collection: Insertable, documents: readonly { _id: number }[]): Promise<number[]> {
  try {
    await retried(() => collection.insertMany(documents as never[], { ordered: false }));
    return [];
  } catch (error) {
    const problems = duplicatesIn(error);
    if (problems.length === 0) throw error;
    const refused = problems.map(({ index }) => documents[index]!._id);
    // Given again after a part of it had gone through, what had is refused for its own sake.
    const found = await collection.find({ _id: { $in: refused } }, { projection: { _id: 1 } }).toArray();
    const own = new Set((found as { _id: number }[]).map(({ _id }) => _id));
    return refused.filter((id) => !own.has(id));
  }
}
