import { randomUUID } from 'node:crypto';
import { driverCollection } from '@parlance/store-kit';
import type { CommitStore } from '../domain/repository';
import type { Models } from './models';

/** Chunk size in bytes: below the document limit of 16 MiB. */
const PIECE_BYTES = 12 * 1024 * 1024;

/** Bundles of unpushed commits in MongoDB, in chunks. A bundle is immutable. */
export class MongoCommitStore implements CommitStore {
  constructor(private readonly models: Pick<Models, 'pieces' | 'repositories'>) {}

  async save(bytes: Buffer): Promise<{ id: string; size: number }> {
    const id = randomUUID();
    for (let at = 0, place = 0; place === 0 || at < bytes.length; at += PIECE_BYTES, place++) {
      await driverCollection(this.models.pieces).insertOne({
        _id: `${id}:${place}`,
        bundle: id,
        place,
        bytes: bytes.subarray(at, at + PIECE_BYTES),
        createdAt: new Date(),
      });
    }
    return { id, size: bytes.length };
  }

  async load(id: string): Promise<Buffer> {
    const pieces: Buffer[] = [];
    const cursor = driverCollection(this.models.pieces)
      .find({ bundle: id }, { promoteBuffers: true })
      .sort({ place: 1 });
    for await (const piece of cursor) pieces.push(piece.bytes);
    return Buffer.concat(pieces);
  }

  async remove(id: string): Promise<void> {
    await this.models.pieces.deleteMany({ bundle: id });
  }

  async sweep(before: Date): Promise<void> {
    const bundles = await this.models.pieces.distinct('bundle', { createdAt: { $lt: before } });
    for (const bundle of bundles as string[]) {
      if ((await this.models.repositories.countDocuments({ 'saved.id': bundle })) === 0) await this.remove(bundle);
    }
  }
}
