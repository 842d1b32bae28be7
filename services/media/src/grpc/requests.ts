import type { media } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import { requireId } from '@parlance/grpc-kit';
import { MAX_BYTES } from '../domain/image';
import type { WantedRange } from '../domain/range';

/** Most ids of one list in a request. */
const MAX_IDS = 100_000;

/** @throws INVALID */
export function idsOf(attr: string, values: readonly number[], max = MAX_IDS): readonly number[] {
  if (values.length > max)
    throw fieldErrors([{ attr, code: 'max_length', detail: `At most ${max} ids can be given.` }]);
  values.forEach((value, i) => requireId(value, `${attr}.${i}`));
  return values;
}

/**
 * Collects a streamed upload. One byte more than allowed is kept of a larger one, which is enough to refuse it.
 * @throws INVALID without a header
 */
export async function readUpload<H>(
  requests: AsyncIterable<{ header: H | null; chunk: Buffer }>,
): Promise<{ header: H; bytes: Buffer }> {
  let header: H | undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const request of requests) {
    if (request.header) {
      if (header)
        throw fieldErrors([{ attr: 'header', code: 'invalid', detail: 'There is one header, and it comes first.' }]);
      header = request.header;
    }
    if (size <= MAX_BYTES) chunks.push(request.chunk.subarray(0, MAX_BYTES + 1 - size));
    size += request.chunk.length;
  }
  if (!header)
    throw fieldErrors([{ attr: 'header', code: 'required', detail: 'The first message must be the header.' }]);
  return { header, bytes: Buffer.concat(chunks) };
}

export const rangeOf = (range: media.ByteRange__Output | null): WantedRange | undefined =>
  range ? { first: range.first, last: range.last, suffix: range.suffix } : undefined;
