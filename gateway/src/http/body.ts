import type { IncomingMessage, ServerResponse } from 'node:http';
import Busboy from '@fastify/busboy';
import { ServiceError } from '@parlance/errors';
import { invalid } from './errors';
import { UploadedFile } from './upload';

/** How a body may come: fields only (JSON, form, multipart), or with files. */
export type BodyKind = 'fields' | 'files' | 'file';

/** A body that was read. */
export interface RequestBody {
  /** Values by name; texts, or lists of texts, when `textual`. */
  fields: Record<string, unknown>;
  files: Map<string, UploadedFile>;
  /** The fields come from a form, where everything is a text. */
  textual: boolean;
}

export interface BodyLimits {
  /** Bytes of a body without files. */
  fields: number;
  /** Bytes of a body with files. */
  files: number;
}

/** Nesting of JSON that is accepted; what is deeper serves nobody and overflows those who walk it. */
const MAX_DEPTH = 50;
const MAX_FORM_FIELDS = 1000;

const tooLarge = (limit: number) => new ServiceError('TOO_LARGE', { message: `The body is larger than the ${limit} bytes allowed here.` });
const parseError = (message: string, cause?: unknown) => new ServiceError('PARSE_ERROR', { message, cause });

function checkLength(request: IncomingMessage, limit: number): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
}

/** Lets a client that waits for it (Expect: 100-continue) send its body now that nothing stands against it. */
function letSend(request: IncomingMessage, response: ServerResponse): void {
  if (/100-continue/i.test(request.headers.expect ?? '')) response.writeContinue();
}

/** The whole body. @throws TOO_LARGE as soon as it is longer than allowed, without keeping it */
export async function readBytes(request: IncomingMessage, response: ServerResponse, limit: number): Promise<Buffer> {
  checkLength(request, limit);
  letSend(request, response);
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > limit) throw tooLarge(limit);
    pieces.push(piece);
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

function tooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const inner of Object.values(item)) if (typeof inner === 'object' && inner !== null) next.push(inner);
    }
    if (next.length === 0) return false;
    level = next;
  }
  return true;
}

/** JSON object from bytes. @throws PARSE_ERROR, INVALID when it is no object */
export function parseJson(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) return {};
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw parseError('The body is not UTF-8.', error);
  }
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw parseError(`The body is not JSON: ${(error as Error).message.slice(0, 200)}`, error);
  }
  if (tooDeep(value)) throw parseError(`The JSON is nested deeper than ${MAX_DEPTH} levels.`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('non_field_errors', 'invalid', 'The body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}

/** Puts a form's value in its place: `a` repeated makes a list, `a.b` an object. */
function put(fields: Record<string, unknown>, name: string, value: string): void {
  const dot = name.indexOf('.');
  const key = dot > 0 ? name.slice(0, dot) : name;
  if (dot > 0) {
    const inner = fields[key];
    if (inner === undefined) fields[key] = Object.create(null) as Record<string, unknown>;
    else if (typeof inner !== 'object' || Array.isArray(inner)) return;
    put(fields[key] as Record<string, unknown>, name.slice(dot + 1), value);
    return;
  }
  const before = fields[key];
  if (before === undefined) fields[key] = value;
  else if (Array.isArray(before)) before.push(value);
  else fields[key] = [before, value];
}

function parseForm(bytes: Buffer): Record<string, unknown> {
  const fields = Object.create(null) as Record<string, unknown>;
  let count = 0;
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    if (++count > MAX_FORM_FIELDS) throw parseError(`The form has more than ${MAX_FORM_FIELDS} fields.`);
    put(fields, name, value);
  }
  return fields;
}

async function readMultipart(request: IncomingMessage, response: ServerResponse, limits: BodyLimits, files: boolean): Promise<RequestBody> {
  const limit = files ? limits.files : limits.fields;
  checkLength(request, limit);
  letSend(request, response);
  const body: RequestBody = { fields: Object.create(null) as Record<string, unknown>, files: new Map(), textual: true };
  let parser: Busboy;
  try {
    parser = Busboy({
      headers: request.headers as Busboy['opts']['headers'],
      limits: { fieldSize: limits.fields, fields: MAX_FORM_FIELDS, files: files ? 4 : 0, fileSize: limit, parts: MAX_FORM_FIELDS + 4 },
    });
  } catch (error) {
    throw parseError('The multipart body has no usable boundary.', error);
  }
  const filling: Promise<void>[] = [];
  let received = 0;
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (error: unknown) => {
        request.unpipe(parser);
        request.resume();
        reject(error instanceof Error ? error : new Error(String(error)));
      };
      parser.on('field', (name: string, value: string, _nameTruncated: boolean, valueTruncated: boolean) => {
        if (valueTruncated) fail(tooLarge(limits.fields));
        else put(body.fields, name, value);
      });
      parser.on('file', (name: string, stream, filename: string | undefined, _encoding: string, type: string) => {
        const file = new UploadedFile((filename ?? '').split(/[\\/]/).pop()!.slice(0, 255), type);
        body.files.set(name, file);
        stream.on('limit', () => fail(tooLarge(limit)));
        filling.push(file.fill(stream).catch(fail));
      });
      parser.on('fieldsLimit', () => fail(parseError(`The form has more than ${MAX_FORM_FIELDS} fields.`)));
      parser.on('partsLimit', () => fail(parseError('The form has too many parts.')));
      parser.on('error', (error: unknown) => fail(parseError('The multipart body is damaged.', error)));
      parser.on('finish', () => resolve());
      request.on('data', (piece: Buffer) => {
        received += piece.length;
        if (received > limit) fail(tooLarge(limit));
      });
      request.on('aborted', () => fail(parseError('The body ended early.')));
      request.pipe(parser);
    });
    await Promise.all(filling);
    return body;
  } catch (error) {
    await discardFiles(body);
    throw error;
  }
}

/** The name in a Content-Disposition header, for bodies that are the file itself. */
export function dispositionFilename(header: string | undefined): string {
  const extended = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(header ?? '')?.[1];
  if (extended) {
    try {
      return decodeURIComponent(extended).split(/[\\/]/).pop()!;
    } catch {
      return '';
    }
  }
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header ?? '');
  return (plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2] ?? '').split(/[\\/]/).pop()!;
}

/**
 * Reads a request's body by its content type.
 * @throws PARSE_ERROR, INVALID, TOO_LARGE, UNSUPPORTED_MEDIA_TYPE
 */
export async function readBody(request: IncomingMessage, response: ServerResponse, kind: BodyKind, limits: BodyLimits): Promise<RequestBody> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  const none: RequestBody = { fields: {}, files: new Map(), textual: false };
  const empty = request.headers['transfer-encoding'] === undefined && Number(request.headers['content-length'] ?? 0) === 0;
  if (empty && type === '') return none;
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', { message: `Bodies encoded as ${encoding.slice(0, 40)} are not supported.` });
  }
  if (type === 'multipart/form-data') return readMultipart(request, response, limits, kind !== 'fields');
  if (type === 'application/json') return { ...none, fields: parseJson(await readBytes(request, response, limits.fields)) };
  if (type === 'application/x-www-form-urlencoded') {
    return { ...none, fields: parseForm(await readBytes(request, response, limits.fields)), textual: true };
  }
  const filename = dispositionFilename(request.headers['content-disposition']);
  if (kind === 'file' && (filename || type)) {
    checkLength(request, limits.files);
    letSend(request, response);
    const file = new UploadedFile(filename, type);
    try {
      await file.fill(bounded(request, limits.files));
    } catch (error) {
      await file.discard();
      throw error;
    }
    return { ...none, files: new Map([['file', file]]), textual: true };
  }
  if (empty) return none;
  throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', {
    message: type ? `Bodies of type ${type.slice(0, 80)} are not supported.` : 'The body has no content type.',
  });
}

async function* bounded(request: IncomingMessage, limit: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > limit) throw tooLarge(limit);
    yield piece;
  }
}

/** Removes what was kept of a body's files. */
export async function discardFiles(body: RequestBody): Promise<void> {
  await Promise.all([...body.files.values()].map((file) => file.discard()));
}
