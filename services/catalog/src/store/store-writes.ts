import { randomBytes } from 'node:crypto';
import { isDuplicateKey, retried } from '@parlance/store-kit';
import { TakenError, type Page, type PageRequest } from '../domain/ports';

/**
 * Turns a refusal by a unique index into TakenError.
 * @param fields index name part by the field's name
 */
export async function translatingDuplicates<T>(fields: readonly string[], write: () => Promise<T>): Promise<T> {
  try {
    return await retried(write);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Which index it was stands in keyPattern on MongoDB, on others only in the message.
    const { keyPattern, message = '' } = error as { keyPattern?: object; message?: string };
    const told = keyPattern ? Object.keys(keyPattern).join(' ') : message;
    const words = told.split(/[^A-Za-z]+/);
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

/** A name that no object can have, for one that is gone but whose document waits for its events to be published. */
export function removedName(id: number): string {
  return `\u0001removed ${id}`;
}

/** What every write sets, so that directories find it and caches know the document for another. */
export function writeStamp(): { updatedMs: number; stamp: string } {
  return { updatedMs: Date.now(), stamp: randomBytes(6).toString('base64url') };
}
