import type { hooks } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { ByteBudget, type ByteLease } from '@parlance/workload';
import { randomUUID } from 'node:crypto';
import type { Received } from '../app/receive';
import type { PayloadKind } from '../domain/outbound/subscription';

/** Maximum notification in bytes. Hosts send some kilobytes; pushes of thousands of commits a few megabytes. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Memory for notifications in this process; the gateways limit the share of each sender. */
const budget = new ByteBudget({ total: 64 * 1024 * 1024, caller: MAX_BODY_BYTES, policy: 'refuse' });

/**
 * Receives a streamed notification; its bytes stay on the memory budget until its handler ends.
 * @throws TOO_LARGE, UNAVAILABLE, INVALID without a header
 */
export async function withReceived<T>(
  requests: AsyncIterable<hooks.ReceiveRequest__Output>,
  work: (received: Received) => Promise<T>,
): Promise<T> {
  const lease = budget.lease(randomUUID());
  try {
    return await work(await readReceived(requests, lease));
  } finally {
    lease.release();
  }
}

async function readReceived(
  requests: AsyncIterable<hooks.ReceiveRequest__Output>,
  lease: ByteLease,
): Promise<Received> {
  let header: hooks.ReceiveHeader__Output | undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const request of requests) {
    if (request.header) {
      if (header)
        throw fieldErrors([
          { attr: 'header', code: 'invalid', detail: 'The header must be sent once, as the first message.' },
        ]);
      header = request.header;
    }
    size += request.chunk.length;
    if (size > MAX_BODY_BYTES)
      throw new ServiceError('TOO_LARGE', { message: `A notification has at most ${MAX_BODY_BYTES} bytes.` });
    lease.grow(request.chunk.length);
    chunks.push(Buffer.from(request.chunk));
  }
  if (!header)
    throw fieldErrors([{ attr: 'header', code: 'required', detail: 'The first message must be the header.' }]);
  return {
    provider: header.provider,
    headers: { ...header.headers },
    contentType: header.contentType,
    sourceAddress: header.sourceAddress.slice(0, 100),
    raw: Buffer.concat(chunks),
  };
}

/** @throws INVALID for an unknown kind */
export function kindOf(kind: hooks.CreateSubscriptionRequest__Output['payloadKind']): PayloadKind | undefined {
  switch (kind) {
    case 'PAYLOAD_KIND_CHANGE':
      return 'change';
    case 'PAYLOAD_KIND_SLACK':
      return 'slack';
    case 'PAYLOAD_KIND_UNSPECIFIED':
      return undefined;
    default:
      throw fieldErrors([{ attr: 'payload_kind', code: 'invalid_choice', detail: 'Unknown kind of payload.' }]);
  }
}
