import { chunks } from '@parlance/grpc-kit';
import type { ByteLease } from '@parlance/workload';
import { randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file of a multipart body. */
export interface UploadedFile {
  readonly name: string;
  readonly filename: string;
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** The content from the start, on every call. */
  chunks(): AsyncIterable<Buffer>;
}

/** Maximum size of a file in memory, in bytes; larger ones are spooled to a temporary file. */
export const SPOOL_BYTES = 1024 * 1024;

const BLOCK = 256 * 1024;

/** An open file that is already unlinked: the system frees it when it is closed or the process dies. */
async function unnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `parlance-upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}

async function* readBlocks(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size;) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(BLOCK, size - at)), 0, undefined, at);
    if (bytesRead === 0) throw new Error('a temporary file is shorter than its written content');
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Accounts for the bytes of a request's files. */
export interface FileLeases {
  /** Already includes every byte of the stream. */
  memory: Pick<ByteLease, 'shrink'>;
  disk: Pick<ByteLease, 'grow'>;
  /** Registers a callback for the end of the request. */
  atEnd: (release: () => void) => void;
}

/** Receives a file as it arrives. @throws TOO_LARGE, UNAVAILABLE if the budget for temporary files is exhausted */
export async function receiveFile(
  part: Pick<UploadedFile, 'name' | 'filename' | 'type'>,
  stream: AsyncIterable<Buffer>,
  { memory, disk, atEnd }: FileLeases,
): Promise<UploadedFile> {
  const held: Buffer[] = [];
  let size = 0;
  let unwritten = 0;
  let spool: FileHandle | undefined;
  for await (const chunk of stream) {
    size += chunk.length;
    unwritten += chunk.length;
    held.push(chunk);
    if (!spool && size > SPOOL_BYTES) {
      const handle = await unnamed();
      spool = handle;
      // Closing fails only if the file is already closed.
      atEnd(() => void handle.close().catch(() => undefined));
    }
    if (!spool) continue;
    disk.grow(unwritten);
    await spool.writev(held.splice(0));
    memory.shrink(unwritten);
    unwritten = 0;
  }
  const handle = spool;
  return {
    ...part,
    size,
    async *chunks() {
      if (handle) yield* readBlocks(handle, size);
      else yield* chunks(Buffer.concat(held));
    },
  };
}
