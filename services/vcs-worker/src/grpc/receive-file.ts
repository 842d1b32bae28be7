import { ServiceError } from '@parlance/errors';
import type { CallContext } from '@parlance/grpc-kit';
import type { FileAdmission } from '@parlance/workload';

/** Receives a file with its header and handles it once memory is available. @throws TOO_LARGE, OVERLOADED */
export function receiveFile<H, R>(
  files: FileAdmission,
  messages: AsyncIterable<{ header: H | null; chunk: Buffer }>,
  { caller, signal }: CallContext,
  maxBytes: number,
  work: (header: H, bytes: Buffer) => Promise<R>,
): Promise<R> {
  const peer = caller.service ? `service ${caller.service}` : `user ${caller.userId}`;
  return files.receive(
    messages,
    (message) => message.chunk,
    { caller: peer, signal, maxBytes },
    async ({ first, bytes }) => {
      if (!first?.header) throw new ServiceError('INVALID', { message: 'The first message must be the header.' });
      return work(first.header, bytes);
    },
  );
}
