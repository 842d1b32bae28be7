import type { catalog } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import type { CallContext } from '@parlance/grpc-kit';
import type { UploadedFile } from '../app/components/create-component';
import type { RequestContext } from '../app/deps';

/** Maximum number of ids or names in one request. */
export const MAX_BATCH = 10_000;
/** Maximum size of an uploaded archive or document, in bytes. */
export const MAX_FILE_BYTES = 256 * 1024 * 1024;

let calls = 0;

/** A caller without a generation sees all writes until its call: a unique generation forces a refresh. */
export function toRequestContext(context: CallContext): RequestContext {
  return {
    caller: context.caller,
    forwarded: context,
    generation: context.catalogGeneration || `call ${++calls}`,
    problems: context.problems,
  };
}

/** Deduplicates ids. @throws INVALID if the list is longer than allowed */
export function uniqueBatch<T>(values: readonly T[], attr = 'ids'): T[] {
  if (values.length > MAX_BATCH)
    throw fieldErrors([{ attr, code: 'max_length', detail: `At most ${MAX_BATCH} items are allowed.` }]);
  return [...new Set(values)];
}

/** A required nested message. @throws INVALID */
export function requireMessage<T>(value: T | null | undefined, attr: string): T {
  if (value === null || value === undefined)
    throw fieldErrors([{ attr, code: 'required', detail: 'This part of the request is missing.' }]);
  return value;
}

/** The header of an upload, and its content as a stream. @throws INVALID */
export async function readUpload(
  requests: AsyncIterable<catalog.CreateComponentFromFileRequest__Output>,
): Promise<{ request: catalog.CreateComponentRequest__Output; file: UploadedFile }> {
  const iterator = requests[Symbol.asyncIterator]();
  const first = await iterator.next();
  const header = requireMessage(first.done ? null : first.value.header, 'header');
  const request = requireMessage(header.request, 'request');
  const kind = header.kind === 'FILE_KIND_ZIP' ? 'zip' : header.kind === 'FILE_KIND_DOCUMENT' ? 'document' : undefined;
  if (!kind) throw fieldErrors([{ attr: 'kind', code: 'invalid_choice', detail: 'The kind of the file is missing.' }]);
  const attr = kind === 'zip' ? 'zipfile' : 'docfile';
  async function* bytes(): AsyncGenerator<Uint8Array> {
    let size = 0;
    for (let next = first; !next.done; next = await iterator.next()) {
      size += next.value.chunk.length;
      if (size > MAX_FILE_BYTES) throw fieldErrors([{ attr, code: 'max_length', detail: 'The file is too large.' }]);
      if (next.value.chunk.length > 0) yield next.value.chunk;
    }
    if (size === 0) throw fieldErrors([{ attr, code: 'empty', detail: 'The file is empty.' }]);
  }
  return { request, file: { kind, filename: header.filename, bytes: bytes() } };
}
