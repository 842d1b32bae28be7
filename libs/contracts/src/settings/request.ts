import { z } from 'zod';
import { infoOf, strictOf, toList, type FieldInfo, type FieldType, type Instant, type Reference } from './field';
import type { SettingProblem } from './text-rules';

/** Fields of a request: a zod object whose members come from `field`. */
export type RequestSchema = z.ZodObject;

/** POST: required fields and defaults apply. PUT: required fields apply. PATCH: any subset. */
export type RequestMode = 'create' | 'replace' | 'update';

/** Valid values of a request by name, including applied defaults. */
export type RequestValues<S extends RequestSchema> = Partial<z.output<S>>;

export interface ReadRequest<S extends RequestSchema> {
  values: RequestValues<S>;
  /** All problems; empty for a valid request. */
  problems: SettingProblem[];
}

/** A field of a request as descriptions, services and tests need it. */
export interface RequestField extends FieldInfo {
  /** Name in the public API. */
  readonly name: string;
  /** Name in gRPC messages. */
  readonly key: string;
  readonly required: boolean;
  readonly nullable: boolean;
  /** Default on creation; undefined: the field is required, or the service decides (see `doc`). */
  readonly default: unknown;
  /** The field without its wrappers. */
  readonly base: z.ZodType;
}

const knownFields = new WeakMap<RequestSchema, readonly RequestField[]>();

/** The fields of a request in the order of its schema. */
export function fieldsOf(schema: RequestSchema): readonly RequestField[] {
  let fields = knownFields.get(schema);
  if (!fields) {
    fields = Object.entries(schema.shape).map(([name, member]) => describeField(name, member as z.ZodType));
    knownFields.set(schema, fields);
  }
  return fields;
}

/** A field of a request by name. */
export const fieldOf = (schema: RequestSchema, name: string): RequestField | undefined =>
  fieldsOf(schema).find((field) => field.name === name);

function describeField(name: string, member: z.ZodType): RequestField {
  let base = member;
  let required = true;
  let nullable = false;
  let initial: unknown;
  for (;;) {
    if (base instanceof z.ZodDefault) initial = base.def.defaultValue;
    else if (base instanceof z.ZodNullable) nullable = true;
    else if (!(base instanceof z.ZodOptional)) break;
    required &&= base instanceof z.ZodNullable;
    base = base.unwrap() as z.ZodType;
  }
  const info = infoOf(base);
  return { ...info, name, key: messageKey(name, info.type), required, nullable, default: initial, base };
}

/** Suffixes of gRPC fields whose values have another form than in the API. */
const suffixes: Partial<Record<FieldType, string>> = { object: 'Json', time: 'Ms', relation: 'Id' };

const messageKey = (name: string, type: FieldType): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) + (suffixes[type] ?? '');

const modeSchemas = new WeakMap<RequestSchema, Partial<Record<RequestMode, RequestSchema>>>();

/** The schema of a request in a mode, without fields that requests cannot set. */
function schemaOf(schema: RequestSchema, mode: RequestMode): RequestSchema {
  let schemas = modeSchemas.get(schema);
  if (!schemas) modeSchemas.set(schema, (schemas = {}));
  return (schemas[mode] ??= z.object(
    Object.fromEntries(
      fieldsOf(schema)
        .filter(({ access }) => access !== 'read-only')
        .map(({ name, base, nullable, required }) => {
          if (mode === 'create') return [name, schema.shape[name] as z.ZodType];
          const value = nullable ? base.nullable() : base;
          return [name, mode === 'replace' && required ? value : value.optional()];
        }),
    ),
  ));
}

/**
 * Reads a request from a JSON or form body. Unknown and read-only fields are ignored. Rules that depend on other objects are left to the
 * services.
 * @param options.prefix prefix of names in problems, for nested requests (`plural.`)
 * @param options.form true: values are form fields, where a string may stand for a list of one item, and '' for null or an empty list
 */
export function readRequest<S extends RequestSchema>(
  schema: S,
  body: Readonly<Record<string, unknown>>,
  mode: RequestMode,
  { prefix = '', form = false }: { prefix?: string; form?: boolean } = {},
): ReadRequest<S> {
  const given = decodeForm(schema, body, form);
  const wanted = schemaOf(schema, mode);
  const result = wanted.safeParse(given, { reportInput: true });
  if (result.success) return { values: result.data as RequestValues<S>, problems: [] };
  const byName = new Map<string, z.core.$ZodIssue[]>();
  for (const issue of result.error.issues) {
    const name = String(issue.path[0]);
    const known = byName.get(name);
    if (known) known.push(issue);
    else byName.set(name, [issue]);
  }
  const problems = [...byName].flatMap(([name, issues]) => fieldProblems(fieldOf(schema, name)!, issues, prefix));
  const values: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(wanted.shape)) {
    const value: unknown = byName.has(name) ? undefined : (member as z.ZodType).parse(given[name]);
    if (value !== undefined) values[name] = value;
  }
  return { values: values as RequestValues<S>, problems };
}

const EMPTY_IS_NULL: ReadonlySet<FieldType> = new Set(['integer', 'id', 'time']);
const LISTS: ReadonlySet<FieldType> = new Set(['list', 'integers', 'relations']);

/** Values of form fields, and '' for no relation, as the JSON values that they stand for. */
function decodeForm(
  schema: RequestSchema,
  body: Readonly<Record<string, unknown>>,
  form: boolean,
): Readonly<Record<string, unknown>> {
  let decoded: Record<string, unknown> | undefined;
  for (const { name, type, nullable } of fieldsOf(schema)) {
    const raw = body[name];
    if (typeof raw !== 'string') continue;
    let value: unknown = raw;
    if (raw === '' && nullable && (type === 'relation' || (form && EMPTY_IS_NULL.has(type)))) value = null;
    else if (form && LISTS.has(type)) value = formList(raw);
    if (value !== raw) (decoded ??= { ...body })[name] = value;
  }
  return decoded ?? body;
}

/** A list in a form field: JSON, a single item, or ''. */
function formList(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed.startsWith('[')) return toList(trimmed);
  return trimmed === '' ? [] : [trimmed];
}

/**
 * The problem of a value that is already of the right type: a service checks values that the gateway has read.
 * @returns undefined for a valid value
 */
export function valueProblem(
  field: RequestField,
  value: unknown,
  attr: string = field.name,
): SettingProblem | undefined {
  if (value === null && field.nullable) return undefined;
  const result = strictOf(field.base).safeParse(value, { reportInput: true });
  if (result.success) return undefined;
  const issue = result.error.issues[0]!;
  return { ...problemOf(field, issue, issue.path.length > 0), attr: [attr, ...issue.path].join('.') };
}

type Problem = Omit<SettingProblem, 'attr'>;

/** The problems of a list's items or, without any, the first problem of a field. */
function fieldProblems(field: RequestField, issues: readonly z.core.$ZodIssue[], prefix: string): SettingProblem[] {
  const ofItems = issues.filter((issue) => issue.path.length > 1);
  const isItem = ofItems.length > 0;
  return (isItem ? ofItems : issues.slice(0, 1)).map((issue) => ({
    attr: prefix + issue.path.join('.'),
    ...problemOf(field, issue, isItem),
  }));
}

/** @param isItem the problem is in an item of the field's list */
function problemOf({ type }: RequestField, issue: z.core.$ZodIssue, isItem: boolean): Problem {
  switch (issue.code) {
    case 'custom':
      return { code: String(issue.params?.['code']), detail: issue.message };
    case 'invalid_value': {
      const shown = typeof issue.input === 'string' ? `"${issue.input.slice(0, 100)}"` : String(issue.input);
      return { code: 'invalid_choice', detail: `${shown} is not one of the choices.` };
    }
    case 'too_small':
      if (issue.origin === 'array') return { code: 'empty', detail: 'At least one item is required.' };
      // Numbers beyond the safe integers are not integers.
      if (issue.minimum === Number.MIN_SAFE_INTEGER) return notAnInteger;
      return { code: 'min_value', detail: `Must be at least ${issue.minimum}.` };
    case 'too_big':
      if (issue.origin === 'array')
        return { code: 'max_length', detail: `At most ${issue.maximum} items are allowed.` };
      if (issue.maximum === Number.MAX_SAFE_INTEGER) return notAnInteger;
      return { code: 'max_value', detail: `Must be at most ${issue.maximum}.` };
    default:
      return isItem ? itemProblems[type]! : typeProblem(type, issue.input);
  }
}

function typeProblem(type: FieldType, value: unknown): Problem {
  if (value === undefined) return { code: 'required', detail: 'This field is required.' };
  return value === null ? { code: 'null', detail: 'This field must not be null.' } : typeProblems[type];
}

const notAString = { code: 'invalid', detail: 'Must be a string.' };
const notAnInteger = { code: 'invalid', detail: 'Must be an integer.' };
const notAList = { code: 'not_a_list', detail: 'Must be a list.' };
const notAnObject = { code: 'invalid', detail: 'Must be a JSON object.' };

/** Problems of values of a wrong type. */
const typeProblems: Readonly<Record<FieldType, Problem>> = {
  string: notAString,
  text: notAString,
  integer: notAnInteger,
  id: notAnInteger,
  number: { code: 'invalid', detail: 'Must be a number.' },
  boolean: { code: 'invalid', detail: 'Must be true or false.' },
  list: notAList,
  integers: notAList,
  relations: notAList,
  objects: notAList,
  object: notAnObject,
  language: notAString,
  time: { code: 'invalid', detail: 'Must be an ISO 8601 date and time.' },
  relation: { code: 'incorrect_type', detail: 'Must be the URL of an object.' },
};

/** Problems of items of a wrong type. */
const itemProblems: Partial<Record<FieldType, Problem>> = {
  list: notAString,
  integers: notAnInteger,
  objects: notAnObject,
  relations: { code: 'incorrect_type', detail: 'Must be the URL or id of an object.' },
};

type Camel<S extends string> = S extends `${infer First}_${infer Rest}`
  ? Rest extends Capitalize<Rest>
    ? `${First}_${Camel<Rest>}`
    : `${First}${Capitalize<Camel<Rest>>}`
  : S;

/** gRPC field of an API field; never for relations. */
type MessageKey<K extends string, V> = V extends Reference | readonly Reference[]
  ? never
  : V extends Instant
    ? `${Camel<K>}Ms`
    : V extends readonly unknown[]
      ? Camel<K>
      : V extends object
        ? `${Camel<K>}Json`
        : Camel<K>;

type MessageValue<V> = V extends null
  ? 0
  : V extends Instant
    ? number
    : V extends readonly unknown[]
      ? V
      : V extends object
        ? string
        : V;

/** Values in the form of a gRPC message. */
export type RequestMessage<V> = {
  [K in keyof V & string as MessageKey<K, NonNullable<V[K]>>]?: MessageValue<Exclude<V[K], undefined>>;
} & {
  [
    K in keyof V & string as NonNullable<V[K]> extends readonly Reference[]
      ? never
      : NonNullable<V[K]> extends readonly unknown[]
        ? `has${Capitalize<Camel<K>>}`
        : never
  ]?: boolean;
};

/**
 * Converts values of `readRequest` to gRPC fields. Relations (URLs of other objects) are omitted, because the caller resolves them.
 * Lists get their `has…` flag, objects become JSON strings, null becomes 0.
 */
export function toMessage<S extends RequestSchema>(
  schema: S,
  values: RequestValues<S>,
): RequestMessage<RequestValues<S>> {
  const message: Record<string, unknown> = {};
  for (const { name, key, type } of fieldsOf(schema)) {
    const value = (values as Record<string, unknown>)[name];
    if (value === undefined || type === 'relation' || type === 'relations') continue;
    if (type === 'object') message[key] = JSON.stringify(value);
    else message[key] = value === null ? 0 : value;
    if (type === 'list' || type === 'integers' || type === 'objects')
      message[`has${key[0]!.toUpperCase()}${key.slice(1)}`] = true;
  }
  return message as RequestMessage<RequestValues<S>>;
}
