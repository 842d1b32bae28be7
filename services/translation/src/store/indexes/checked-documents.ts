import { createHash } from 'node:crypto';
import { BrokenIndexError } from '../../domain/search/ports';
import type { DriverCollection } from '../collection';

interface CheckedDocument {
  _id: string;
  data: Buffer;
  sum: number;
}

/** Documents in one query. */
const BATCH = 200;

export function checksum(...data: readonly Uint8Array[]): number {
  const hash = createHash('sha1');
  for (const bytes of data) hash.update(bytes);
  return hash.digest().readUIntBE(0, 6);
}

/** Documents in the order of their ids. @throws BrokenIndexError when one is missing or damaged */
export async function readChecked<D extends CheckedDocument>(
  collection: DriverCollection<D>,
  ids: readonly string[],
): Promise<D[]> {
  const batches: Promise<D[]>[] = [];
  for (let at = 0; at < ids.length; at += BATCH) batches.push(readBatch(collection, ids.slice(at, at + BATCH)));
  return (await Promise.all(batches)).flat();
}

async function readBatch<D extends CheckedDocument>(
  collection: DriverCollection<D>,
  ids: readonly string[],
): Promise<D[]> {
  const found = await collection
    .find({ _id: { $in: ids } }, { promoteBuffers: true, batchSize: ids.length + 1 })
    .toArray();
  const byId = new Map(found.map((document) => [document._id, document]));
  return ids.map((id) => {
    const document = byId.get(id);
    if (!document || checksum(document.data) !== document.sum)
      throw new BrokenIndexError(`search index: document ${id} is missing or invalid`);
    return document;
  });
}
