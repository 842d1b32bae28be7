import busboy, { type BusboyHeaders } from '@fastify/busboy';
import { ServiceError } from '@parlance/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TextDecoder } from 'node:util';
import { receiveFile, type UploadedFile } from './uploaded-file';

/** A request's body. */
export interface Body {
  /** Values by name: JSON values, or texts of a form. */
  values: Record<string, unknown>;
  /** True when the values are texts that stand for other types. */
  form: boolean;
  files: Map<string, UploadedFile>;
}

export interface BodyLimits {
  maxBody: number;
  maxUpload: number;
}

function tooLarge(limit: number): ServiceError {
  return new ServiceError('TOO_LARGE', { message: `The body is larger than ${limit} bytes.` });
}

/** Nesting of JSON that is accepted; what is deeper serves nobody and overflows those who walk it. */
const MAX_DEPTH = 50;

/** Lets a client that waits before it sends its body (Expect: 100-continue) go on, now that nothing else stands against the request. */
function letSend(request: IncomingMessage & { res?: ServerResponse }): void {
  if (/100-continue/i.test(request.headers.expect ?? '')) request.res?.writeContinue();
}

/** Reads at most `limit` bytes; a longer body is refused before it is read. */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) throw tooLarge(limit);
  letSend(request);
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection stays usable for the answer that says what was wrong.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const MAX_FIELDS = 1000;

/**
 * @param atEnd takes what has to be done when the request is over: closing files of the body
 * @param raw name of the file that a body of any other type is
 * @throws PARSE_ERROR, TOO_LARGE, UNSUPPORTED_MEDIA_TYPE
 */
export async function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
  atEnd: (release: () => void) => void,
  raw?: string,
): Promise<Body> {
  const header = request.headers['content-type'] ?? '';
  const type = header.split(';')[0]!.trim().toLowerCase();
  const empty =
    Number(request.headers['content-length'] ?? NaN) === 0 ||
    (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined);
  if (empty) return { values: {}, form: false, files: new Map() };
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', {
      message: `Bodies encoded as ${encoding.slice(0, 40)} are not supported.`,
    });
  }
  if (type === 'application/json')
    return {
      values: parseJson(await readBytes(request, limits.maxBody), decoderOf(header)),
      form: false,
      files: new Map(),
    };
  if (type === 'application/x-www-form-urlencoded') {
    const text = (await readBytes(request, limits.maxBody)).toString('utf8');
    return { values: formValues(new URLSearchParams(text)), form: true, files: new Map() };
  }
  if (type === 'multipart/form-data') return readMultipart(request, limits, atEnd);
  if (raw !== undefined) return readRaw(request, limits.maxUpload, atEnd, { name: raw, type });
  throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', {
    message: type ? `The content type "${type}" is not supported here.` : 'The body has no content type.',
  });
}

/** A body that is a file, named by its Content-Disposition. */
async function readRaw(
  request: IncomingMessage,
  limit: number,
  atEnd: (release: () => void) => void,
  facts: { name: string; type: string },
): Promise<Body> {
  const filename = filenameOf(request.headers['content-disposition'] ?? '');
  if (filename === '') {
    throw new ServiceError('PARSE_ERROR', {
      message: 'A file that is sent as the body needs a header Content-Disposition with a filename.',
    });
  }
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  letSend(request);
  let size = 0;
  const count = (bytes: number) => {
    size += bytes;
    if (size > limit) throw tooLarge(limit);
  };
  const stream = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  const file = await receiveFile({ ...facts, filename }, stream, count, atEnd);
  return { values: {}, form: true, files: new Map([[file.name, file]]) };
}

/** The last part of the file name that a Content-Disposition gives, '' without one. */
function filenameOf(header: string): string {
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^";\s]+))/i.exec(header);
  let name = plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2] ?? '';
  try {
    if (encoded !== undefined) name = decodeURIComponent(encoded);
  } catch {
    throw new ServiceError('PARSE_ERROR', { message: 'The file name in Content-Disposition is damaged.' });
  }
  return name.split(/[\\/]/).pop()!.slice(0, 255);
}

/** What reads text in the charset that a content type names. @throws UNSUPPORTED_MEDIA_TYPE when there is no such charset */
function decoderOf(contentType: string): TextDecoder {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', { message: `There is no charset "${charset.slice(0, 40)}".` });
  }
}

function parseJson(bytes: Buffer, decoder: TextDecoder): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch (error) {
    throw new ServiceError('PARSE_ERROR', { message: `The body is no valid JSON: ${(error as Error).message}` });
  }
  if (tooDeep(value))
    throw new ServiceError('PARSE_ERROR', { message: `The JSON is nested deeper than ${MAX_DEPTH} levels.` });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ServiceError('INVALID', {
      problems: [{ attr: 'non_field_errors', code: 'invalid', detail: 'A JSON object is expected.' }],
    });
  }
  return value as Record<string, unknown>;
}

function tooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item).filter((inner) => typeof inner === 'object') : [],
    );
  }
  return false;
}

/** Fields that come several times become lists. */
function formValues(pairs: Iterable<[string, string]>): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  let count = 0;
  for (const [name, value] of pairs) {
    if (++count > MAX_FIELDS)
      throw new ServiceError('PARSE_ERROR', { message: `A form has at most ${MAX_FIELDS} fields.` });
    const before = values[name];
    if (before === undefined) values[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else values[name] = [before, value];
  }
  return values;
}

function readMultipart(
  request: IncomingMessage,
  limits: BodyLimits,
  atEnd: (release: () => void) => void,
): Promise<Body> {
  return new Promise((resolve, reject) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > limits.maxUpload) return reject(tooLarge(limits.maxUpload));
    letSend(request);
    const pairs: [string, string][] = [];
    const files = new Map<string, UploadedFile>();
    const receiving: Promise<void>[] = [];
    let size = 0;
    let parser: ReturnType<typeof busboy>;
    try {
      parser = busboy({
        headers: request.headers as BusboyHeaders,
        limits: { fieldSize: limits.maxBody, fields: MAX_FIELDS, files: 10, parts: MAX_FIELDS + 10, headerPairs: 100 },
      });
    } catch (error) {
      return reject(
        new ServiceError('PARSE_ERROR', { message: `The form could not be read: ${(error as Error).message}` }),
      );
    }
    const fail = (error: Error) => {
      request.unpipe(parser);
      request.resume();
      reject(error);
    };
    parser.on('field', (name, value, _nameTruncated, valueTruncated) => {
      if (valueTruncated) fail(tooLarge(limits.maxBody));
      else pairs.push([name, value]);
    });
    parser.on('file', (name, stream, filename, _encoding, type) => {
      const facts = { name, filename: (filename ?? '').split(/[\\/]/).pop()!.slice(0, 255), type };
      const count = (bytes: number) => {
        size += bytes;
        if (size > limits.maxUpload) throw tooLarge(limits.maxUpload);
      };
      receiving.push(
        receiveFile(facts, stream, count, atEnd).then(
          (file) => void files.set(name, file),
          (error: unknown) => {
            stream.resume();
            fail(error as Error);
          },
        ),
      );
    });
    for (const limit of ['fieldsLimit', 'filesLimit', 'partsLimit'] as const) {
      parser.on(limit, () => fail(new ServiceError('PARSE_ERROR', { message: 'The form has too many parts.' })));
    }
    parser.on('error', (error) =>
      fail(new ServiceError('PARSE_ERROR', { message: `The form could not be read: ${(error as Error).message}` })),
    );
    parser.on('finish', () => {
      Promise.all(receiving)
        .then(() => resolve({ values: formValues(pairs), form: true, files }))
        .catch(reject);
    });
    request.on('aborted', () => fail(new ServiceError('PARSE_ERROR', { message: 'The body ended early.' })));
    request.pipe(parser);
  });
}
