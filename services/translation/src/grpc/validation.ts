import type { Principal } from '@parlance/access';
import { fieldErrors, ServiceError } from '@parlance/errors';

/** Repository work is asked for by processes, never by users. */
export function requireService(principal: Principal): void {
  if (!principal.service) throw new ServiceError('PERMISSION_DENIED');
}

/** Ids of a batch, at most 10 000. */
export function requireIds(values: readonly number[]): readonly number[] {
  if (values.length > 10_000)
    throw fieldErrors([{ attr: 'ids', code: 'max_length', detail: 'At most 10 000 ids at once.' }]);
  return values;
}

/** Longest text of one plural form, in characters. */
const MAX_TEXT = 1_000_000;

/** Texts that nobody may put together wrongly: control characters are refused. */
export function requireTexts(texts: readonly string[], attr: string): string[] {
  requireEditedTexts(texts, attr).forEach((text, i) => {
    if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text))
      throw fieldErrors([{ attr: `${attr}.${i}`, code: 'invalid', detail: 'Control characters are not allowed.' }]);
  });
  return [...texts];
}

/** Texts that are corrected when they are saved. A NUL is refused: no store or file can hold it. */
export function requireEditedTexts(texts: readonly string[], attr: string): string[] {
  texts.forEach((text, i) => {
    if (text.length > MAX_TEXT)
      throw fieldErrors([
        { attr: `${attr}.${i}`, code: 'max_length', detail: `A text has at most ${MAX_TEXT} characters.` },
      ]);
    if (text.includes('\0'))
      throw fieldErrors([{ attr: `${attr}.${i}`, code: 'invalid', detail: 'A NUL is not allowed.' }]);
  });
  return [...texts];
}
