import { isoTime } from './iso-time';
import { isMailAddress } from './mail-address';

/** A problem with a value, in the form of a field error. */
export interface SettingProblem {
  attr: string;
  code: string;
  detail: string;
}

/** Syntax of a text. Shapes that `shapeProblem` does not know are validated by the service that uses the text. */
export type Shape =
  | 'slug'
  | 'language-code'
  | 'http-url'
  | 'email'
  | 'date-time'
  | 'regex'
  | 'flags'
  | 'path'
  | 'mask'
  | 'message'
  | 'path-pattern'
  | 'path-template'
  | 'query';

/** Rules for every text: no NUL, valid Unicode. @returns undefined for a valid text */
export function textProblem(value: string, attr: string): SettingProblem | undefined {
  if (value.includes('\0'))
    return { attr, code: 'null_characters_not_allowed', detail: 'NUL characters are not allowed.' };
  return isWellFormed(value) ? undefined : { attr, code: 'invalid', detail: 'The text is not valid Unicode.' };
}

/** Limits of objects: nesting depth and length as JSON. */
const MAX_DEPTH = 20;
const MAX_JSON_LENGTH = 200_000;

/** Rules for every object: size, depth, strings and keys. @returns undefined for a valid object */
export function objectProblem(value: unknown, attr: string): SettingProblem | undefined {
  const problem = (code: string, detail: string): SettingProblem => ({ attr, code, detail });
  const look = (item: unknown, depth: number): SettingProblem | undefined => {
    if (typeof item === 'string') return textProblem(item, attr);
    if (typeof item !== 'object' || item === null) return undefined;
    if (depth > MAX_DEPTH) return problem('invalid', `Objects may be nested at most ${MAX_DEPTH} levels deep.`);
    for (const [key, inner] of Object.entries(item)) {
      if (key.startsWith('$')) return problem('invalid', 'Keys must not begin with $.');
      const unfit = textProblem(key, attr) ?? look(inner, depth + 1);
      if (unfit) return unfit;
    }
    return undefined;
  };
  return (
    look(value, 1) ??
    (JSON.stringify(value).length > MAX_JSON_LENGTH
      ? problem('max_length', `At most ${MAX_JSON_LENGTH} characters of JSON are allowed.`)
      : undefined)
  );
}

const SLUG = /^[-a-zA-Z0-9_]+$/;
const LANGUAGE_CODE = /^[-a-zA-Z0-9_@.]+$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})$/;
const CONTROL = /\p{Cc}/u;

/** Why a text does not have its shape. @param singleLine the text is a line without a shape of its own */
export function shapeProblem(shape: Shape | undefined, value: string, singleLine: boolean): string | undefined {
  switch (shape) {
    case 'slug':
      if (value === '-') return 'A single dash is not allowed.';
      return SLUG.test(value) ? undefined : 'Only ASCII letters, digits, dashes and underscores are allowed.';
    case 'language-code':
      return LANGUAGE_CODE.test(value) ? undefined : 'Only ASCII letters, digits and - _ @ . are allowed.';
    case 'email':
      return isMailAddress(value) ? undefined : 'Not a valid email address.';
    case 'date-time':
      return DATE_TIME.test(value) && !Number.isNaN(isoTime(value)) ? undefined : 'Must be an ISO 8601 time.';
    case 'http-url':
      return isHttpUrl(value) ? undefined : 'Must be a URL that starts with http:// or https://.';
    default:
      // Lines are names: control characters are mistakes or spoofing.
      return singleLine && CONTROL.test(value) ? 'Control characters are not allowed.' : undefined;
  }
}

function isHttpUrl(value: string): boolean {
  if (/\s/.test(value) || !/^https?:\/\//i.test(value)) return false;
  try {
    return new URL(value).hostname !== '';
  } catch {
    return false;
  }
}

function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
}

/** Length of a text in code points. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
