import { fieldsOf } from '@parlance/contracts';
import { accessRule, accessText } from '../access/rule';
import type { Endpoint } from '../routing/endpoint';
import { commonRenderers, contentTypes } from '../responses/negotiation';
import { isPageSchema, pagingFields } from '../responses/schema';
import { describeResponses } from './responses';
import { bodySchema, fieldSchemas } from './requests';
import { pathParameters } from './path-parameters';
import { failureName, failuresOf, failureText, hasRetryAfter, successesOf } from './statuses';
import { tagOf, tags } from './tags';

type Json = Record<string, unknown>;

const textType = { type: 'string' };
/** OpenAPI 3.1 describes bytes without a type; generators also need the format of 3.0. */
const bytesType = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };

const withoutParameters = (type: string): string => type.split(';', 1)[0]!;

function requestBody({ method, body, accepts }: Endpoint): Json | undefined {
  if (accepts) return { content: Object.fromEntries(accepts.map((type) => [type, { schema: schemaOfType(type) }])) };
  if (!body) return undefined;
  const partial = method === 'PATCH';
  const fields = { schema: bodySchema(body.fields, partial) };
  const multipart = { schema: bodySchema(body.fields, partial, body.files) };
  const plain =
    fieldsOf(body.fields).length > 0 ? { 'application/json': fields, 'application/x-www-form-urlencoded': fields } : {};
  const raw = body.raw ? { 'application/octet-stream': { schema: bytesType } } : {};
  const required = !partial && fieldsOf(body.fields).some((field) => field.required);
  return { ...(required ? { required } : {}), content: { ...plain, 'multipart/form-data': multipart, ...raw } };
}

const schemaOfType = (type: string): Json =>
  type === 'application/json' || type === 'application/x-www-form-urlencoded'
    ? { type: 'object' }
    : type.startsWith('text/') || type.endsWith('xml')
      ? textType
      : bytesType;

const parameterNames = /:(\w+)/g;

function parametersOf(endpoint: Endpoint): Json[] {
  const { path, query, ownFormat, renderers = [], response } = endpoint;
  const inPath = [...path.matchAll(parameterNames)].map(([, name]) => {
    const described = pathParameters[name!];
    if (!described) throw new Error(`the path parameter ${name} is not described`);
    const { description, example } = described;
    const type = typeof example === 'number' ? 'integer' : 'string';
    return { name, in: 'path', required: true, schema: { type }, description, example };
  });
  const format = {
    name: 'format',
    in: 'query',
    schema: { type: 'string', enum: [...commonRenderers, ...renderers] },
    description: 'Response format; takes precedence over Accept.',
  };
  const fields = {
    ...(isPageSchema(response) ? fieldSchemas(pagingFields) : {}),
    ...(query ? fieldSchemas(query) : {}),
  };
  const inQuery = Object.entries(fields).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    schema,
    description,
  }));
  return [...inPath, ...(ownFormat ? [] : [format]), ...inQuery];
}

/** Content of a success by content type. */
function contentOf({ renderers = [], ownFormat, produces = [] }: Endpoint, json: Json | undefined): Json {
  if (ownFormat) {
    const files = produces.map((type): [string, Json] => [type, { schema: schemaOfType(type) }]);
    return { ...Object.fromEntries(files), ...(json ? { 'application/json': json } : {}) };
  }
  if (!json) return {};
  const others = (['csv', 'api', ...renderers] as const).map((renderer) => withoutParameters(contentTypes[renderer]));
  const plain = others
    .filter((type) => type !== 'application/json')
    .map((type): [string, Json] => [type, { schema: type.endsWith('json') ? { type: 'object' } : textType }]);
  return { 'application/json': json, ...Object.fromEntries(plain) };
}

const location = {
  Location: { description: 'Address of the new object.', schema: { type: 'string', format: 'uri' } },
};

function responsesOf(endpoint: Endpoint, json: Json | undefined): Json {
  const successes = successesOf(endpoint).map((status): [number, Json] => {
    if (status === 204) return [status, { description: 'Done; the response has no body.' }];
    if (status === 304) return [status, { description: 'The content that the client knows is current.' }];
    const description = status === 206 ? 'A part of the file.' : endpoint.ownFormat ? 'The file.' : 'Success.';
    const headers = status === 201 ? { headers: location } : {};
    return [status, { description, ...headers, content: contentOf(endpoint, json) }];
  });
  const failures = failuresOf(endpoint).map((status): [number, Json] => [
    status,
    { $ref: `#/components/responses/${failureName(status)}` },
  ]);
  return Object.fromEntries([...successes, ...failures]);
}

function operation(endpoint: Endpoint, json: Json | undefined): Json {
  const { method, path, doc, access } = endpoint;
  const body = requestBody(endpoint);
  const credentials = [{ bearer: [] }, { token: [] }];
  return {
    operationId: operationId(method, path),
    tags: [tagOf(path)],
    summary: doc,
    description: `Access: ${accessText(endpoint)}.`,
    'x-access': accessRule(endpoint),
    security: access === 'anyone' ? [{}, ...credentials] : credentials,
    parameters: parametersOf(endpoint),
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(endpoint, json),
  };
}

function operationId(method: string, path: string): string {
  const words = path.split('/').filter((part) => part !== '' && part !== 'api');
  return [method.toLowerCase(), ...words.map((w) => w.replace(':', 'by_').replaceAll('-', '_') || 'all')].join('_');
}

/** The error responses of the endpoints by name. */
function errorResponses(endpoints: readonly Endpoint[], example: unknown): Json {
  const statuses = [...new Set(endpoints.flatMap(failuresOf))].sort((a, b) => a - b);
  const content = {
    'application/json': { schema: { $ref: '#/components/schemas/Error' }, example },
    'text/html': { schema: textType },
  };
  const retryAfter = {
    'Retry-After': { description: 'Seconds after which a retry may succeed.', schema: { type: 'integer' } },
  };
  return Object.fromEntries(
    statuses.map((status) => [
      failureName(status),
      { description: failureText(status), ...(hasRetryAfter(status) ? { headers: retryAfter } : {}), content },
    ]),
  );
}

const description = [
  'Send a token as `Authorization: Bearer TOKEN` or `Authorization: Token TOKEN`; public projects can be read without one.',
  'Lists are pages: follow `next` until it is null.',
  'A component inside a category has the slugs of its categories in its path, joined with `%252F`.',
  'Errors have one entry in `errors` for each problem; `attr` names the field.',
  '`X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` come with every response.',
].join('\n\n');

const described = new WeakMap<readonly Endpoint[], Json>();

/** The part of the document that depends on the endpoints alone; it is computed once. */
function describeEndpoints(endpoints: readonly Endpoint[]): Json {
  const known = described.get(endpoints);
  if (known) return known;
  const paths: Record<string, Json> = {};
  const { schemas, content } = describeResponses(endpoints);
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(parameterNames, '{$1}');
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint, content.get(endpoint));
  }
  const used = new Set(endpoints.map(({ path }) => tagOf(path)));
  const [example] = (schemas['Error'] as { examples: unknown[] }).examples;
  const result = {
    tags: Object.entries(tags).flatMap(([name, text]) => (used.has(name) ? [{ name, description: text }] : [])),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A personal token or the token of a project.' },
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The word Token, a space and a token.',
        },
      },
      responses: errorResponses(endpoints, example),
      schemas,
    },
  };
  described.set(endpoints, result);
  return result;
}

/** The OpenAPI 3.1 document of the API, generated from the table of endpoints. */
export function openApiDocument(endpoints: readonly Endpoint[], base: string, title: string): Json {
  return {
    openapi: '3.1.0',
    info: { title, version: '1', description, license: { name: 'Apache 2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: base }],
    ...describeEndpoints(endpoints),
  };
}
