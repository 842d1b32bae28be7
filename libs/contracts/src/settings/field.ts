import { z } from 'zod';
import { isoTime } from './iso-time';
import { codePoints, objectProblem, shapeProblem, textProblem, type SettingProblem, type Shape } from './text-rules';

/**
 * Fields of requests as zod schemas. Each field converts values of other types where that is unambiguous ("80" to 80) and then validates.
 * A field is required. `.optional()` and `.default()` say otherwise, `.nullable()` accepts null.
 */

/** Type of a field, as descriptions of the API name it. */
export type FieldType =
  | 'string'
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'list'
  | 'integers'
  | 'object'
  | 'objects'
  | 'language'
  | 'time'
  | 'id'
  | 'relation'
  | 'relations';

/** Properties of a field that zod cannot express. */
export interface FieldInfo {
  readonly type: FieldType;
  /** One sentence for the documentation. */
  readonly doc: string;
  /** Allowed values. */
  readonly choices?: readonly (string | number)[];
  /** Allowed values are the ids of a table in another library. Users of that library validate them. */
  readonly vocabulary?: 'file-format' | 'check' | 'add-on';
  /** Syntax of a text. */
  readonly shape?: Shape;
  /** Variables of a template; absent: the variables of commit messages. */
  readonly variables?: readonly string[];
  readonly min?: number;
  /** read-only: ignored in requests. write-only: absent in responses. */
  readonly access?: 'read-only' | 'write-only';
  /**
   * The value is a credential: stored encrypted and never returned in clear text. Responses contain `SECRET_MASK` instead. A client that
   * sends the mask keeps the stored value, unless a field in `sentTo` changes. See `restoreSecrets`.
   */
  readonly secret?: {
    /** Fields of the same schema that decide where the secret is sent; empty: it never leaves the system. */
    readonly sentTo: readonly string[];
  };
}

type Options = Pick<FieldInfo, 'access' | 'secret' | 'vocabulary'>;

interface TextOptions extends Options {
  /** An empty text is not allowed. */
  filled?: boolean;
  /** In code points. */
  maxLength?: number;
  shape?: Shape;
  variables?: readonly string[];
}

interface NumberOptions extends Options {
  min?: number;
  max?: number;
}

interface ListOptions extends Options {
  /** An empty list is not allowed. */
  filled?: boolean;
  maxItems?: number;
}

/** Milliseconds since the epoch. */
export type Instant = number & z.core.$brand<'instant'>;
/** URL or id of another object. */
export type Reference = string & z.core.$brand<'reference'>;

const infos = z.registry<FieldInfo>();

/** Properties of a field without its wrappers (optional, default, nullable). */
export function infoOf(base: z.ZodType): FieldInfo {
  const info = infos.get(base);
  if (!info) throw new Error('schemas of requests consist of fields');
  return info;
}

/** The value that a field validates, without the conversion: for values that are already of the right type. */
export function strictOf(base: z.ZodType): z.ZodType {
  return base instanceof z.ZodPipe ? (base.out as z.ZodType) : base;
}

/**
 * A field that converts values and then validates them.
 * @param json keywords that zod cannot derive
 */
function field<T>(
  convert: (raw: unknown, context: z.core.ParsePayload) => unknown,
  value: z.ZodType<T>,
  info: FieldInfo,
  json: Readonly<Record<string, unknown>> = {},
): z.ZodType<T, unknown> {
  const { doc: description, access } = info;
  const sided = access && { [access === 'read-only' ? 'readOnly' : 'writeOnly']: true };
  const base = z.preprocess(convert as (raw: unknown) => unknown, value).meta({ description, ...sided, ...json });
  infos.add(base, info);
  return base as z.ZodType<T, unknown>;
}

/** Adds the problem that a rule finds. */
const rule =
  <T>(find: (value: T) => SettingProblem | undefined) =>
  (payload: z.core.ParsePayload<T>): void => {
    const problem = find(payload.value);
    if (!problem) return;
    const { attr, code, detail } = problem;
    const path = attr === '' ? [] : attr.split('.');
    payload.issues.push({ code: 'custom', params: { code }, message: detail, path, input: payload.value });
  };

function textRules(type: FieldType, { filled, maxLength, shape }: TextOptions) {
  return (value: string): SettingProblem | undefined => {
    const unfit = textProblem(value, '');
    if (unfit) return unfit;
    if (filled && value.trim() === '') return { attr: '', code: 'blank', detail: 'This field must not be empty.' };
    if (maxLength !== undefined && codePoints(value) > maxLength)
      return { attr: '', code: 'max_length', detail: `At most ${maxLength} characters are allowed.` };
    const misshaped = value === '' ? undefined : shapeProblem(shape, value, type === 'string');
    return misshaped === undefined ? undefined : { attr: '', code: 'invalid', detail: misshaped };
  };
}

const formats: Partial<Record<Shape, string>> = { 'http-url': 'uri', email: 'email', 'date-time': 'date-time' };

function textField(type: 'string' | 'text', doc: string, options: TextOptions): z.ZodType<string, unknown> {
  const { filled, maxLength, ...about } = options;
  const format = options.shape && formats[options.shape];
  return field(
    type === 'text' ? toText : toLine,
    z.string().check(rule(textRules(type, options))),
    { type, doc, ...about },
    {
      ...(filled ? { minLength: 1 } : {}),
      ...(maxLength === undefined ? {} : { maxLength }),
      ...(format && { format }),
    },
  );
}

/** A single line; surrounding white space is removed. */
export const line = (doc: string, options: TextOptions = {}) => textField('string', doc, options);

/** Several lines. */
export const text = (doc: string, options: TextOptions = {}) => textField('text', doc, options);

/** One of several words. */
export function choice<const C extends readonly string[]>(
  doc: string,
  choices: C,
  options: Options = {},
): z.ZodType<C[number], unknown> {
  const word = z.string().check(rule((value) => textProblem(value, '')));
  return field<C[number]>(toLine, word.pipe(z.enum(choices)), { type: 'string', doc, choices, ...options });
}

export function integer(doc: string, options: NumberOptions = {}): z.ZodType<number, unknown> {
  const { max: _max, ...about } = options;
  return field(toInteger, bounded(z.int(), options), { type: 'integer', doc, ...about });
}

/** One of several whole numbers. */
export function integerChoice<const C extends readonly number[]>(
  doc: string,
  choices: C,
  options: Options = {},
): z.ZodType<C[number], unknown> {
  const info = { type: 'integer', doc, choices, ...options } as const;
  return field<C[number]>(toInteger, z.int().pipe(z.literal(choices)), info, { type: 'integer' });
}

/** A number with or without fraction. */
export function number(doc: string, options: NumberOptions = {}): z.ZodType<number, unknown> {
  const { max: _max, ...about } = options;
  return field(toNumber, bounded(z.number(), options), { type: 'number', doc, ...about });
}

function bounded<N extends z.ZodNumber>(schema: N, { min, max }: NumberOptions): N {
  const above = min === undefined ? schema : schema.min(min);
  return max === undefined ? above : above.max(max);
}

export const boolean = (doc: string, options: Options = {}) =>
  field(toBoolean, z.boolean(), { type: 'boolean', doc, ...options });

function listRules<L extends z.ZodArray>(list: L, { filled, maxItems }: ListOptions): L {
  const some = filled ? list.min(1) : list;
  return maxItems === undefined ? some : some.max(maxItems);
}

/** Maximum number of problems that are reported for the items of a list of texts. */
const MAX_ITEM_PROBLEMS = 20;

/** Items up to a number of wrong ones, which are reported; the rest of a wrong list is not validated. */
function untilWrong(items: unknown, isRight: (item: unknown) => boolean, most = 1): unknown {
  if (!Array.isArray(items)) return items;
  let wrong = 0;
  const last = items.findIndex((item) => !isRight(item) && ++wrong === most);
  return last < 0 ? items : items.slice(0, last + 1);
}

const isText = (item: unknown): boolean => typeof item === 'string';
const isObject = (item: unknown): boolean => typeof item === 'object' && item !== null && !Array.isArray(item);

/** The problem of the first text that is not valid. */
function itemProblem(items: readonly string[]): SettingProblem | undefined {
  for (const [i, item] of items.entries()) {
    const unfit = textProblem(item, String(i));
    if (unfit) return unfit;
  }
  return undefined;
}

/** A list of texts. */
export function list(doc: string, options: ListOptions = {}): z.ZodType<string[], unknown> {
  const { filled: _filled, maxItems: _maxItems, ...about } = options;
  const texts = z.array(z.string()).check(rule(itemProblem));
  const convert = (raw: unknown) => untilWrong(toList(raw), isText, MAX_ITEM_PROBLEMS);
  return field(convert, listRules(texts, options), { type: 'list', doc, ...about });
}

/** A list of whole numbers. */
export function integers(doc: string, options: ListOptions = {}): z.ZodType<number[], unknown> {
  const { filled: _filled, maxItems: _maxItems, ...about } = options;
  const convert = (raw: unknown) => {
    const items = eachItem(toList(raw), (item) => (isWhole(item) ? Number(item) : item));
    return untilWrong(items, Number.isSafeInteger);
  };
  return field(convert, listRules(z.array(z.int()), options), { type: 'integers', doc, ...about });
}

/** A JSON object. */
export function object(doc: string, options: Options = {}): z.ZodType<Record<string, unknown>, unknown> {
  const value = z.record(z.string(), z.unknown()).check(rule((given) => objectProblem(given, '')));
  return field(toJson, value, { type: 'object', doc, ...options });
}

/** A list of JSON objects. */
export function objects(doc: string, options: ListOptions = {}): z.ZodType<Record<string, unknown>[], unknown> {
  const { filled: _filled, maxItems: _maxItems, ...about } = options;
  const items = z.array(z.record(z.string(), z.unknown())).check(rule((given) => objectProblem(given, '')));
  return field((raw) => untilWrong(toJson(raw), isObject), listRules(items, options), {
    type: 'objects',
    doc,
    ...about,
  });
}

/** A language code, or an object with the member `code`. */
export function language(doc: string): z.ZodType<string, unknown> {
  const value = z.string().check(rule((code) => inCode(textRules('language', { filled: true })(code))));
  const code = { type: 'string' };
  const anyOf = [code, { type: 'object', properties: { code }, required: ['code'] }];
  return field(toLanguageCode, value, { type: 'language', doc }, { type: undefined, anyOf });
}

const inCode = (problem: SettingProblem | undefined) => problem && { ...problem, attr: 'code' };

/** A time in ISO 8601; the value is in milliseconds since the epoch. */
export function time(doc: string): z.ZodType<Instant, unknown> {
  const json = { type: 'string', format: 'date-time' };
  return field(toTime, z.number() as z.ZodType<unknown> as z.ZodType<Instant>, { type: 'time', doc }, json);
}

/** The id of another object. */
export const id = (doc: string) => field(toInteger, z.int().min(1), { type: 'id', doc, min: 1 });

/** The URL of another object. */
export function relation(doc: string): z.ZodType<Reference, unknown> {
  const value = z.string().check(rule(textRules('relation', {}))) as z.ZodType<unknown> as z.ZodType<Reference>;
  const convert = (raw: unknown) => (typeof raw === 'string' ? raw.trim() : raw);
  return field(convert, value, { type: 'relation', doc }, { format: 'uri-reference' });
}

/** URLs or ids of other objects. */
export function relations(doc: string, options: ListOptions = {}): z.ZodType<Reference[], unknown> {
  const convert = (raw: unknown) => {
    const items = eachItem(toList(raw), (item) => (Number.isSafeInteger(item) ? String(item) : item));
    return untilWrong(items, isText);
  };
  const value = listRules(z.array(z.string().brand<'reference'>()).check(rule(itemProblem)), options);
  const items = { anyOf: [{ type: 'string', format: 'uri-reference' }, { type: 'integer' }] };
  return field(convert, value, { type: 'relations', doc }, { items });
}

const TRUE = new Set(['true', '1', 'yes', 'on', 't', 'y']);
const FALSE = new Set(['false', '0', 'no', 'off', 'f', 'n']);

const toText = (raw: unknown): unknown => (typeof raw === 'number' ? String(raw) : raw);

function toLine(raw: unknown): unknown {
  if (typeof raw === 'string') return raw.trim();
  return typeof raw === 'number' ? String(raw) : raw;
}

const toInteger = (raw: unknown): unknown =>
  typeof raw === 'string' && /^\s*[-+]?\d{1,15}(\.0*)?\s*$/.test(raw) ? Number(raw) : raw;

const toNumber = (raw: unknown): unknown =>
  typeof raw === 'string' && /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/.test(raw) ? Number(raw) : raw;

const isWhole = (raw: unknown): boolean => typeof raw === 'string' && /^\s*-?\d{1,15}\s*$/.test(raw);

function toBoolean(raw: unknown): unknown {
  if (typeof raw !== 'number' && typeof raw !== 'string') return raw;
  const word = String(raw).trim().toLowerCase();
  if (TRUE.has(word)) return true;
  return FALSE.has(word) ? false : raw;
}

/** Milliseconds since the epoch; invalid times and times before the epoch stay as they are. */
function toTime(raw: unknown): unknown {
  // Only texts are times.
  if (typeof raw !== 'string') return typeof raw === 'number' ? NaN : raw;
  const value = isoTime(raw.trim());
  return value > 0 ? value : raw;
}

const eachItem = (list: unknown, change: (item: unknown) => unknown): unknown =>
  Array.isArray(list) ? list.map(change) : list;

/** Parses JSON in a text. */
function toJson(raw: unknown): unknown {
  if (typeof raw !== 'string' || raw.length > 1_000_000) return raw;
  try {
    return JSON.parse(raw) as unknown;
  } catch {
    return raw;
  }
}

/** Parses a JSON list in a text. */
export const toList = (raw: unknown): unknown =>
  typeof raw === 'string' && raw.trimStart().startsWith('[') ? toJson(raw) : raw;

function toLanguageCode(raw: unknown, context: z.core.ParsePayload): unknown {
  if (raw === undefined || raw === null) return raw;
  const fail = (at: string, code: string, detail: string) => {
    context.issues.push({ code: 'custom', params: { code }, message: detail, path: [at], input: raw });
    return z.NEVER;
  };
  if (typeof raw === 'string') return raw.trim();
  if (typeof raw !== 'object' || Array.isArray(raw))
    return fail('non_field_errors', 'invalid', 'Must be a language code.');
  const { code } = raw as Record<string, unknown>;
  if (code === undefined) return fail('code', 'required', 'This field is required.');
  return typeof code === 'string' ? code.trim() : fail('code', 'invalid', 'Must be a string.');
}
