import { fieldsOf } from '@parlance/contracts';
import { isPermission } from '@parlance/access';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { tableProblems } from '../../e2e/bench/endpoints/budgets.mjs';
import { accessRule } from './access/rule';
import { endpoints } from './endpoints';
import { coverage, coverageOf } from './openapi/coverage';
import { openApiDocument } from './openapi/document';
import { describeResponses } from './openapi/responses';
import { endpointTable } from './openapi/table';
import { mayStartEarly } from './routing/endpoint';
import { routesOf } from './routing/resource-routers';

/** Content of the only file with this name in a folder or below it. */
function onlyFile(folder: string, name: string): string {
  const path = join(__dirname, '..', '..', folder);
  const found = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((file) => basename(file) === name);
  expect({ name, count: found.length }).toEqual({ name, count: 1 });
  return readFileSync(join(path, found[0]!), 'utf8');
}

const rows = endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

describe('the table of endpoints', () => {
  it('the table of endpoints has every endpoint once and no ambiguous paths', () => {
    expect(() => routesOf(endpoints)).not.toThrow();
    expect(new Set(rows.map(([name]) => name)).size).toBe(rows.length);
  });

  it.each(rows)('%s has a path, a description and an access rule', (_, { method, path, doc, access }) => {
    expect(path).toMatch(/^\/(api|hooks|exports|git)\/([\w:-]+\/)*$/);
    expect(doc).toMatch(/^[A-Z].*\.$/);
    if (access === 'anyone') {
      // Git hosts have no token; they authenticate by signature.
      if (method !== 'GET') expect(path).toMatch(/^\/hooks\//);
      return;
    }
    const { allow } = accessRule({ method, path, access });
    if (typeof allow === 'string') return;
    const needed = 'ways' in allow ? allow.ways.map((w) => (typeof w === 'string' ? [] : [w.permission])) : [];
    const cases = 'cases' in allow ? allow.cases.map((c) => c.all) : [];
    expect(needed.length + cases.length).toBeGreaterThan(0);
    for (const permission of [...needed, ...cases].flat()) expect(isPermission(permission)).toBe(true);
    // The permission is checked on the object of the path; if the path does not name the project, the endpoint loads it.
    if (typeof access === 'object' && 'any' in access && !path.includes(':project')) expect(access.of).toBeDefined();
  });

  it('reads start before they are counted, unless their result cannot be discarded', () => {
    const early = rows.flatMap(([name, endpoint]) => (mayStartEarly(endpoint) ? [name] : []));
    expect(early).toEqual(expect.arrayContaining(['GET /api/units/:unit/', 'GET /api/units/:unit/checks/']));
    expect(early.filter((name) => !name.startsWith('GET /api/'))).toEqual([]);
    // Machine translation costs money.
    expect(early).not.toContain('GET /api/units/:unit/context/');
  });

  it.each(rows.filter(([, { cached }]) => cached))(
    '%s may be cached: it reads, and shows no strings',
    (_, endpoint) => {
      const { method, path, showsTranslation, ownFormat } = endpoint;
      expect({ method, showsTranslation, ownFormat }).toEqual({ method: 'GET' });
      // Translations belong to another generation.
      expect(path).not.toContain(':language');
    },
  );

  it.each(rows.filter(([, { shows, keepsParts }]) => shows ?? keepsParts))(
    '%s names the contents that it shows once',
    (_, { method, path, shows, cached, asksOutside, produces = [] }) => {
      expect({ method, cached, asksOutside }).toEqual({ method: 'GET' });
      // Files are streamed, and streams cannot be kept.
      expect(produces.filter((type) => !/rss|json|csv/.test(type))).toEqual([]);
      if (path.includes(':component')) expect(shows).toBe('component');
      else if (path.includes(':project')) expect(shows).toBe('project');
      else if (path.includes(':unit')) expect(shows).toBe('unit');
      else if (path.includes(':screenshot')) expect(shows).toBe('screenshot');
      else expect(shows).toBe(path.startsWith('/api/memory/') ? 'memory' : 'site');
    },
  );

  it.each(rows.filter(([, { method, path }]) => ['POST', 'PUT', 'PATCH'].includes(method) && path.startsWith('/api/')))(
    '%s describes its body',
    (_, { body }) => {
      expect(body).toBeDefined();
      const names = [...fieldsOf(body!.fields).map((f) => f.name), ...(body!.files ?? [])];
      expect(names.length).toBeGreaterThan(0);
      expect(new Set(names).size).toBe(names.length);
    },
  );

  it.each(rows.filter(([, { method, path, ownFormat }]) => method === 'GET' && path.startsWith('/api/') && !ownFormat))(
    '%s describes its response',
    (_, { response }) => {
      expect(response).toBeDefined();
    },
  );

  it('every endpoint is covered by an existing test', () => {
    for (const [, endpoint] of rows) coverageOf(endpoint);
    for (const { rows: pattern, file, title } of coverage) {
      const [service, name] = file.split('/');
      const source = name
        ? onlyFile(`services/${service}/test`, `${name}.itest.ts`)
        : onlyFile('e2e/tests', `${file}.e2e.ts`);
      expect({ title, named: source.includes(`'${title}'`) }).toEqual({ title, named: true });
      expect({ title, used: rows.some(([name]) => pattern.test(name)) }).toEqual({ title, used: true });
    }
  });

  it('every read endpoint has a budget in the benchmark', () => {
    const paths = endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path);
    expect(tableProblems(paths.map((path) => path.replace(/:(\w+)/g, '{$1}')))).toEqual([]);
  });

  it('docs/endpoints.md matches the table of endpoints (npm run docs writes it)', () => {
    const page = readFileSync(join(__dirname, '..', '..', 'docs/endpoints.md'), 'utf8');
    expect(page.split('\n').filter((line) => line.startsWith('| '))).toEqual(endpointTable(endpoints).split('\n'));
  });
});

describe('the OpenAPI document', () => {
  const document = openApiDocument(endpoints, 'http://h', 'T') as {
    openapi: string;
    paths: Record<
      string,
      Record<string, { operationId: string; 'x-access': object; parameters: { name: string; in: string }[] }>
    >;
  };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );

  it('the OpenAPI document contains every endpoint with a unique operation id', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(operations).toHaveLength(endpoints.length);
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(endpoints.length);
  });

  it('the OpenAPI document declares every path parameter exactly once', () => {
    for (const { path, operation } of operations) {
      const declared = operation.parameters.filter((p) => p.in === 'path').map((p) => p.name);
      expect(declared).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]));
      const all = operation.parameters.map((p) => `${p.in} ${p.name}`);
      expect(new Set(all).size).toBe(all.length);
    }
  });

  it('the OpenAPI document contains the access rule of every endpoint', () => {
    for (const { operation } of operations) {
      expect(operation['x-access']).toMatchObject({ sight: expect.any(String), allow: expect.anything() });
    }
  });

  it('the OpenAPI document has an example that matches the schema of every response', () => {
    const { schemas, content } = describeResponses(endpoints);
    for (const [endpoint, media] of content) {
      const { schema, example } = media as { schema: { $ref?: string }; example?: unknown };
      const named = schema.$ref && (schemas[schema.$ref.split('/').at(-1)!] as { examples: unknown[] });
      const shown = named ? named.examples[0] : example;
      const { success, error } = endpoint.response!.safeParse(shown);
      expect({ path: endpoint.path, success, problems: error?.issues }).toEqual({ path: endpoint.path, success: true });
    }
  });

  it('the OpenAPI document references only schemas that it defines', () => {
    const { components } = document as unknown as { components: { schemas: object } };
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(0);
    for (const [, name] of references) expect(components.schemas).toHaveProperty(name!);
  });

  it('bodies of PATCH have no defaults, because missing fields stay unchanged', () => {
    const bodies = operations.flatMap(({ path, operation }) => {
      const { requestBody } = operation as { requestBody?: { content: Record<string, { schema: Schema }> } };
      return Object.values(requestBody?.content ?? {}).map(({ schema }) => ({ path, operation, schema }));
    });
    interface Schema {
      properties?: Record<string, { default?: unknown }>;
    }
    const withDefaults = bodies.filter(({ schema: { properties = {} } }) =>
      Object.values(properties).some((property) => 'default' in property),
    );
    expect(withDefaults.length).toBeGreaterThan(0);
    expect(withDefaults.filter(({ operation }) => operation.operationId.startsWith('patch_'))).toEqual([]);
  });

  it('the OpenAPI document is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});
