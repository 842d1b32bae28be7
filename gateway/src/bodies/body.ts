import busboy, { type BusboyHeaders } from '@fastify/busboy';
import { JsonError, parseBoundedJson, type JsonBounds } from '@parlance/contracts';
import { ServiceError } from '@parlance/errors';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import { tooLarge, type BodyReader } from './body-reader';
import { waitForDrain } from '../responses/wait-for-drain';
import { receiveFile, SPOOL_BYTES, type UploadedFile } from './uploaded-file';

/** A request's body. */
export interface Body {
  /** Values by name: JSON values, or texts of a form. */
  values: Record<string, unknown>;
  /** True if values are texts that represent other types. */
  form: boolean;
  files: Map<string, UploadedFile>;
}

/**
 * Limits of JSON bodies, above what any endpoint needs. More values would block the event loop during parsing and validation;
 * deeper nesting overflows recursive functions.
 */
const JSON_BOUNDS: JsonBounds = { depth: 50, values: 20_000 };

const MAX_FIELDS = 1000;

/**
 * @param raw field name of a file sent as the body with any other content type
 * @throws PARSE_ERROR, TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, UNAVAILABLE, REQUEST_TIMEOUT
 */
export async function readBody(reader: BodyReader, raw?: string): Promise<Body> {
  const { request, limits } = reader;
  const header = request.headers['content-type'] ?? '';
  const type = header.split(';')[0]!.trim().toLowerCase();
  const empty =
    Number(request.headers['content-length'] ?? NaN) === 0 ||
    (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined);
  if (empty) return { values: {}, form: false, files: new Map() };
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', {
      message: `The content encoding "${encoding.slice(0, 40)}" is not supported.`,
    });
  }
  if (type === 'application/json')
    return {
      values: await parseJson(await reader.bytes(limits.maxBody), decoderOf(header)),
      form: false,
      files: new Map(),
    };
  if (type === 'application/x-www-form-urlencoded') {
    const bytes = await reader.bytes(limits.maxBody);
    // Parsing millions of empty pairs would block the event loop.
    if (hasMore(bytes, '&', MAX_FIELDS - 1)) throw tooManyFields();
    return { values: formValues(new URLSearchParams(bytes.toString('utf8'))), form: true, files: new Map() };
  }
  if (type === 'multipart/form-data') return readMultipart(reader);
  if (raw !== undefined) return readRaw(reader, { name: raw, type });
  throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', {
    message: type
      ? `The content type "${type}" is not supported here.`
      : 'The request must have a Content-Type header.',
  });
}

/** Whether a character occurs more than `count` times. */
function hasMore(bytes: Buffer, sign: string, count: number): boolean {
  let found = 0;
  for (let at = bytes.indexOf(sign); at >= 0; at = bytes.indexOf(sign, at + 1)) if (++found > count) return true;
  return false;
}

/** A file sent as the body, named by its Content-Disposition. */
async function readRaw(reader: BodyReader, part: { name: string; type: string }): Promise<Body> {
  const filename = filenameOf(reader.request.headers['content-disposition'] ?? '');
  if (filename === '') {
    throw new ServiceError('PARSE_ERROR', {
      message: 'A file sent as the body requires a Content-Disposition header with a filename.',
    });
  }
  const file = await receiveFile({ ...part, filename }, reader.chunks(reader.limits.maxUpload, SPOOL_BYTES), reader);
  return { values: {}, form: true, files: new Map([[file.name, file]]) };
}

/** Last path segment of the file name in a Content-Disposition header; '' without one. */
function filenameOf(header: string): string {
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^";\s]+))/i.exec(header);
  let name = plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2] ?? '';
  try {
    if (encoded !== undefined) name = decodeURIComponent(encoded);
  } catch {
    throw new ServiceError('PARSE_ERROR', { message: 'The file name in Content-Disposition is malformed.' });
  }
  return name.split(/[\\/]/).pop()!.slice(0, 255);
}

/** The decoder of a content type's charset. @throws UNSUPPORTED_MEDIA_TYPE if the charset is unknown */
function decoderOf(contentType: string): TextDecoder {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', {
      message: `The charset "${charset.slice(0, 40)}" is not supported.`,
    });
  }
}

const parseJson = (bytes: Buffer, decoder: TextDecoder): Promise<Record<string, unknown>> =>
  parseJsonText(decoded(bytes, decoder));

/** @throws PARSE_ERROR for malformed JSON, INVALID for other values than objects */
export async function parseJsonText(text: string): Promise<Record<string, unknown>> {
  let value: unknown;
  try {
    value = await parseBoundedJson(text, JSON_BOUNDS);
  } catch (error) {
    if (error instanceof JsonError) throw new ServiceError('PARSE_ERROR', { message: error.message });
    throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ServiceError('INVALID', {
      problems: [
        { attr: 'non_field_errors', code: value === null ? 'null' : 'invalid', detail: 'A JSON object is expected.' },
      ],
    });
  }
  return value as Record<string, unknown>;
}

function decoded(bytes: Buffer, decoder: TextDecoder): string {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    throw new ServiceError('PARSE_ERROR', { message: `The body is no valid JSON: ${(error as Error).message}` });
  }
}

function tooManyFields(): ServiceError {
  return new ServiceError('PARSE_ERROR', { message: `A form has at most ${MAX_FIELDS} fields.` });
}

/** Repeated fields become lists. */
function formValues(pairs: Iterable<[string, string]>): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  let count = 0;
  for (const [name, value] of pairs) {
    if (++count > MAX_FIELDS) throw tooManyFields();
    const before = values[name];
    if (before === undefined) values[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else values[name] = [before, value];
  }
  return values;
}

/** Bytes parsed at a time, before the number of parts is checked and other requests run. */
const PIECE = 8 * 1024;
const PIECES_A_TURN = 4;

async function* pieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += PIECE) {
      if (++count % PIECES_A_TURN === 0) await turn();
      yield chunk.subarray(at, at + PIECE);
    }
}

type FormParser = ReturnType<typeof busboy>;

/** @throws PARSE_ERROR if the content type has no boundary */
function openParser({ request, limits }: BodyReader): FormParser {
  try {
    return busboy({
      headers: request.headers as BusboyHeaders,
      limits: { fieldSize: limits.maxBody, fields: MAX_FIELDS, files: 10, parts: MAX_FIELDS + 10, headerPairs: 100 },
    });
  } catch (error) {
    throw unparsable(error as Error);
  }
}

const unparsable = (error: Error): ServiceError =>
  new ServiceError('PARSE_ERROR', { message: `The form could not be parsed: ${error.message}` });

/** Parts of a multipart form as they arrive. */
class FormParts {
  readonly pairs: [string, string][] = [];
  readonly files = new Map<string, UploadedFile>();
  /** The first failure; the rest of the form is not read. */
  failure: Error | undefined;
  /** Rejects at the first failure. */
  readonly failed: Promise<never>;
  private readonly receiving: Promise<void>[] = [];
  private fieldBytes = 0;
  private reject!: (error: Error) => void;

  constructor(
    private readonly reader: BodyReader,
    parser: FormParser,
  ) {
    this.failed = new Promise<never>((_, reject) => {
      this.reject = reject;
    });
    // The promise may reject before it is awaited.
    this.failed.catch(() => undefined);
    parser.on('field', (name, value, _nameTruncated, valueTruncated) => this.addField(name, value, valueTruncated));
    parser.on('file', (name, stream, filename: string | undefined, _encoding, type) => {
      const part = { name, filename: (filename ?? '').split(/[\\/]/).pop()!.slice(0, 255), type };
      this.receiving.push(this.receive(part, stream));
    });
    for (const limit of ['fieldsLimit', 'filesLimit', 'partsLimit'] as const)
      parser.on(limit, () => this.fail(new ServiceError('PARSE_ERROR', { message: 'The form has too many parts.' })));
    parser.on('error', (error) => this.fail(unparsable(error as Error)));
  }

  /** All files have arrived. Files of a malformed form never do. */
  async allFiles(): Promise<void> {
    await Promise.race([Promise.all(this.receiving), this.failed]);
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.reject(this.failure);
  }

  private addField(name: string, value: string, truncated: boolean): void {
    const { maxBody } = this.reader.limits;
    this.fieldBytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    if (truncated || this.fieldBytes > maxBody) this.fail(tooLarge(maxBody));
    else this.pairs.push([name, value]);
  }

  private async receive(part: Parameters<typeof receiveFile>[0], stream: Readable): Promise<void> {
    try {
      this.files.set(part.name, await receiveFile(part, stream, this.reader));
    } catch (error) {
      stream.resume();
      this.fail(error as Error);
    }
  }
}

/** Parses the bytes of a form until they end or a part fails. */
async function parseParts(reader: BodyReader, parser: FormParser, parts: FormParts): Promise<void> {
  const finished = once(parser, 'finish').catch(() => undefined);
  for await (const chunk of pieces(reader.chunks(reader.limits.maxUpload, SPOOL_BYTES))) {
    // A failed file is no longer read, so the parser would never drain.
    if (!parser.write(chunk) && !parts.failure) await Promise.race([waitForDrain(parser), parts.failed]);
    if (parts.failure) break;
  }
  if (!parts.failure) {
    parser.end();
    await finished;
    await parts.allFiles();
  }
  if (parts.failure) throw parts.failure;
}

async function readMultipart(reader: BodyReader): Promise<Body> {
  const parser = openParser(reader);
  const parts = new FormParts(reader, parser);
  try {
    await parseParts(reader, parser, parts);
    return { values: formValues(parts.pairs), form: true, files: parts.files };
  } catch (error) {
    // Destroys the streams of files that are still being received.
    parser.destroy();
    throw parts.failure ?? error;
  }
}
