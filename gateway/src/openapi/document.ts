import { fieldsOf } from '@parlance/contracts';
import { accessRule, accessText } from '../access/rule';
import type { Endpoint } from '../routing/endpoint';
import { describeResponses } from './responses';
import { bodySchema, fieldSchemas } from './requests';
import { contentTypes } from '../responses/negotiation';

type Json = Record<string, unknown>;

const textType = { type: 'string' };

function requestBody({ method, body }: Endpoint): Json | undefined {
  if (!body) return undefined;
  const partial = method === 'PATCH';
  const fields = { schema: bodySchema(body.fields, partial) };
  const multipart = { schema: bodySchema(body.fields, partial, body.files) };
  const plain =
    fieldsOf(body.fields).length > 0 ? { 'application/json': fields, 'application/x-www-form-urlencoded': fields } : {};
  const raw = body.raw ? { 'application/octet-stream': {} } : {};
  return { content: { ...plain, 'multipart/form-data': multipart, ...raw } };
}

const parameterNames = /:(\w+)/g;

/** Parameters whose values are numbers. */
const numbers =
  /^(group|role|token|subscription|category|label|addon|screenshot|unit|suggestion|comment|change|\w+_id)$/;

function parameters({ path, query, ownFormat }: Endpoint): Json[] {
  const inPath = [...path.matchAll(parameterNames)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: numbers.test(name!) ? { type: 'integer' } : textType,
    ...(name === 'component' ? { description: 'Prefixed by the slugs of its categories, joined with %252F.' } : {}),
  }));
  const format = {
    name: 'format',
    in: 'query',
    schema: textType,
    description: 'Response format; takes precedence over Accept.',
  };
  const own = Object.entries(query ? fieldSchemas(query) : {}).map(([name, schema]) => ({
    name,
    in: 'query',
    schema,
    description: schema['description'],
  }));
  return [...inPath, ...(ownFormat ? [] : [format]), ...own];
}

function operation(endpoint: Endpoint, response: Json | undefined): Json {
  const { method, path, doc, access, renderers = [], ownFormat } = endpoint;
  const body = requestBody(endpoint);
  const types = (['csv', ...renderers] as const).map((renderer) => contentTypes[renderer].split(';', 1)[0]!);
  const others = ownFormat ? [] : types.filter((type) => type !== 'application/json');
  const content = { 'application/json': response, ...Object.fromEntries(others.map((type) => [type, {}])) };
  const success: Json = response
    ? { description: 'Success.', content }
    : { description: ownFormat ? 'The file.' : 'Success without a body.' };
  return {
    operationId: operationId(method, path),
    tags: [path.split('/')[path.startsWith('/api/') ? 2 : 1] || 'root'],
    summary: doc,
    description: `Access: ${accessText(endpoint)}.`,
    'x-access': accessRule(endpoint),
    ...(access === 'anyone' ? { security: [{}, { token: [] }] } : { security: [{ token: [] }] }),
    parameters: parameters(endpoint),
    ...(body ? { requestBody: body } : {}),
    responses: { '2XX': success, default: { $ref: '#/components/responses/Error' } },
  };
}

function operationId(method: string, path: string): string {
  const words = path.split('/').filter((part) => part !== '' && part !== 'api');
  return [method.toLowerCase(), ...words.map((w) => w.replace(':', 'by_').replaceAll('-', '_') || 'all')].join('_');
}

/** Generates the OpenAPI 3.1 document of the API from the table of endpoints. */
export function openApiDocument(endpoints: readonly Endpoint[], base: string, title: string): Json {
  const paths: Record<string, Json> = {};
  const responses = describeResponses(endpoints);
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(parameterNames, '{$1}');
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint, responses.content.get(endpoint));
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1' },
    servers: [{ url: base }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The word Token, a space and a token.',
        },
      },
      responses: {
        Error: {
          description: 'All problems of the request.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
      schemas: responses.schemas,
    },
  };
}
