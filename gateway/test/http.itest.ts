import type { Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import { bumpGeneration, connectRedis, type Redis } from '@parlance/redis';
import { ownCaller, readMaintenance, type RunningServer } from '@parlance/grpc-kit';
import { metricsText, Readiness } from '@parlance/telemetry';
import { engines } from '@parlance/testing';
import { randomInt } from 'node:crypto';
import { makeApp } from '../src/app';
import { makeClients } from '../src/clients';
import { compose, type Gateway } from '../src/compose';
import { readConfig, type Config } from '../src/config';
import { Directory } from '../src/directory/directory';
import { endpoints } from '../src/endpoints';
import { BodyBudgets } from '../src/bodies/body-reader';
import { AllowedHosts } from '../src/middleware/hosts';
import { Throttle } from '../src/limits/throttle';
import { identityStandIn, person } from './support/identity';

const SECRET = 'a secret that only this test knows 32+';
/** A caller without a rate limit window, because Redis is shared with other runs. */
const newcomer = (more: Partial<Caller> = {}) => person(randomInt(1_000_000, 2_000_000_000), more);
const newAddress = () => `2001:db8:${randomInt(65536).toString(16)}:${randomInt(65536).toString(16)}::1`;

/** Time that the last list of roles had to answer, in milliseconds. */
let timeForRoles = 0;
/** Settled when a list of groups is requested, and when the call is cancelled. */
let asked: () => void;
let cancelled: () => void;
const wasAsked = new Promise<void>((resolve) => (asked = resolve));
const wasCancelled = new Promise<void>((resolve) => (cancelled = resolve));

const tokens = new Map<string, Caller>();
let identity: RunningServer;
let gateway: Gateway;
let redis: Redis;
let base: string;
let config: Config;

beforeAll(async () => {
  const { redisUrl } = await engines();
  redis = connectRedis(redisUrl, () => undefined);
  identity = await identityStandIn(SECRET, tokens, {
    listUsers: async () => {
      throw new Error('password=hunter2');
    },
    listRoles: async (_request, { deadlineMs }) => {
      timeForRoles = deadlineMs - Date.now();
      throw new ServiceError('DEADLINE_EXCEEDED');
    },
    listGroups: async (_request, { signal }) => {
      asked();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      cancelled();
      throw new Error('cancelled');
    },
  });
  config = readConfig({
    REDIS_URL: redisUrl,
    PARLANCE_SERVICE_SECRET: SECRET,
    IDENTITY_ADDRESS: `127.0.0.1:${identity.port}`,
    ...Object.fromEntries(
      ['CATALOG', 'TRANSLATION', 'VCS_WORKER', 'MEDIA', 'STATISTICS', 'HOOKS'].map((name) => [
        `${name}_ADDRESS`,
        '127.0.0.1:1',
      ]),
    ),
    PARLANCE_RATE_LIMIT_ANONYMOUS: '2/day',
    PARLANCE_RATE_LIMIT_AUTHENTICATED: '3/hour',
    PARLANCE_MAX_BODY_BYTES: '2048',
    PARLANCE_TRUSTED_PROXIES: '1',
    GATEWAY_LISTEN: '127.0.0.1:0',
    PARLANCE_CORS_ORIGINS: 'https://allowed.example',
  });
  gateway = await compose(config);
  base = `http://127.0.0.1:${gateway.port}`;
});

afterAll(async () => {
  await gateway.drain(15_000);
  await gateway.close();
  await identity.drain(15_000);
  redis.disconnect();
});

interface Options {
  token?: string;
  from?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

const call = (path: string, { token, from = newAddress(), headers = {}, ...rest }: Options = {}) =>
  fetch(`${base}${path}`, {
    ...rest,
    headers: { 'X-Forwarded-For': from, ...(token ? { Authorization: `Token ${token}` } : {}), ...headers },
  });

/** A token of a new user. */
function tokenOf(caller = newcomer()): string {
  const token = `plu_${caller.userId}`;
  tokens.set(token, caller);
  return token;
}

const errorsOf = async (response: Response) =>
  ((await response.json()) as { errors: { attr: string | null; code: string }[] }).errors.map((e) => [e.attr, e.code]);

describe('rate limits', () => {
  it('rate limits count down for each user, then reject with the time to wait', async () => {
    const token = tokenOf();
    for (const remaining of ['2', '1', '0']) {
      const response = await call('/api/', { token });
      expect(response.status).toBe(200);
      expect(response.headers.get('x-ratelimit-limit')).toBe('3');
      expect(response.headers.get('x-ratelimit-remaining')).toBe(remaining);
      expect(Number(response.headers.get('x-ratelimit-reset'))).toBeGreaterThan(0);
    }
    const refused = await call('/api/', { token });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe(refused.headers.get('x-ratelimit-reset'));
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3600);
    expect(await errorsOf(refused)).toEqual([[null, 'throttled']]);
    expect((await call('/api/', { token: tokenOf() })).status).toBe(200);
  });

  it('anonymous requests are limited by address, with a lower limit', async () => {
    const from = newAddress();
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await call('/api/', { from })).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await call('/api/', { from: newAddress() })).status).toBe(200);
  });

  it('addresses of one IPv6 network share a rate limit', async () => {
    const network = `2001:db8:${randomInt(65536).toString(16)}:${randomInt(65536).toString(16)}`;
    const statuses = [];
    for (const host of ['::1', '::2', ':1:2:3:4'])
      statuses.push((await call('/api/', { from: `${network}${host}` })).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('invalid tokens are counted separately from anonymous requests of their address and always get 401', async () => {
    const from = newAddress();
    for (let i = 0; i < 4; i++) {
      const response = await call('/api/', { from, token: 'plu_unknown' });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Token');
      expect(response.headers.get('x-ratelimit-limit')).toBe('2');
    }
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await call('/api/', { from })).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('a token that is refused and taken again', () => {
  it('a token that becomes valid is counted for its owner, even if the limit of rejected tokens is exhausted', async () => {
    const from = newAddress();
    const caller = newcomer();
    const token = `plu_${caller.userId}`;
    for (let i = 0; i < 3; i++) expect((await call('/api/', { from, token })).status).toBe(401);
    tokens.set(token, caller);
    await bumpGeneration(redis, 'access');
    const response = await call('/api/', { from, token });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-ratelimit-limit')).toBe('3');
    expect(response.headers.get('x-ratelimit-remaining')).toBe('2');
  });

  it('a token that becomes invalid is not counted for its former owner', async () => {
    const caller = newcomer();
    const token = tokenOf(caller);
    expect((await call('/api/', { token })).status).toBe(200);
    tokens.delete(token);
    await bumpGeneration(redis, 'access');
    const refused = await call('/api/', { token });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('x-ratelimit-limit')).toBe('2');
  });
});

describe('authentication', () => {
  it('the Token and Bearer schemes are accepted, and malformed tokens are rejected', async () => {
    const token = tokenOf();
    expect((await call('/api/', { headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
    for (const header of ['Token', 'Bearer', 'Token a b']) {
      const response = await call('/api/', { headers: { Authorization: header } });
      expect(response.status).toBe(401);
      expect(await errorsOf(response)).toEqual([[null, 'authentication_failed']]);
    }
  });

  it('credentials of another scheme count as anonymous because they are meant for a proxy', async () => {
    const headers = { Authorization: 'Basic YTpi' };
    expect((await call('/api/', { headers })).status).toBe(200);
    const response = await call('/api/projects/', { method: 'POST', headers, body: '{}' });
    expect([response.status, await errorsOf(response)]).toEqual([401, [[null, 'not_authenticated']]]);
  });

  it('a revoked token is rejected with the next request', async () => {
    const token = tokenOf();
    expect((await call('/api/', { token })).status).toBe(200);
    tokens.delete(token);
    await bumpGeneration(redis, 'access');
    expect((await call('/api/', { token })).status).toBe(401);
  });

  it('anonymous writes are rejected before any lookup', async () => {
    const response = await call('/api/projects/nowhere/', { method: 'PATCH', body: '{' });
    expect(response.status).toBe(401);
    expect(await errorsOf(response)).toEqual([[null, 'not_authenticated']]);
    const unknown = await call('/api/', { method: 'DELETE' });
    expect([unknown.status, unknown.headers.get('allow')]).toEqual([401, 'GET, HEAD, OPTIONS']);
  });
});

describe('requests', () => {
  const post = (body: string, type = 'application/json') =>
    call('/api/users/', {
      token: tokenOf(newcomer({ isSuperuser: true })),
      method: 'POST',
      body,
      headers: { 'Content-Type': type },
    });

  it('invalid paths and methods are rejected', async () => {
    expect((await call('/api/nowhere/')).status).toBe(404);
    const response = await call('/api/users/', { method: 'DELETE', token: tokenOf() });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS');
    expect((await call('/api')).status).toBe(200);
  });

  it.each([
    ['cut off', '{"a":', 'application/json', 400, [[null, 'parse_error']]],
    ['that is a list', '[1]', 'application/json', 400, [['non_field_errors', 'invalid']]],
    ['nested deeply', `${'[{"a":'.repeat(60)}1${'}]'.repeat(60)}`, 'application/json', 400, [[null, 'parse_error']]],
    ['of an unknown charset', '{}', 'application/json; charset=klingon', 415, [[null, 'unsupported_media_type']]],
    ['of a charset other than UTF-8', '{"é":1}', 'application/json; charset=utf-16', 400, [[null, 'parse_error']]],
    ['of another content type', 'a', 'text/plain', 415, [[null, 'unsupported_media_type']]],
    ['that is too large', JSON.stringify({ a: 'x'.repeat(3000) }), 'application/json', 413, [[null, 'too_large']]],
    [
      'with several invalid fields',
      '{"username":1.5,"is_bot":"perhaps"}',
      'application/json',
      400,
      [
        ['full_name', 'required'],
        ['is_bot', 'invalid'],
      ],
    ],
  ])('a request with a body %s is rejected', async (_, body, type, status, errors) => {
    const response = await post(body, type);
    expect(response.status).toBe(status);
    expect(await errorsOf(response)).toEqual(errors);
  });

  it('a missing permission takes precedence over problems of the body', async () => {
    const response = await call('/api/users/', { token: tokenOf(), method: 'POST', body: '{' });
    expect(response.status).toBe(403);
    expect(await errorsOf(response)).toEqual([[null, 'permission_denied']]);
  });

  it('responses use the representation that the request accepts', async () => {
    expect((await call('/api/', { headers: { Accept: 'image/png' } })).status).toBe(406);
    expect((await call('/api/?format=xml')).status).toBe(404);
    const html = await call('/api/', { headers: { Accept: 'text/html' } });
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html.headers.get('vary')).toBe('Accept, Cookie, origin');
    const head = await call('/api/', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0);
  });

  it('the request id is passed to services and returned', async () => {
    expect((await call('/api/', { headers: { 'X-Request-Id': 'abc.1' } })).headers.get('x-request-id')).toBe('abc.1');
    const made = (await call('/api/', { headers: { 'X-Request-Id': 'a b' } })).headers.get('x-request-id');
    expect(made).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('pages of allowed origins can read responses, pages of other origins cannot', async () => {
    const preflight = (Origin: string) =>
      call('/api/units/1/', { method: 'OPTIONS', headers: { Origin, 'Access-Control-Request-Method': 'PATCH' } });
    const allowed = await preflight('https://allowed.example');
    expect(allowed.status).toBe(200);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://allowed.example');
    expect((await preflight('https://other.example')).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('a disconnected client cancels its request and the resulting calls', async () => {
    const client = new AbortController();
    const running = fetch(`${base}/api/groups/`, {
      signal: client.signal,
      headers: { 'X-Forwarded-For': newAddress(), Authorization: `Token ${tokenOf()}` },
    });
    await wasAsked;
    client.abort();
    await expect(running).rejects.toThrow();
    await wasCancelled;
  });

  it('a service has 15 s to answer; the request of a call that takes longer fails with 504', async () => {
    const response = await call('/api/roles/');
    expect([response.status, response.headers.get('retry-after')]).toEqual([504, null]);
    expect(await errorsOf(response)).toEqual([[null, 'timeout']]);
    expect(timeForRoles).toBeGreaterThan(11_000);
    expect(timeForRoles).toBeLessThan(15_500);
  });

  it('a request that fails before it is dispatched counts for its route', async () => {
    const counted = async () => {
      const line = 'parlance_http_requests_total{method="GET",route="/api/categories/:category/",status="401"} ';
      return Number((await metricsText()).split(line)[1]?.split('\n')[0] ?? 0);
    };
    const before = await counted();
    expect((await call('/api/categories/5/', { token: 'plu_unknown' })).status).toBe(401);
    expect(await counted()).toBe(before + 1);
  });

  it('a defect is answered without its details', async () => {
    const response = await call('/api/users/', { token: tokenOf() });
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).not.toContain('hunter2');
    expect(JSON.parse(text)).toMatchObject({ type: 'server_error', errors: [{ attr: null, code: 'error' }] });
  });
});

describe('the application', () => {
  it('the application runs its middleware in a fixed order', async () => {
    const clients = makeClients(config);
    const app = makeApp({
      config,
      clients,
      directory: new Directory(clients, ownCaller('gateway', SECRET), SECRET),
      throttle: new Throttle(redis, config),
      maintenance: readMaintenance(clients.catalog, ownCaller('gateway', SECRET)),
      bodies: new BodyBudgets(1_048_576, 1_048_576, { maxBody: 2048, maxUpload: 2048, patienceMs: 1000 }),
      hosts: new AllowedHosts([]),
      readiness: new Readiness({}),
      endpoints,
    });
    expect(app.router.stack.map(({ name }) => name)).toEqual([
      'requestId',
      'requestMetrics',
      'securityHeaders',
      'healthProbes',
      'allowedHosts',
      'corsHeaders',
      'formRequests',
      'authentication',
      'throttling',
      'body',
      'routes',
      'errors',
    ]);
    for (const client of Object.values(clients)) client.close();
  });
});

describe('the description', () => {
  it('the API description is public', async () => {
    const document = (await (await call('/api/schema/')).json()) as { openapi: string; paths: Record<string, object> };
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths['/api/users/{username}/']!)).toEqual(['get', 'put', 'patch', 'delete']);
  });
});
