import { fieldsOf, type RequestSchema } from '@parlance/contracts';
import { z } from 'zod';
import { withoutSafeBounds } from './responses';

type Json = Record<string, unknown>;

/** Keywords that describe a field as a whole, also where its value may be null. */
const annotations = ['description', 'readOnly', 'writeOnly'];

/** Moves the annotations of a nullable value to the field. */
function annotateNullable({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }): void {
  if (!(zodSchema instanceof z.ZodNullable)) return;
  const [value] = jsonSchema['anyOf'] as Json[];
  for (const name of annotations) {
    if (value?.[name] === undefined) continue;
    jsonSchema[name] = value[name];
    delete value[name];
  }
}

const known = new WeakMap<RequestSchema, Readonly<Record<string, Json>>>();

/** JSON Schemas of the fields of a request by name. */
export function fieldSchemas(schema: RequestSchema): Readonly<Record<string, Json>> {
  let schemas = known.get(schema);
  if (!schemas) {
    const { properties } = z.toJSONSchema(schema, {
      reused: 'inline',
      override(context) {
        withoutSafeBounds(context);
        annotateNullable(context);
      },
    });
    known.set(schema, (schemas = properties as Record<string, Json>));
  }
  return schemas;
}

/** A missing field of a partial request stays unchanged, so clients must not send its default. */
function withoutDefault({ default: _default, ...schema }: Json): Json {
  return schema;
}

/** JSON Schema of a body. @param partial no field is required */
export function bodySchema(schema: RequestSchema, partial: boolean, files: readonly string[] = []): Json {
  const required = partial ? [] : fieldsOf(schema).filter((field) => field.required);
  const fields = Object.entries(fieldSchemas(schema)).map(
    ([name, field]) => [name, partial ? withoutDefault(field) : field] as const,
  );
  const parts = files.map(
    (name) => [name, { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' }] as const,
  );
  return {
    type: 'object',
    properties: Object.fromEntries([...fields, ...parts]),
    ...(required.length > 0 ? { required: required.map(({ name }) => name) } : {}),
  };
}
