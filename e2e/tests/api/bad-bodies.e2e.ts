// Sends every field of every body with every kind of invalid value, unknown objects, methods and content types.
// The cases are generated from /api/schema/, so new endpoints are covered automatically.
import { eventsHandled } from '../../support/installations/events.mjs';
import { together } from '../../support/together.mjs';
import { followedByGlossary, parlance, running, system } from '../../support/system.mjs';
import { form, makeVictim, makeWorld, pixel, unique } from '../../support/worlds.mjs';

const { api: admin } = system();

interface Schema {
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  minLength?: number;
  readOnly?: boolean;
  contentMediaType?: string;
  properties?: Record<string, Schema>;
}
interface Operation {
  parameters: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}
type World = Awaited<ReturnType<typeof makeWorld>>;

interface Row {
  key: string;
  method: string;
  path: string;
  operation: Operation;
}

const LONG = 'x'.repeat(1_000_000);

/** Values that a field must reject. */
function wrongValues(schema: Schema): unknown[] {
  const nullable = schema.anyOf?.some((s) => s.type === 'null') ?? false;
  const value = schema.anyOf ? schema.anyOf[0]! : schema;
  const wrong: unknown[] = nullable ? [] : [null];
  if (schema.anyOf?.some((s) => s.type === 'object')) return [...wrong, 5, {}, { code: 7 }, 'no-such-language'];
  switch (value.type) {
    case 'integer':
    case 'number':
      wrong.push('abc', {}, [1, 2], true, 1e300, -1e300, '9'.repeat(30), '1\0', 'NaN', '0x10');
      if (value.type === 'integer') wrong.push(1.5);
      if (value.minimum !== undefined) wrong.push(value.minimum - 1);
      if (value.maximum !== undefined) wrong.push(value.maximum + 1);
      if (value.enum) wrong.push(987_654);
      break;
    case 'boolean':
      wrong.push('perhaps', {}, [], 7);
      break;
    case 'array':
      // A single text is accepted for a list of texts; a list of lists is not.
      wrong.push(5, {}, [[]]);
      if (value.items?.type !== 'object') wrong.push([{}]);
      if (value.items?.type === 'string') wrong.push(['a\0b'], ['a\ud800b']);
      break;
    case 'object':
      wrong.push('text', 5, [1], { a: 'b\0' }, { 'a\0': 1 }, { a: ['b\ud800'] }, { $set: { a: 1 } }, { a: LONG });
      wrong.push(Array.from({ length: 30 }).reduce<object>((inner) => ({ a: inner }), {}));
      break;
    default:
      wrong.push({ a: 1 }, ['x', 'y'], true, 'a\0b', 'a\ud800b');
      if (value.enum) wrong.push('no-such-choice');
      else if (value.maxLength !== undefined) wrong.push('x'.repeat(value.maxLength + 1));
      else wrong.push(LONG);
      if (value.minLength) wrong.push('', '   ');
      if (value.format === 'uri') wrong.push('nowhere', 'javascript:alert(1)');
      if (value.format === 'email') wrong.push('nobody', 'a@b');
      if (value.format === 'uri-reference')
        wrong.push('nowhere', '/api/projects/no-such-project/', '/api/languages/cs/');
  }
  return wrong;
}

/** Second factors of the administrator. */
const factors = '/api/users/admin/second-factors/';

/** Valid bodies, so that one invalid field is the only problem. */
function rightBodies(world: World, password: string): Record<string, Record<string, unknown>> {
  const named = { name: unique('n'), slug: unique('s') };
  const component = {
    ...named,
    vcs: 'git',
    repo: world.repository.url,
    branch: 'main',
    filemask: 'po/*.po',
    new_base: 'po/example.pot',
    file_format: 'po',
  };
  const place = { project_slug: world.project, component_slug: 'example', language_code: 'cs' };
  const user = { username: unique('u'), full_name: 'U', email: `${unique('u')}@example.com` };
  const language = {
    code: unique('l'),
    name: 'L',
    direction: 'ltr',
    population: 1,
    plural: { source: 0, number: 2, formula: 'n != 1' },
  };
  const subscription = { notification: 'LicenseNotification', scope: 0, frequency: 1 };
  return {
    'POST /api/users/': user,
    'PUT /api/users/{username}/': user,
    'POST /api/users/{username}/notifications/': subscription,
    'PUT /api/users/{username}/notifications/{subscription}/': subscription,
    'POST /api/users/{username}/tokens/': { name: unique('t') },
    'POST /api/users/{username}/second-factors/': { name: unique('f'), password },
    'POST /api/users/{username}/second-factors/{factor}/confirm/': { code: '1' },
    'POST /api/groups/': { name: unique('g'), defining_project: world.projectUrl },
    'PUT /api/groups/{group}/': { name: unique('g') },
    'POST /api/roles/': { name: unique('r'), permissions: ['unit.edit'] },
    'PUT /api/roles/{role}/': { name: unique('r'), permissions: ['unit.edit'] },
    'POST /api/languages/': language,
    'PUT /api/languages/{code}/': language,
    'POST /api/projects/': { ...named, web: 'https://example.com/' },
    'PUT /api/projects/{project}/': { ...named, web: 'https://example.com/' },
    'POST /api/projects/{project}/components/': component,
    'PUT /api/components/{project}/{component}/': component,
    'POST /api/projects/{project}/labels/': { name: unique('l'), color: 'red' },
    'POST /api/projects/{project}/tokens/': { name: unique('t') },
    'POST /api/categories/': { ...named, project: world.projectUrl },
    'PUT /api/categories/{category}/': { ...named, project: world.projectUrl },
    'POST /api/component-lists/': named,
    'PUT /api/component-lists/{list}/': named,
    'POST /api/screenshots/': { name: unique('s'), ...place },
    'PUT /api/units/{unit}/': { target: ['x'], state: 20 },
    'POST /api/units/{unit}/suggestions/': { target: ['x'] },
    'POST /api/units/{unit}/suggestions/{suggestion}/vote/': { vote: true },
    'POST /api/units/{unit}/checks/': { check: 'ellipsis' },
    'POST /api/translations/{project}/{component}/{language}/units/': { source: [unique('s')], target: ['x'] },
    'POST /api/components/{project}/{component}/addons/': { name: 'weblate.gettext.mo' },
    'POST /api/memory/': {
      source: 'x',
      target: 'y',
      source_language: 'en',
      target_language: 'cs',
      origin: 'test',
    },
    'POST /api/translations/{project}/{component}/{language}/autotranslate/': {
      mode: 'translate',
      filter_type: 'all',
      auto_source: 'others',
    },
    'POST /api/projects/{project}/machinery_settings/': { service: 'libretranslate' },
    'PATCH /api/projects/{project}/machinery_settings/': { service: 'libretranslate' },
    'POST /api/projects/{project}/addons/': { name: 'weblate.gettext.mo' },
  };
}

const json = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 60 ? `${text.slice(0, 60)}… (${text.length})` : text;
};

describe('bad bodies', () => {
  let rows: Row[];
  let world: World;
  /** A second factor of the administrator; callers cannot enrol factors for other users. */
  let factor: number;
  let password: string;
  beforeAll(async () => {
    const schema = await admin.get('/api/schema/');
    rows = Object.entries(schema.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
      Object.entries(methods).map(([lower, operation]) => {
        const method = lower.toUpperCase();
        // Bodies of git hosts and git clients are not read by the gateway's parser, and have tests of their own.
        const { requestBody, ...rest } = operation;
        const isParsed = requestBody && 'multipart/form-data' in requestBody.content;
        return { key: `${method} ${path}`, method, path, operation: isParsed ? operation : rest };
      }),
    );
    world = await makeWorld(admin, 0, await makeVictim(admin));
    password = parlance('user', 'reset-password', 'admin');
    factor = (await admin.post(factors, { name: unique('f'), password })).id;
  });
  afterAll(async () => {
    world?.repository.remove();
    await admin.send('DELETE', `${factors}${factor}/`, { password });
  });

  const address = (row: Row, change: Record<string, unknown> = {}) =>
    row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const params: Record<string, unknown> = { ...world.params, ...change };
      // Explanation, flags and labels are those of source strings.
      if (row.path.startsWith('/api/units/') && !/\/(suggestions|comments\/\{)/.test(row.path) && !('unit' in change))
        params['unit'] = world.sourceUnitId;
      if (row.path.startsWith('/api/users/{username}/tokens/') && !('token' in change))
        params['token'] = world.victim.token;
      if (row.path.includes('/second-factors/')) Object.assign(params, { username: 'admin', factor }, change);
      return encodeURIComponent(String(params[name]));
    });

  /** State that must be the same before and after. */
  async function everything(): Promise<Record<string, unknown>> {
    const p = `/api/projects/${world.project}`;
    const lists = [
      ...[
        'users',
        'groups',
        'roles',
        'languages',
        'projects',
        'components',
        'categories',
        'component-lists',
        'addons',
        'screenshots',
      ].map((n) => `/api/${n}/`),
      `${p}/labels/`,
      `${p}/tokens/`,
      `${p}/changes/`,
      `/api/users/${world.victim.username}/notifications/`,
      `/api/users/${world.victim.username}/tokens/`,
      factors,
      `/api/translations/${world.project}/example/cs/units/`,
      `/api/translations/${world.project}/example/en/units/`,
      `/api/components/${world.project}/example/translations/`,
      `/api/components/${world.project}/example/links/`,
    ];
    const found = await Promise.all(
      lists.map(async (path) => [path, await admin.all(`${path}?page_size=1000`)] as const),
    );
    return Object.fromEntries(found.map(([path, items]) => [path, JSON.stringify(items)]));
  }

  /** The state after the background work of the import: glossaries are created, and strings are compared, after its task. */
  async function settled(): Promise<Record<string, unknown>> {
    await followedByGlossary(admin, world.project);
    await eventsHandled(running().natsUrl);
    return everything();
  }

  it('invalid fields are rejected by name and change nothing', async () => {
    const before = await settled();
    const right = rightBodies(world, password);
    const violations: string[] = [];
    let tried = 0;
    const jobs: (() => Promise<void>)[] = [];
    for (const row of rows) {
      const content = row.operation.requestBody?.content;
      if (!content || row.method === 'DELETE') continue;
      const fields = content['application/json']?.schema.properties ?? {};
      const files = content['multipart/form-data']!.schema.properties ?? {};
      const withFile = Object.entries(files).some(
        ([name, s]) => s.contentMediaType !== undefined && (name === 'image' || name === 'file'),
      );
      for (const [name, schema] of Object.entries(fields)) {
        if (schema.readOnly) continue;
        for (const value of wrongValues(schema))
          jobs.push(async () => {
            tried++;
            const body = { ...right[row.key], [name]: value };
            const answer = withFile ? await sendForm(row, body) : await admin.send(row.method, address(row), body);
            // Values of a form are texts, so texts that are valid in JSON cases are skipped.
            if (answer === undefined) return;
            const attrs = ((answer.body as { errors?: { attr: string | null }[] })?.errors ?? []).map((e) => e.attr);
            const named = attrs.some((a) => a === name || a?.startsWith(`${name}.`));
            if (answer.status !== 400 || !named)
              violations.push(
                `${row.key} ${name}=${json(value)}: ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 150)}`,
              );
          });
      }
    }
    async function sendForm(row: Row, body: Record<string, unknown>) {
      const texts = Object.entries(body).filter(([, v]) => typeof v === 'string' && !v.includes('\ud800'));
      if (texts.length !== Object.keys(body).length) return undefined;
      const file =
        row.path.endsWith('/file/') && row.path.includes('translations')
          ? { field: 'file', bytes: Buffer.from('msgid ""\nmsgstr ""\n'), filename: 'x.po' }
          : { field: 'image', bytes: pixel, filename: 'x.png' };
      return admin.send(row.method, address(row), form(Object.fromEntries(texts), file));
    }
    await together(jobs);
    expect(violations.sort()).toEqual([]);
    expect(tried).toBeGreaterThan(1000);
    expect(await everything()).toEqual(before);
  }, 900_000);

  it('a body whose fields are all invalid is rejected with the names of all fields', async () => {
    const violations: string[] = [];
    const jobs = rows.flatMap((row) => {
      const fields = row.operation.requestBody?.content['application/json']?.schema.properties ?? {};
      const written = Object.entries(fields).filter(([, schema]) => !schema.readOnly);
      if (written.length < 2 || row.method === 'DELETE') return [];
      // Skips values that stand for an absent value.
      const wrong = ([name, schema]: [string, Schema]) => [name, wrongValues(schema).find((value) => value !== null)];
      return [
        async () => {
          const answer = await admin.send(row.method, address(row), Object.fromEntries(written.map(wrong)));
          const attrs = ((answer.body as { errors?: { attr: string | null }[] })?.errors ?? []).map(
            (e) => e.attr ?? '',
          );
          const missing = written
            .map(([name]) => name)
            .filter((name) => !attrs.some((attr) => attr === name || attr.startsWith(`${name}.`)));
          if (answer.status !== 400 || missing.length > 0)
            violations.push(`${row.key}: ${answer.status}, without ${missing.join()}, with ${attrs.join()}`);
        },
      ];
    });
    await together(jobs);
    expect(violations.sort()).toEqual([]);
    expect(jobs.length).toBeGreaterThan(30);
  });

  it('missing required fields are named', async () => {
    const violations: string[] = [];
    await together(
      rows.flatMap((row) => {
        const schema = row.operation.requestBody?.content['application/json']?.schema as
          { required?: string[] } | undefined;
        const required = row.method === 'POST' || row.method === 'PUT' ? (schema?.required ?? []) : [];
        if (required.length === 0 || row.path.endsWith('/languages/{code}/')) return [];
        return [
          async () => {
            const answer = await admin.send(row.method, address(row), {});
            const attrs = ((answer.body as { errors?: { attr: string }[] })?.errors ?? []).map((e) => e.attr);
            if (answer.status !== 400 || !required.every((name) => attrs.includes(name)))
              violations.push(`${row.key}: ${answer.status} ${attrs.join()} of ${required.join()}`);
          },
        ];
      }),
    );
    expect(violations.sort()).toEqual([]);
  });

  it('invalid query parameters are rejected or match nothing', async () => {
    const violations: string[] = [];
    const values = ['%00', 'a%00b', '%FF%FE', '%ED%A0%80', '-1', '1e9', '99999999999999999999', 'x'.repeat(5000)];
    await together(
      rows
        .filter((row) => row.method === 'GET' && !row.path.includes('/file/'))
        .flatMap((row) =>
          row.operation.parameters
            .filter((p) => p.in === 'query')
            .flatMap((p) =>
              values.map((value) => async () => {
                const answer = await admin.send('GET', `${address(row)}?${p.name}=${value}`, undefined, {
                  accept: '*/*',
                });
                if (answer.status >= 500)
                  violations.push(`${row.key} ${p.name}=${value.slice(0, 30)}: ${answer.status} ${json(answer.body)}`);
              }),
            ),
        ),
    );
    expect(violations.sort()).toEqual([]);
  });

  it('unknown objects in any path parameter are not found', async () => {
    const violations: string[] = [];
    const values: Record<string, string[]> = {
      integer: ['999999999', '0', '-1', 'abc', '1e3', '99999999999999999999', '%00'],
      string: ['no-such-thing', '%00', 'x'.repeat(300), '..'],
    };
    await together(
      rows.flatMap((row) =>
        row.operation.parameters
          // An unknown task is shown as not begun.
          // Removing a user who is not an admin is an invalid value (400).
          .filter((p) => p.in === 'path' && p.name !== 'task' && p.name !== 'user_id')
          .flatMap((parameter) =>
            values[parameter.schema.type ?? 'string']!.map((value) => async () => {
              // Clients resolve dot segments before sending.
              if (value === '..') return;
              const marker = 'zzz999zzz';
              const path = address(row, { [parameter.name]: marker }).replace(marker, value);
              const body = row.method === 'GET' || row.method === 'DELETE' ? undefined : {};
              const answer = await admin.send(
                row.method,
                path,
                row.path === '/api/users/{username}/groups/' ? { group_id: world.teamId } : body,
                { accept: '*/*' },
              );
              if (answer.status !== 404)
                violations.push(
                  `${row.key} ${parameter.name}=${value.slice(0, 30)}: ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 100)}`,
                );
            }),
          ),
      ),
    );
    expect(violations.sort()).toEqual([]);
  });

  it('unsupported methods of a path are rejected with the list of supported ones', async () => {
    const byPath = new Map<string, Row[]>();
    for (const row of rows) byPath.set(row.path, [...(byPath.get(row.path) ?? []), row]);
    const violations: string[] = [];
    await together(
      [...byPath].flatMap(([path, some]) =>
        ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => async () => {
          const has = some.map((r) => r.method);
          if (has.includes(method)) return;
          const answer = await admin.send(method, address(some[0]!), method === 'GET' ? undefined : {});
          const allow = (answer.headers.get('allow') ?? '').split(', ').filter((m) => m !== 'HEAD' && m !== 'OPTIONS');
          if (answer.status !== 405 || allow.sort().join() !== has.sort().join())
            violations.push(`${method} ${path}: ${answer.status}, allows ${allow.join()}, has ${has.join()}`);
        }),
      ),
    );
    expect(violations.sort()).toEqual([]);
  });

  it('unreadable bodies are rejected with the error of their content type', async () => {
    const violations: string[] = [];
    const kinds: [string, string | Buffer, number][] = [
      ['application/x-unknown', 'x', 415],
      ['text/plain', '{}', 415],
      ['application/json', '{"a":', 400],
      ['application/json', '[1]', 400],
      ['application/json', '7', 400],
      ['application/json', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
      ['application/json', '['.repeat(5000) + ']'.repeat(5000), 400],
      ['multipart/form-data', 'no boundary', 400],
      ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\ncut', 400],
    ];
    await together(
      rows
        .filter((row) => row.operation.requestBody && row.method !== 'DELETE')
        .flatMap((row) =>
          kinds.map(([type, body, status]) => async () => {
            const answer = await admin.send(row.method, address(row), body as string, { 'content-type': type });
            // Endpoints that accept a raw file take any content type, so the missing file name is the error.
            const isFile = status === 415 && 'application/octet-stream' in row.operation.requestBody!.content;
            if (answer.status !== (isFile ? 400 : status))
              violations.push(
                `${row.key} ${type} ${json(String(body))}: ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 100)}`,
              );
          }),
        ),
    );
    expect(violations.sort()).toEqual([]);
  });
});
