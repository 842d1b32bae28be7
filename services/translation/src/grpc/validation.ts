import type { Principal } from '@parlance/access';
import type { common } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';

/** Repository work is asked for by processes, never by users. */
export function requireService(principal: Principal): void {
  if (!principal.service) throw new ServiceError('PERMISSION_DENIED');
}

/** Page number and size within bounds. */
export function pageOf(
  request: common.PageRequest__Output | null,
  defaultSize: number,
  maxSize: number,
): { page: number; size: number } {
  const page = request?.page || 1;
  const size = request?.pageSize || defaultSize;
  if (!Number.isSafeInteger(page) || page < 1)
    throw fieldErrors([{ attr: 'page', code: 'invalid', detail: 'The page number must be positive.' }]);
  if (!Number.isSafeInteger(size) || size < 1 || size > maxSize) {
    throw fieldErrors([
      { attr: 'page_size', code: 'invalid', detail: `The page size must be between 1 and ${maxSize}.` },
    ]);
  }
  return { page, size };
}

export function requireId(value: number, attr: string): number {
  if (!Number.isSafeInteger(value) || value < 1)
    throw fieldErrors([{ attr, code: 'invalid', detail: 'A positive number is needed.' }]);
  return value;
}

/** Ids of a batch, at most 10 000. */
export function requireIds(values: readonly number[]): readonly number[] {
  if (values.length > 10_000)
    throw fieldErrors([{ attr: 'ids', code: 'max_length', detail: 'At most 10 000 ids at once.' }]);
  return values;
}

/** Longest text of one plural form, in characters. */
const MAX_TEXT = 1_000_000;

export function requireTexts(texts: readonly string[], attr: string): string[] {
  texts.forEach((text, i) => {
    if (text.length > MAX_TEXT)
      throw fieldErrors([
        { attr: `${attr}.${i}`, code: 'max_length', detail: `A text has at most ${MAX_TEXT} characters.` },
      ]);
    if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text))
      throw fieldErrors([{ attr: `${attr}.${i}`, code: 'invalid', detail: 'Control characters are not allowed.' }]);
  });
  return [...texts];
}
