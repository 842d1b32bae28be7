import { Schema, type InferRawDocType, type InferRawDocTypeFromSchema, type InferRawDocTypeWithout_id } from 'mongoose';

// An empty text is a value. Mongoose would reject it as missing.
Schema.Types.String.checkRequired((value: unknown) => typeof value === 'string');

/** Stored documents stay as they were written: unknown fields of a newer version and empty objects are kept. */
const unchanged = { strict: false, minimize: false, id: false } as const;

/**
 * Schema of a collection's documents: their only description, and the source of their type (`DocumentOf`). The store creates collections
 * and indexes when it opens.
 */
export function documentSchema<Fields extends { _id: unknown }>(
  collection: string,
  fields: Fields,
): Schema<InferRawDocType<Fields>> {
  const options = { ...unchanged, collection, versionKey: false, autoIndex: false, autoCreate: false } as const;
  return new Schema(fields as never, options) as never;
}

/** Schema of an object inside a document. */
export function objectSchema<Fields extends object>(fields: Fields): Schema<InferRawDocTypeWithout_id<Fields>> {
  return new Schema(fields as never, { ...unchanged, _id: false }) as never;
}

/** The type that a schema describes. */
export type DocumentOf<S extends Schema> = InferRawDocTypeFromSchema<S>;

/** A schema type whose values have a more specific type than the schema can express. */
interface Typed<Value> {
  readonly __type: Value;
}

/**
 * Narrows a schema type to a type of the domain, for example `typed<Kind>(String)`. Without a schema type, the field's content is not
 * described: for unions of objects, for records with free keys, and for objects that another package defines.
 */
export function typed<Value>(type: unknown = Schema.Types.Mixed): Typed<Value> {
  return type as Typed<Value>;
}

type ValueOf<T> =
  T extends Typed<infer Value>
    ? Value
    : T extends readonly (infer Item)[]
      ? ValueOf<Item>[]
      : InferRawDocTypeWithout_id<{ value: { type: T; required: true } }>['value'];

/** Constraints of a field; `enum` also narrows its type. */
interface Rules<Value> {
  enum?: readonly Value[];
  min?: number;
  max?: number;
}

type FieldValue<T, Enum> = unknown extends Enum ? ValueOf<T> : Enum;

/** Definition of a field. Mongoose infers the field's type from the hint, which exists only as a type. */
export interface Field<Value, IsRequired extends boolean> {
  required: IsRequired;
  allowNull: false;
  __rawDocTypeHint: Value;
}

// Without `default: undefined`, mongoose would add empty arrays to documents.

/** A field of every document. */
export function required<T, const Enum = unknown>(type: T, rules: Rules<Enum> = {}): Field<FieldValue<T, Enum>, true> {
  return { type, ...rules, required: true, default: undefined } as never;
}

/** A field of every document that can be null. */
export function nullable<T, const Enum = unknown>(
  type: T,
  rules: Rules<Enum> = {},
): Field<FieldValue<T, Enum> | null, true> {
  return { type, ...rules, default: undefined } as never;
}

/** A field that may be missing in documents. */
export function optional<T, const Enum = unknown>(type: T, rules: Rules<Enum> = {}): Field<FieldValue<T, Enum>, false> {
  return { type, ...rules, allowNull: false, default: undefined } as never;
}

/** A field that may be missing or null in documents. */
export function optionalNullable<T, const Enum = unknown>(
  type: T,
  rules: Rules<Enum> = {},
): Field<FieldValue<T, Enum> | null, false> {
  return { type, ...rules, default: undefined } as never;
}

/** Schema of the counters of `IdSequences`: the last allocated id of each sequence. */
export const counterSchema = () => documentSchema('counters', { _id: required(String), last: required(Number) });
export type CounterDocument = DocumentOf<ReturnType<typeof counterSchema>>;
