import { parseBoundedJson, type JsonBounds } from '@parlance/contracts';
import { PayloadError } from './payload';

/** The body contradicts its content type. */
export class BodyError extends Error {}

/** The content type is not supported. */
export class MediaTypeError extends Error {}

/** Limits of a notification's JSON. A push of 2,000 commits has about 10,000 values. No code recurses into its depth. */
const JSON_BOUNDS: JsonBounds = { depth: Infinity, values: 250_000 };

/** Fields and parts of a form; hosts send one. */
const MAX_FIELDS = 20;

/** Whether a form has more fields than hosts send: parsing millions of empty ones would block the event loop. */
function tooManyFields(raw: Uint8Array, contentType: string): boolean {
  const boundary = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const sign = contentType.toLowerCase().startsWith('multipart/') ? `--${boundary?.[1] ?? boundary?.[2] ?? ''}` : '&';
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  let found = 0;
  for (let at = bytes.indexOf(sign); at >= 0; at = bytes.indexOf(sign, at + 1)) if (++found > MAX_FIELDS) return true;
  return false;
}

async function formField(raw: Uint8Array, contentType: string): Promise<string> {
  if (tooManyFields(raw, contentType)) throw new BodyError(`The form has more than ${MAX_FIELDS} fields.`);
  let form: FormData;
  try {
    form = await new Response(Buffer.from(raw), { headers: { 'content-type': contentType } }).formData();
  } catch (error) {
    throw new BodyError('The form cannot be parsed.', { cause: error });
  }
  const payload = form.get('payload');
  if (payload === null) throw new PayloadError('The form must have a parameter "payload".');
  return typeof payload === 'string' ? payload : payload.text();
}

const FORM = 'application/x-www-form-urlencoded';

/** The content type of a form body; undefined for JSON. @throws MediaTypeError for other types */
function formType(raw: Uint8Array, contentType: string): string | undefined {
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  if (type === FORM || type === 'multipart/form-data') return contentType;
  if (type !== 'application/json' && !type.endsWith('+json')) throw new MediaTypeError(type);
  // Older versions of Pagure send a form with the content type of JSON.
  return Buffer.from(raw.subarray(0, 'payload='.length)).toString('latin1') === 'payload=' ? FORM : undefined;
}

/**
 * The JSON of a notification: the body, or the parameter `payload` of a form.
 * @throws MediaTypeError if it is neither JSON nor a form
 * @throws BodyError if it is empty or cannot be parsed
 * @throws PayloadError if it is not an object or empty
 */
export async function readBody(raw: Uint8Array, contentType: string): Promise<{ json: string; data: unknown }> {
  if (raw.length === 0) throw new BodyError('The payload is missing.');
  const form = formType(raw, contentType);
  const json = form
    ? await formField(raw, form)
    : Buffer.from(raw)
        .toString('utf8')
        .replace(/^\uFEFF/, '');
  let data: unknown;
  try {
    data = await parseBoundedJson(json, JSON_BOUNDS);
  } catch (error) {
    throw new BodyError(`The payload cannot be parsed: ${(error as Error).message}`, { cause: error });
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data) || Object.keys(data).length === 0) {
    throw new PayloadError('The payload must be a JSON object with data.');
  }
  return { json, data };
}
