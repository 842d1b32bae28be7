import { randomBytes } from 'node:crypto';
import { isDuplicateKey } from '@parlance/store-kit';
import { TakenError, type Page, type PageRequest } from '../domain/ports';

/**
 * Converts a duplicate key error to TakenError.
 * @param fields parts of index names, equal to field names
 */
export async function translatingDuplicates<T>(fields: readonly string[], write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // MongoDB names the index in keyPattern, other servers only in the message.
    const { keyPattern, message = '' } = error as { keyPattern?: object; message?: string };
    const indexName = keyPattern ? Object.keys(keyPattern).join(' ') : message;
    const words = indexName.split(/[^A-Za-z]+/);
    const field = fields.find((name) => words.includes(name)) ?? fields[0]!;
    throw new TakenError(field);
  }
}

interface Paged<D> {
  find(filter: object): {
    sort(by: Record<string, 1>): { skip(n: number): { limit(n: number): { lean(): Promise<D[]> } } };
  };
  countDocuments(filter: object): PromiseLike<number>;
}

/** A page of documents ordered by id, with the total. */
export async function pageOf<D, T>(
  model: unknown,
  filter: object,
  page: PageRequest,
  read: (document: D) => T,
): Promise<Page<T>> {
  const collection = model as Paged<D>;
  const [documents, total] = await Promise.all([
    collection
      .find(filter)
      .sort({ _id: 1 })
      .skip((page.page - 1) * page.size)
      .limit(page.size)
      .lean(),
    collection.countDocuments(filter),
  ]);
  return { items: documents.map(read), total };
}

/** Placeholder name of a deleted object whose document is still needed; frees the real name. */
export function removedName(id: number): string {
  return `\u0001removed ${id}`;
}

/** Fields set by every write, so that snapshots find it and caches detect the change. */
export function writeStamp(): { updatedMs: number; stamp: string } {
  return { updatedMs: Date.now(), stamp: randomBytes(6).toString('base64url') };
}
