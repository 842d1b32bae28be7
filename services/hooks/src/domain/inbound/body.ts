import { PayloadError } from './payload';

/** The body is not what its content type says. */
export class BodyError extends Error {}

async function formField(raw: Uint8Array, contentType: string): Promise<string> {
  let form: FormData;
  try {
    form = await new Response(Buffer.from(raw), { headers: { 'content-type': contentType } }).formData();
  } catch (error) {
    throw new BodyError('The form cannot be read.', { cause: error });
  }
  const payload = form.get('payload');
  if (payload === null) throw new PayloadError('The form has no parameter payload.');
  return typeof payload === 'string' ? payload : payload.text();
}

const FORM = 'application/x-www-form-urlencoded';

/** Whether the body is a form. Older versions of Pagure send one under the content type of JSON. */
function isForm(raw: Uint8Array, contentType: string): boolean {
  return (
    /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(contentType) ||
    Buffer.from(raw.subarray(0, 'payload='.length)).toString('latin1') === 'payload='
  );
}

/**
 * The JSON that a notification carries: the body, or the parameter `payload` of a form.
 * @throws BodyError when it cannot be read
 * @throws PayloadError when it is no object or an empty one
 */
export async function readBody(raw: Uint8Array, contentType: string): Promise<{ json: string; data: unknown }> {
  const json = isForm(raw, contentType)
    ? await formField(raw, /form/i.test(contentType) ? contentType : FORM)
    : Buffer.from(raw)
        .toString('utf8')
        .replace(/^\uFEFF/, '');
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch (error) {
    throw new BodyError('The payload is not JSON.', { cause: error });
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data) || Object.keys(data).length === 0) {
    throw new PayloadError('The payload must be a JSON object with data.');
  }
  return { json, data };
}
