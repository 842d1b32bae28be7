import { isoTime } from './iso-time';
import { isMailAddress } from './mail-address';
import type { Setting, SettingProblem, SettingsMode, SettingsTable, SettingValue } from './types';

/** Settings of a request by name, including applied defaults. */
export type SettingValues = Record<string, SettingValue>;

export interface ReadSettings {
  values: SettingValues;
  /** All problems; empty for a valid request. */
  problems: SettingProblem[];
}

const SLUG = /^[-a-zA-Z0-9_]+$/;
const LANGUAGE_CODE = /^[-a-zA-Z0-9_@.]+$/;
const TRUE = new Set(['true', '1', 'yes', 'on', 't', 'y']);
const FALSE = new Set(['false', '0', 'no', 'off', 'f', 'n']);

/** The gRPC field of a setting. */
export function settingField(setting: Setting): string {
  return setting.field ?? setting.name.replace(/_(.)/g, (_, c: string) => c.toUpperCase());
}

/**
 * Reads settings from a JSON or form body. It converts values of other types where that is unambiguous, and checks type, length, range,
 * choices and shape. Rules that depend on other objects are left to the services. Unknown and read-only keys are ignored.
 * @param options.required replaces the required names of the table
 * @param options.prefix prefix of names in problems, for nested tables (`plural.`)
 * @param options.form true: values are form fields, where a string may stand for a list of one item, and '' for null or an empty list
 */
export function readSettings(
  table: SettingsTable,
  body: Readonly<Record<string, unknown>>,
  mode: SettingsMode,
  options: { required?: readonly string[]; prefix?: string; form?: boolean } = {},
): ReadSettings {
  const values: SettingValues = {};
  const problems: SettingProblem[] = [];
  for (const setting of table) {
    if (setting.access === 'read-only') continue;
    const attr = (options.prefix ?? '') + setting.name;
    const raw = Object.hasOwn(body, setting.name) ? body[setting.name] : undefined;
    if (raw === undefined) {
      const required = options.required ? options.required.includes(setting.name) : setting.required === true;
      if (mode !== 'update' && required) problems.push({ attr, code: 'required', detail: 'This field is required.' });
      else if (mode === 'create' && setting.default !== undefined) values[setting.name] = setting.default;
      continue;
    }
    const read = convert(setting, raw, attr, options.form === true);
    if ('problems' in read) {
      problems.push(...read.problems);
      continue;
    }
    const wrong = settingProblem(setting, read.value, read.attr);
    if (wrong) problems.push(wrong);
    else values[setting.name] = read.value;
  }
  return { values, problems };
}

type Converted = { value: SettingValue; attr: string } | { problems: SettingProblem[] };

function convert(setting: Setting, raw: unknown, attr: string, form: boolean): Converted {
  const fail = (code: string, detail: string, at = attr): Converted => ({ problems: [{ attr: at, code, detail }] });
  if (raw === null) return setting.nullable ? { value: null, attr } : fail('null', 'This field must not be null.');
  switch (setting.type) {
    case 'string':
    case 'text':
    case 'relation': {
      if (setting.type === 'relation') {
        if (setting.nullable && raw === '') return { value: null, attr };
        if (typeof raw !== 'string') return fail('incorrect_type', 'Must be the URL of an object.');
      }
      if (typeof raw === 'number') return { value: String(raw), attr };
      if (typeof raw !== 'string') return fail('invalid', 'Must be a string.');
      return { value: setting.type === 'text' ? raw : raw.trim(), attr };
    }
    case 'integer':
    case 'id': {
      if (setting.nullable && form && raw === '') return { value: null, attr };
      if (typeof raw === 'string' && /^\s*[-+]?\d{1,15}(\.0*)?\s*$/.test(raw)) return { value: Number(raw), attr };
      if (typeof raw === 'number' && Number.isSafeInteger(raw)) return { value: raw, attr };
      return fail('invalid', 'Must be an integer.');
    }
    case 'number': {
      const number = typeof raw === 'string' && /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/.test(raw) ? Number(raw) : raw;
      return typeof number === 'number' && Number.isFinite(number)
        ? { value: number, attr }
        : fail('invalid', 'Must be a number.');
    }
    case 'time': {
      if (setting.nullable && form && raw === '') return { value: null, attr };
      const time = typeof raw === 'string' ? timeOf(raw.trim()) : undefined;
      return time === undefined ? fail('invalid', 'Must be an ISO 8601 date and time.') : { value: time, attr };
    }
    case 'boolean': {
      if (typeof raw === 'boolean') return { value: raw, attr };
      const word = typeof raw === 'number' || typeof raw === 'string' ? String(raw).trim().toLowerCase() : '';
      if (TRUE.has(word)) return { value: true, attr };
      if (FALSE.has(word)) return { value: false, attr };
      return fail('invalid', 'Must be true or false.');
    }
    case 'list': {
      const list = typeof raw === 'string' ? listOfText(raw, form) : raw;
      if (!Array.isArray(list)) return fail('not_a_list', 'Must be a list.');
      const wrong: SettingProblem[] = [];
      list.forEach((item: unknown, i) => {
        if (typeof item !== 'string')
          wrong.push({ attr: `${attr}.${i}`, code: 'invalid', detail: 'Must be a string.' });
      });
      return wrong.length > 0 ? { problems: wrong.slice(0, 20) } : { value: list as string[], attr };
    }
    case 'relations': {
      const list = typeof raw === 'string' ? listOfText(raw, form) : raw;
      if (!Array.isArray(list)) return fail('not_a_list', 'Must be a list.');
      const at = list.findIndex((item: unknown) => typeof item !== 'string' && !Number.isSafeInteger(item));
      return at >= 0
        ? fail('incorrect_type', 'Must be the URL or id of an object.', `${attr}.${at}`)
        : { value: list.map(String), attr };
    }
    case 'integers': {
      const list = typeof raw === 'string' ? listOfText(raw, form) : raw;
      if (!Array.isArray(list)) return fail('not_a_list', 'Must be a list.');
      const numbers = list.map((item: unknown) =>
        typeof item === 'string' && /^\s*-?\d{1,15}\s*$/.test(item) ? Number(item) : item,
      );
      const at = numbers.findIndex((item) => !Number.isSafeInteger(item));
      return at >= 0 ? fail('invalid', 'Must be an integer.', `${attr}.${at}`) : { value: numbers as number[], attr };
    }
    case 'object': {
      const object = typeof raw === 'string' ? parsed(raw) : raw;
      if (typeof object !== 'object' || object === null || Array.isArray(object))
        return fail('invalid', 'Must be a JSON object.');
      return { value: object as Record<string, unknown>, attr };
    }
    case 'objects': {
      const list = typeof raw === 'string' ? parsed(raw) : raw;
      if (!Array.isArray(list)) return fail('not_a_list', 'Must be a list.');
      const at = list.findIndex((item: unknown) => typeof item !== 'object' || item === null || Array.isArray(item));
      if (at >= 0) return fail('invalid', 'Must be a JSON object.', `${attr}.${at}`);
      return { value: list as Record<string, unknown>[], attr };
    }
    case 'language': {
      if (typeof raw === 'string') return { value: raw.trim(), attr: `${attr}.code` };
      if (typeof raw !== 'object' || Array.isArray(raw))
        return fail('invalid', 'Must be a language code.', `${attr}.non_field_errors`);
      const code = (raw as Record<string, unknown>)['code'];
      if (code === undefined) return fail('required', 'This field is required.', `${attr}.code`);
      if (typeof code !== 'string') return fail('invalid', 'Must be a string.', `${attr}.code`);
      return { value: code.trim(), attr: `${attr}.code` };
    }
  }
}

/** Milliseconds since the epoch. Undefined for invalid times and times before the epoch. */
function timeOf(text: string): number | undefined {
  const time = isoTime(text);
  return time > 0 ? time : undefined;
}

function parsed(text: string): unknown {
  if (text.length > 1_000_000) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Parses a list in a string: JSON; in forms also a single item or ''. */
function listOfText(text: string, form: boolean): unknown {
  const trimmed = text.trim();
  if (trimmed.startsWith('[')) return parsed(trimmed);
  if (!form) return undefined;
  return trimmed === '' ? [] : [trimmed];
}

/** Validates a value of the right type against the table. @returns undefined for a valid value */
export function settingProblem(
  setting: Setting,
  value: SettingValue,
  attr: string = setting.name,
): SettingProblem | undefined {
  const problem = (code: string, detail: string): SettingProblem => ({ attr, code, detail });
  if (value === null) return setting.nullable ? undefined : problem('null', 'This field must not be null.');
  if (typeof value === 'string') {
    const unfit = textProblem(value, attr);
    if (unfit) return unfit;
    if (setting.choices) {
      return setting.choices.includes(value)
        ? undefined
        : problem('invalid_choice', `"${value.slice(0, 100)}" is not one of the choices.`);
    }
    if (value.trim() === '' && (setting.filled === true || setting.type === 'language'))
      return problem('blank', 'This field must not be empty.');
    if (setting.maxLength !== undefined && codePoints(value) > setting.maxLength) {
      return problem('max_length', `At most ${setting.maxLength} characters are allowed.`);
    }
    const misshaped = value === '' ? undefined : shapeProblem(setting, value);
    return misshaped === undefined ? undefined : problem('invalid', misshaped);
  }
  if (typeof value === 'number') {
    if (setting.type !== 'number' && !Number.isSafeInteger(value)) return problem('invalid', 'Must be an integer.');
    if (setting.choices && !setting.choices.includes(value))
      return problem('invalid_choice', `${value} is not one of the choices.`);
    const min = setting.type === 'id' ? 1 : setting.min;
    if (min !== undefined && value < min) return problem('min_value', `Must be at least ${min}.`);
    if (setting.max !== undefined && value > setting.max)
      return problem('max_value', `Must be at most ${setting.max}.`);
    return undefined;
  }
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      const unfit = typeof item === 'string' ? textProblem(item, `${attr}.${i}`) : undefined;
      if (unfit) return unfit;
    }
  }
  if (setting.type === 'object' || setting.type === 'objects') {
    const unfit = objectProblem(value, attr);
    if (unfit) return unfit;
  }
  if (Array.isArray(value) && setting.filled === true && value.length === 0)
    return problem('empty', 'At least one item is required.');
  if (Array.isArray(value) && setting.maxItems !== undefined && value.length > setting.maxItems) {
    return problem('max_length', `At most ${setting.maxItems} items are allowed.`);
  }
  return undefined;
}

/** Rules for every string: no NUL, valid Unicode. @returns undefined for a valid string */
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

function shapeProblem(setting: Setting, value: string): string | undefined {
  switch (setting.shape) {
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
      // Single-line settings are names: control characters are mistakes or spoofing.
      return setting.type === 'string' && CONTROL.test(value) ? 'Control characters are not allowed.' : undefined;
  }
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})$/;
const CONTROL = /\p{Cc}/u;

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

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/**
 * Converts values of `readSettings` to gRPC fields. Relations (URLs of other objects) are omitted, because the caller resolves them.
 * Lists get their `has…` flag, objects become JSON strings, null becomes 0.
 */
export function settingsToMessage(table: SettingsTable, values: Readonly<SettingValues>): Record<string, unknown> {
  const message: Record<string, unknown> = {};
  for (const setting of table) {
    const value = values[setting.name];
    if (value === undefined || setting.type === 'relation' || setting.type === 'relations') continue;
    const field = settingField(setting);
    if (setting.type === 'object') message[field] = JSON.stringify(value);
    else message[field] = value === null ? 0 : value;
    if (setting.type === 'list' || setting.type === 'integers' || setting.type === 'objects')
      message[`has${field[0]!.toUpperCase()}${field.slice(1)}`] = true;
  }
  return message;
}
