import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Writes everything with backpressure, then ends the stream. Stops silently if the stream is closed. */
export async function writeAll(stream: Writable, messages: AsyncIterable<object>): Promise<void> {
  for await (const message of messages) {
    if (stream.destroyed || stream.closed) return;
    if (!stream.write(message)) {
      const closed = new AbortController();
      await Promise.race([
        once(stream, 'drain', { signal: closed.signal }),
        once(stream, 'close', { signal: closed.signal }),
        once(stream, 'finish', { signal: closed.signal }),
      ]).finally(() => closed.abort());
    }
  }
  stream.end();
}

/** Chunk size of files in bytes, well below gRPC's message limit of 4 MiB. */
export const CHUNK_BYTES = 256 * 1024;

/** Splits bytes into chunks for a stream; empty for no bytes. */
export function* chunks(bytes: Uint8Array, size = CHUNK_BYTES): Generator<Buffer> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < buffer.length; at += size) yield buffer.subarray(at, at + size);
}
