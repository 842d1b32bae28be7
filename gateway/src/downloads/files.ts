import { readRequest, type translation as proto } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import { basename } from 'node:path';
import type { Call, Reply } from '../routing/call';
import { ok } from '../routing/endpoint';
import { notFound } from '../responses/errors';
import { isKnown } from './conditional-requests';
import { uploadFields } from '../resources/shared-fields';

/**
 * Content-Disposition with a file name (RFC 6266; non-ASCII letters by RFC 8187).
 * @param quoted the name may contain any character; otherwise unusual characters are replaced
 */
export function disposition(filename: string, quoted: boolean): string {
  if (!quoted) return `attachment; filename=${filename.replace(/[^\w.@+-]/g, '_')}`;
  const name = filename.replace(/["\\\p{Cc}\p{Cs}]/gu, '_');
  if (/^[ -~]*$/.test(name)) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=utf-8''${encoded}`;
}

/** A file of a component's repository. */
export async function fileReply(call: Call, componentId: number, path: string, type: string): Promise<Reply> {
  if (!path) throw notFound('The component has no such file.');
  const messages = call.clients.vcsWorker.readFile({ componentId, path }, { ...call.options, timeoutMs: 120_000 });
  return {
    headers: { 'Content-Disposition': disposition(basename(path), true) },
    stream: { type, chunks: bytes(await startStream(messages)) },
  };
}

/** Waits for the first message, so that an error becomes an error response instead of a truncated file. */
export async function startStream<M>(messages: AsyncIterable<M>): Promise<AsyncIterable<M>> {
  const iterator = messages[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    if (!first.done) yield first.value;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  })();
}

export async function* bytes(messages: AsyncIterable<{ chunk: Buffer }>): AsyncGenerator<Buffer> {
  for await (const { chunk } of messages) if (chunk.length > 0) yield chunk;
}

/** The file of a translation. */
export async function downloadTranslation(call: Call): Promise<Reply> {
  const format = call.query.get('format');
  // Without the parameter, the stored file is returned; an empty value is an error.
  if (format === '')
    throw fieldErrors([{ attr: 'format', code: 'invalid_choice', detail: '"format" must not be empty.' }]);
  const request = {
    translationId: call.translationKey.id,
    format: format ?? '',
    q: call.query.get('q') ?? '',
  };
  const messages = await startStream(
    call.clients.translation.downloadFile(request, { ...call.options, timeoutMs: 120_000 }),
  );
  const iterator = messages[Symbol.asyncIterator]();
  const first = await iterator.next();
  const header: proto.FileHeader__Output | null = first.done ? null : first.value.header;
  if (!header) throw notFound();
  const headers: Record<string, string> = {
    'Content-Disposition': disposition(header.filename, false),
    ETag: `"${header.etag}"`,
  };
  if (header.lastChangeMs) headers['Last-Modified'] = new Date(header.lastChangeMs).toUTCString();
  if (isKnown(call.request.headers, `"${header.etag}"`, header.lastChangeMs)) {
    await iterator.return?.(undefined);
    return { status: 304, headers };
  }
  return {
    headers,
    stream: { type: header.contentType, size: header.size, chunks: bytes({ [Symbol.asyncIterator]: () => iterator }) },
  };
}

/** Form fields of an upload; the author also under the names that clients send. */
const givenFields = uploadFields.extend({
  author_name: uploadFields.shape.author,
  author_email: uploadFields.shape.email,
});

/** Imports a translated file. */
export async function uploadTranslation(call: Call): Promise<Reply> {
  const { values: given, files } = await call.body();
  const file = files.get('file');
  // Browsers submit empty form fields, too.
  const filled = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const { values, problems } = readRequest(givenFields, filled, 'update');
  call.problems.push(...problems);
  if (!file) {
    const detail = 'A file is required as the part "file" of a multipart form.';
    call.problems.push({ attr: 'file', code: 'required', detail });
  }
  const overwrite = ['yes', 'true', '1', 'on'].includes(String(given['overwrite']).toLowerCase());
  const header = {
    translationId: call.translation.id,
    filename: file?.filename ?? '',
    method: values.method ?? '',
    conflicts: (values.conflicts ?? '') || (overwrite ? 'replace-translated' : ''),
    fuzzy: values.fuzzy ?? '',
    authorName: (values.author_name || values.author) ?? '',
    authorEmail: (values.author_email || values.email) ?? '',
  };
  async function* messages(): AsyncGenerator<proto.UploadFileRequest> {
    yield { header };
    if (file) for await (const chunk of file.chunks()) yield { chunk };
  }
  const r = await call.clients.translation.uploadFile(messages(), { ...call.options, timeoutMs: 300_000 });
  return ok({
    not_found: r.notFound,
    skipped: r.skipped,
    accepted: r.accepted,
    total: r.total,
    result: r.accepted > 0,
    count: r.total,
  });
}
