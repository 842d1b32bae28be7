// Not from the index: worker threads load this module, and the index loads zod, several megabytes of heap.
import { textProblem } from '@parlance/contracts/text-rules';
import { defaultLimits } from '@parlance/formats';

/** Maximum characters of a text with all plural forms; the limit of file formats, so that every text fits into a file. */
export const MAX_TEXT = defaultLimits.maxText;

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

/** Problem of a text, and the form that has it. */
export interface TextProblem {
  form: number;
  code: string;
  detail: string;
}

/** Validates an incoming text. Control characters are allowed if `known` texts contain them. @returns undefined for a valid text */
export function findTextProblem(forms: readonly string[], known: readonly string[] = []): TextProblem | undefined {
  let length = 0;
  for (const [form, text] of forms.entries()) {
    length += text.length;
    if (length > MAX_TEXT)
      return {
        form,
        code: 'max_length',
        detail: `A text must not be longer than ${MAX_TEXT} characters, including all plural forms.`,
      };
    const unfit = textProblem(text, '');
    if (unfit) return { form, code: unfit.code, detail: unfit.detail };
    const odd = text.match(CONTROL)?.find((char) => !known.some((other) => other.includes(char)));
    if (odd !== undefined) return { form, code: 'invalid', detail: 'Control characters are not allowed.' };
  }
  return undefined;
}
