import { ATTEMPTS, duplicatesIn, pauseAfter, takenPlaces, wasPartlyUndone } from './retry';

/** The used part of a driver collection. */
interface Insertable {
  insertMany(documents: readonly never[], options: { ordered: false }): Promise<unknown>;
  find(filter: object, options: { projection: object }): { toArray(): Promise<unknown[]> };
}

/**
 * Inserts documents with ids, except those that violate a unique index.
 * @returns the ids of rejected documents, whose unique values another document has
 */
export async function insertUnique<I extends number | string>(
  collection: Insertable,
  documents: readonly { _id: I }[],
): Promise<I[]> {
  const refused: I[] = [];
  let left = documents;
  for (let attempt = 1; ; attempt++) {
    try {
      await collection.insertMany(left as never[], { ordered: false });
      return refused;
    } catch (error) {
      const undone = attempt < ATTEMPTS && wasPartlyUndone(error);
      if (!undone && duplicatesIn(error).length === 0) throw error;
      const taken = new Set(takenPlaces(error).map((place) => left[place]!._id));
      // A document that an earlier attempt inserted is rejected because of itself.
      const there = await present(collection, left);
      refused.push(...[...taken].filter((id) => !there.has(id)));
      // Retries only documents that the engine rolled back. Other failures would repeat.
      left = left.filter(({ _id }) => !taken.has(_id) && !there.has(_id));
      if (!undone || left.length === 0) return refused;
      await pauseAfter(attempt);
    }
  }
}

async function present<I>(collection: Insertable, documents: readonly { _id: I }[]): Promise<Set<I>> {
  const ids = documents.map(({ _id }) => _id);
  const found = await collection.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
  return new Set((found as { _id: I }[]).map(({ _id }) => _id));
}
