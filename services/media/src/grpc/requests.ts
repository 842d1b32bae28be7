import type { media } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import { requireId, type CallContext } from '@parlance/grpc-kit';
import type { FileAdmission, FileRoom } from '@parlance/workload';
import { MAX_BYTES } from '../domain/image';
import type { WantedRange } from '../domain/range';

/** Maximum ids of one list in a request. */
const MAX_IDS = 100_000;

/** @throws INVALID */
export function idsOf(attr: string, values: readonly number[], max = MAX_IDS): readonly number[] {
  if (values.length > max) throw fieldErrors([{ attr, code: 'max_length', detail: `At most ${max} ids are allowed.` }]);
  values.forEach((value, i) => requireId(value, `${attr}.${i}`));
  return values;
}

/** A received image or font. */
export interface Upload<H> {
  header: H;
  bytes: Buffer;
}

/**
 * Receives and handles a streamed image or font. A larger one is cut one byte after the limit, enough to reject it. It
 * counts against the shared memory budget until it is stored.
 * @throws INVALID without a header; OVERLOADED
 */
export async function withUpload<H, R>(
  images: FileAdmission,
  requests: AsyncIterable<{ header: H | null; chunk: Buffer }>,
  { caller, signal }: Pick<CallContext, 'caller' | 'signal'>,
  work: (upload: Upload<H>) => Promise<R>,
): Promise<R> {
  const peer = caller.service ? `service ${caller.service}` : `user ${caller.userId}`;
  const room = images.room(MAX_BYTES + 1, { caller: peer, signal });
  try {
    return await work(await readUpload(requests, room));
  } finally {
    room.release();
  }
}

async function readUpload<H>(
  requests: AsyncIterable<{ header: H | null; chunk: Buffer }>,
  room: FileRoom,
): Promise<Upload<H>> {
  let header: H | undefined;
  for await (const request of requests) {
    if (request.header) {
      if (header)
        throw fieldErrors([
          { attr: 'header', code: 'invalid', detail: 'The header must be sent once, as the first message.' },
        ]);
      header = request.header;
    }
    await room.add(request.chunk.subarray(0, MAX_BYTES + 1 - room.size));
  }
  if (!header)
    throw fieldErrors([{ attr: 'header', code: 'required', detail: 'The first message must be the header.' }]);
  return { header, bytes: room.whole() };
}

export const rangeOf = (range: media.ByteRange__Output | null): WantedRange | undefined =>
  range ? { first: range.first, last: range.last, suffix: range.suffix } : undefined;
