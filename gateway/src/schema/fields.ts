import { z } from 'zod';

/**
 * Field types of request bodies. Forms carry texts only and older clients send every setting as a text, so switches and
 * numbers are understood as texts everywhere; a text where something else belongs is refused by name.
 * Every message code is one of the public API's; `params.code` carries those that zod has no word for.
 */

const fail = (code: string, message: string) => ({ message, params: { code } });

function refuse(context: z.core.$RefinementCtx<unknown>, code: string, message: string): typeof z.NEVER {
  context.issues.push({ code: 'custom', message, params: { code }, input: context.value });
  return z.NEVER;
}

/** A text. `blank: false` also refuses white space only. */
export function text(options: { max?: number; blank?: boolean } = {}) {
  const { max = 1_000_000, blank = true } = options;
  return z.unknown().transform((value, context): string => {
    if (typeof value !== 'string') return refuse(context, 'invalid', 'This must be a text.');
    if (!value.isWellFormed() || value.includes('\0')) return refuse(context, 'invalid', 'This text holds characters that are not allowed.');
    if (!blank && value.trim() === '') return refuse(context, 'blank', 'This may not be blank.');
    if (value.length > max) return refuse(context, 'max_length', `This may have at most ${max} characters.`);
    return value;
  }).meta({ type: 'string', ...(max < 1_000_000 ? { maxLength: max } : {}) });
}

const switches: Record<string, boolean> = { true: true, '1': true, yes: true, on: true, false: false, '0': false, no: false, off: false };

/** A switch: true or false, also as 1/0 and as the texts true/false, 1/0, yes/no, on/off. */
export function flag() {
  return z.unknown().transform((value, context): boolean => {
    if (typeof value === 'boolean') return value;
    if (value === 1 || value === 0) return value === 1;
    const known = typeof value === 'string' && switches[value.trim().toLowerCase()];
    return typeof known === 'boolean' ? known : refuse(context, 'invalid', 'This must be true or false.');
  }).meta({ type: 'boolean' });
}

/** A whole number, also as a text. */
export function integer(options: { min?: number; max?: number } = {}) {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = options;
  return z.unknown().transform((value, context): number => {
    const number = typeof value === 'string' && /^\s*[+-]?\d{1,17}\s*$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isSafeInteger(number)) return refuse(context, 'invalid', 'This must be a whole number.');
    if (number < min) return refuse(context, 'min_value', `This must be at least ${min}.`);
    if (number > max) return refuse(context, 'max_value', `This must be at most ${max}.`);
    return number;
  }).meta({ type: 'integer' });
}

/** The id of an object. */
export const id = () => integer({ min: 1 });

/** One of some texts. */
export function choice<const T extends string>(values: readonly T[]) {
  return z.unknown().transform((value, context): T => {
    if ((values as readonly unknown[]).includes(value)) return value as T;
    const shown = typeof value === 'string' ? `"${value.slice(0, 60)}"` : 'This';
    return refuse(context, 'invalid_choice', `${shown} is not one of ${values.map((v) => JSON.stringify(v)).join(', ')}.`);
  }).meta({ type: 'string', enum: [...values] });
}

/** One of some whole numbers, also as a text. */
export function numberChoice(values: readonly number[]) {
  return z.unknown().transform((value, context): number => {
    const number = typeof value === 'string' && /^\s*-?\d{1,9}\s*$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number') return refuse(context, 'invalid', 'This must be a whole number.');
    return values.includes(number) ? number : refuse(context, 'invalid_choice', `This must be one of ${values.join(', ')}.`);
  }).meta({ type: 'integer', enum: [...values] });
}

/** A list. From a form: one or several values of the name, or one text with a JSON list. */
export function list<T extends z.ZodType>(item: T, options: { max?: number; single?: boolean } = {}) {
  const { max = 10_000, single = false } = options;
  return z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    const trimmed = value.trim();
    if (trimmed.startsWith('[')) {
      try {
        return JSON.parse(trimmed) as unknown;
      } catch {
        return single ? [value] : value;
      }
    }
    return single ? [value] : value;
  }, z.array(item, fail('not_a_list', 'This must be a list.')).max(max, fail('max_length', `This may have at most ${max} items.`)));
}

/** A list whose single value may also come bare, as forms and older clients send it. */
export const listOrOne = <T extends z.ZodType>(item: T, options: { max?: number } = {}) => list(item, { ...options, single: true });

/** Any JSON object; from a form, a text with one. The result is its JSON text. */
export function jsonObject() {
  return z.unknown().transform((value, context): string => {
    let object = value;
    if (typeof object === 'string') {
      try {
        object = JSON.parse(object) as unknown;
      } catch {
        return refuse(context, 'invalid', 'This must be a JSON object.');
      }
    }
    if (typeof object !== 'object' || object === null || Array.isArray(object)) return refuse(context, 'invalid', 'This must be a JSON object.');
    return JSON.stringify(object);
  }).meta({ type: 'object', additionalProperties: true });
}

/** A time, ISO 8601; the result is milliseconds since the epoch. */
export function time() {
  return z.unknown().transform((value, context): number => {
    const ms = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : NaN;
    return Number.isNaN(ms) ? refuse(context, 'invalid', 'This must be a date and time such as 2026-11-21T10:00:00Z.') : ms;
  }).meta({ type: 'string', format: 'date-time' });
}
