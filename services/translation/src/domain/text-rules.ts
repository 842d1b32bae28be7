import { textProblem } from '@parlance/contracts';
import { defaultLimits } from '@parlance/formats';

/** Characters of a text with all plural forms; the limit of files, so that every text can be written and read again. */
export const MAX_TEXT = defaultLimits.maxText;

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

/** Problem of a text, and the form that has it. */
export interface TextFault {
  form: number;
  code: string;
  detail: string;
}

/** Validates an incoming text. Control characters are allowed if `known` texts contain them. @returns undefined for a valid text */
export function textFault(forms: readonly string[], known: readonly string[] = []): TextFault | undefined {
  let length = 0;
  for (const [form, text] of forms.entries()) {
    length += text.length;
    if (length > MAX_TEXT)
      return {
        form,
        code: 'max_length',
        detail: `A text has at most ${MAX_TEXT} characters, with all its plural forms.`,
      };
    const unfit = textProblem(text, '');
    if (unfit) return { form, code: unfit.code, detail: unfit.detail };
    const odd = text.match(CONTROL)?.find((char) => !known.some((other) => other.includes(char)));
    if (odd !== undefined) return { form, code: 'invalid', detail: 'Control characters are not allowed.' };
  }
  return undefined;
}
