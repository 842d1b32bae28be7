import { fieldErrors } from '@parlance/errors';
import { findTextProblem } from '../domain/text-rules';

/** @throws INVALID on field ids when there are more than 10 000 */
export function requireIds(values: readonly number[]): readonly number[] {
  if (values.length > 10_000)
    throw fieldErrors([{ attr: 'ids', code: 'max_length', detail: '"ids" must not contain more than 10 000 items.' }]);
  return values;
}

/** Validates the plural forms of a text. @throws INVALID naming the form */
export function requireTexts(texts: readonly string[], attr: string): string[] {
  return requireValidTexts(texts, attr, []);
}

/** The same for texts whose control characters are removed when they are saved. */
export function requireEditedTexts(texts: readonly string[], attr: string): string[] {
  return requireValidTexts(texts, attr, texts);
}

function requireValidTexts(texts: readonly string[], attr: string, known: readonly string[]): string[] {
  const fault = findTextProblem(texts, known);
  if (fault) throw fieldErrors([{ attr: `${attr}.${fault.form}`, code: fault.code, detail: fault.detail }]);
  return [...texts];
}
