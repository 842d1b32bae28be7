import type { Caller } from '@parlance/access';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { textFault } from '../domain/text-rules';

/** Repository work is asked for by processes, never by users. */
export function requireService(caller: Caller): void {
  if (!caller.service) throw new ServiceError('PERMISSION_DENIED');
}

/** Ids of a batch, at most 10 000. */
export function requireIds(values: readonly number[]): readonly number[] {
  if (values.length > 10_000)
    throw fieldErrors([{ attr: 'ids', code: 'max_length', detail: 'At most 10 000 ids at once.' }]);
  return values;
}

/** The forms of a text. @throws INVALID naming the form */
export function requireTexts(texts: readonly string[], attr: string): string[] {
  return requireFit(texts, attr, []);
}

/** The same for texts that are corrected when they are saved: that takes control characters out. */
export function requireEditedTexts(texts: readonly string[], attr: string): string[] {
  return requireFit(texts, attr, texts);
}

function requireFit(texts: readonly string[], attr: string, known: readonly string[]): string[] {
  const fault = textFault(texts, known);
  if (fault) throw fieldErrors([{ attr: `${attr}.${fault.form}`, code: fault.code, detail: fault.detail }]);
  return [...texts];
}
