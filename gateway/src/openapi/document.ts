import type { Setting, SettingsTable } from '@parlance/contracts';
import { accessRule, accessText } from '../access/rule';
import type { Endpoint } from '../routing/endpoint';
import { describeResponses } from './responses';
import { contentTypes } from '../responses/negotiation';

type Json = Record<string, unknown>;

const textType = { type: 'string' };

/** JSON Schema of a setting's value. */
function valueSchema(setting: Setting): Json {
  const bounds = (s: Setting): Json => ({
    ...(s.min === undefined ? {} : { minimum: s.min }),
    ...(s.max === undefined ? {} : { maximum: s.max }),
  });
  switch (setting.type) {
    case 'integer':
      return { type: 'integer', ...bounds(setting) };
    case 'id':
      return { type: 'integer', minimum: 1 };
    case 'number':
      return { type: 'number', ...bounds(setting) };
    case 'boolean':
      return { type: 'boolean' };
    case 'list':
      return { type: 'array', items: textType };
    case 'integers':
      return { type: 'array', items: { type: 'integer' } };
    case 'object':
      return { type: 'object' };
    case 'objects':
      return { type: 'array', items: { type: 'object' } };
    case 'language':
      return { anyOf: [textType, { type: 'object', properties: { code: textType }, required: ['code'] }] };
    case 'time':
      return { type: 'string', format: 'date-time' };
    case 'relation':
      return { type: 'string', format: 'uri-reference' };
    case 'relations':
      return { type: 'array', items: { anyOf: [{ type: 'string', format: 'uri-reference' }, { type: 'integer' }] } };
    default:
      return {
        ...textType,
        ...(setting.filled ? { minLength: 1 } : {}),
        ...(setting.maxLength === undefined ? {} : { maxLength: setting.maxLength }),
        ...(setting.shape === 'http-url' ? { format: 'uri' } : {}),
        ...(setting.shape === 'email' || setting.shape === 'date-time' ? { format: setting.shape } : {}),
      };
  }
}

/** JSON Schema of a setting. */
export function settingSchema(setting: Setting): Json {
  const value: Json = { ...valueSchema(setting), ...(setting.choices ? { enum: [...setting.choices] } : {}) };
  return {
    ...(setting.nullable ? { anyOf: [value, { type: 'null' }] } : value),
    description: setting.doc,
    ...(setting.default === undefined ? {} : { default: setting.default }),
    ...(setting.access === 'read-only' ? { readOnly: true } : {}),
    ...(setting.access === 'write-only' ? { writeOnly: true } : {}),
  };
}

function objectSchema(fields: SettingsTable, partial: boolean, files: readonly string[] = []): Json {
  const required = partial ? [] : fields.filter((s) => s.required).map((s) => s.name);
  const parts = files.map((name) => [name, { type: 'string', contentMediaType: 'application/octet-stream' }] as const);
  return {
    type: 'object',
    properties: Object.fromEntries([...fields.map((s) => [s.name, settingSchema(s)] as const), ...parts]),
    ...(required.length > 0 ? { required } : {}),
  };
}

function requestBody({ method, body }: Endpoint): Json | undefined {
  if (!body) return undefined;
  const partial = method === 'PATCH';
  const fields = { schema: objectSchema(body.fields, partial) };
  const multipart = { schema: objectSchema(body.fields, partial, body.files) };
  const plain =
    body.fields.length > 0 ? { 'application/json': fields, 'application/x-www-form-urlencoded': fields } : {};
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
  const own = (query ?? []).map((s) => ({ name: s.name, in: 'query', schema: settingSchema(s), description: s.doc }));
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
