import { z } from 'zod';
import type { Endpoint } from '../routing/endpoint';
import { errorSchema } from '../responses/schema';

type Json = Record<string, unknown>;

/** Example values of properties without an example of their own, by JSON type. */
const defaults: Readonly<Record<string, unknown>> = {
  string: 'text',
  integer: 1,
  number: 1,
  boolean: true,
  null: null,
};

/** Omits the bounds of safe integers, which apply to every integer. */
export function withoutSafeBounds({ jsonSchema }: { jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** JSON Schema without the keywords that only complete documents carry. */
function jsonSchema(schema: z.ZodType): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    reused: 'inline',
    override: withoutSafeBounds,
  }) as Json;
  return rest;
}

/** An example that matches a schema, composed of the examples of its parts. */
export function exampleOf(schema: Json, definitions: Json = {}): unknown {
  const { examples, $ref, anyOf, items, properties, type } = schema as {
    examples?: unknown[];
    $ref?: string;
    anyOf?: Json[];
    items?: Json;
    properties?: Record<string, Json>;
    type?: string | string[];
  };
  if (examples) return examples[0];
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return (schema['enum'] as unknown[])[0];
  if ($ref !== undefined) return exampleOf(definitions[$ref.split('/').at(-1)!] as Json, definitions);
  if (anyOf) return exampleOf(anyOf[0]!, definitions);
  if (items) return [exampleOf(items, definitions)];
  if (properties)
    return Object.fromEntries(Object.entries(properties).map(([name, s]) => [name, exampleOf(s, definitions)]));
  const [first] = Array.isArray(type) ? type : [type];
  return first === undefined || first === 'object' ? {} : defaults[first];
}

/** Rewrites the references of a schema to the components of the document. */
const componentRefs = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('#/$defs/', '#/components/schemas/')) as Json;

/** Schemas of responses for the description of the API. */
export interface DescribedResponses {
  /** `components/schemas` of the document; each carries an example. */
  schemas: Json;
  /** The media type object of each endpoint that answers with JSON. */
  content: ReadonlyMap<Endpoint, Json>;
}

const described = new WeakMap<readonly Endpoint[], DescribedResponses>();

/** Describes the responses of all endpoints. The first call for a table takes hundreds of milliseconds; the result is cached. */
export function describeResponses(endpoints: readonly Endpoint[]): DescribedResponses {
  const known = described.get(endpoints);
  if (known) return known;
  const schemas: Json = {};
  const converted = new Map<z.ZodType, Json>();
  const convert = (schema: z.ZodType): Json => {
    const { $defs = {}, ...own } = jsonSchema(schema) as Json & { $defs?: Json };
    for (const [name, definition] of Object.entries($defs)) {
      if (name in schemas) continue;
      const { id: _id, ...rest } = definition as Json;
      schemas[name] = { ...componentRefs(rest), examples: [exampleOf(rest, $defs)] };
    }
    return { schema: componentRefs(own), ...('$ref' in own ? {} : { example: exampleOf(own, $defs) }) };
  };
  convert(errorSchema);
  const content = new Map<Endpoint, Json>();
  for (const endpoint of endpoints) {
    const { response } = endpoint;
    if (!response) continue;
    const media = converted.get(response) ?? convert(response);
    converted.set(response, media);
    content.set(endpoint, media);
  }
  const result = { schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))), content };
  described.set(endpoints, result);
  return result;
}
