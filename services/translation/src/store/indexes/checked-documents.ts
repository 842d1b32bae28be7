import DataLoader from 'dataloader';
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

/** Reads immutable documents of an index. Reads that begin at the same time share a query, because a search reads many blocks. */
export class CheckedDocuments<D extends CheckedDocument> {
  private readonly loader: DataLoader<string, D>;

  constructor(private readonly collection: DriverCollection<D>) {
    // The callers cache what they read, within bounds.
    this.loader = new DataLoader((ids) => this.readBatch(ids), { cache: false, maxBatchSize: BATCH });
  }

  /** Documents in the order of their ids. @throws BrokenIndexError when one is missing or damaged */
  many(ids: readonly string[]): Promise<D[]> {
    return Promise.all(ids.map((id) => this.loader.load(id)));
  }

  private async readBatch(ids: readonly string[]): Promise<(D | Error)[]> {
    const found = await this.collection
      .find({ _id: { $in: ids } }, { promoteBuffers: true, batchSize: ids.length + 1 })
      .toArray();
    const byId = new Map(found.map((document) => [document._id, document]));
    return ids.map((id) => {
      const document = byId.get(id);
      if (document && checksum(document.data) === document.sum) return document;
      return new BrokenIndexError(`search index: document ${id} is missing or invalid`);
    });
  }
}
