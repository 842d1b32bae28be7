import { ServiceError } from '@parlance/errors';

/** Largest file, in bytes. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** First message of a streamed file and the bytes of all. @throws TOO_LARGE */
export async function collect<M>(
  messages: AsyncIterable<M>,
  chunkOf: (message: M) => Buffer,
): Promise<{ first: M | undefined; bytes: Buffer }> {
  let first: M | undefined;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const message of messages) {
    first ??= message;
    const chunk = chunkOf(message);
    if (chunk.length > 0) parts.push(chunk);
    if ((size += chunk.length) > MAX_FILE_BYTES) throw new ServiceError('TOO_LARGE');
  }
  return { first, bytes: Buffer.concat(parts) };
}
