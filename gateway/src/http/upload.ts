import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { chunks, CHUNK_BYTES } from '@parlance/grpc-kit';

/** Uploads up to this size stay in memory. */
const MEMORY_BYTES = 2 * 1024 * 1024;

/**
 * A file of a request. Fields that follow it in the body decide what is done with it, so it is kept until the body has been
 * read: in memory when it is small, else in a temporary file.
 */
export class UploadedFile {
  private pieces: Buffer[] = [];
  private folder: string | undefined;
  size = 0;

  constructor(
    /** As the client named it, without folders. */
    readonly filename: string,
    readonly contentType: string,
  ) {}

  /** Takes everything in. */
  async fill(stream: Readable | AsyncIterable<Buffer>): Promise<void> {
    let spill: WriteStream | undefined;
    try {
      for await (const piece of stream as AsyncIterable<Buffer>) {
        this.size += piece.length;
        if (!spill && this.size > MEMORY_BYTES) {
          this.folder = await mkdtemp(join(tmpdir(), 'parlance-upload-'));
          spill = createWriteStream(join(this.folder, 'file'));
          for (const kept of this.pieces) spill.write(kept);
          this.pieces = [];
        }
        if (!spill) this.pieces.push(piece);
        else if (!spill.write(piece)) await once(spill, 'drain');
      }
    } finally {
      if (spill) {
        spill.end();
        await once(spill, 'close');
      }
    }
  }

  /** The bytes, in pieces that fit a message. */
  async *chunks(): AsyncGenerator<Buffer> {
    if (!this.folder) yield* chunks(Buffer.concat(this.pieces));
    else yield* createReadStream(join(this.folder, 'file'), { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>;
  }

  /** Forgets the bytes. */
  async discard(): Promise<void> {
    this.pieces = [];
    if (this.folder) await rm(this.folder, { recursive: true, force: true });
  }
}
