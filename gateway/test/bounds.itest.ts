import type { Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { RunningServer } from '@parlance/grpc-kit';
import { engines, holdBound, measureHold, until } from '@parlance/testing';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { compose, type Gateway } from '../src/compose';
import { readConfig } from '../src/config';
import { identityStandIn, person } from './support/identity';
import { standIn } from './support/stand-in';

const SECRET = 'a secret that only this test knows 32+';
const MIB = 1024 * 1024;
const newAddress = () => `2001:db8:${randomInt(65536).toString(16)}:${randomInt(65536).toString(16)}::1`;

const tokens = new Map<string, Caller>();
let identity: RunningServer;
let hooks: RunningServer;
let catalog: RunningServer;
let gateway: Gateway;

beforeAll(async () => {
  const { redisUrl } = await engines();
  identity = await identityStandIn(SECRET, tokens, {});
  hooks = await standIn('hooks', SECRET, {
    async receive(requests) {
      for await (const _ of requests);
      return { outcome: 'OUTCOME_PING', message: 'Hello' };
    },
  });
  catalog = await standIn('catalog', SECRET, {
    getProject: () => Promise.reject(new ServiceError('NOT_FOUND')),
  });
  const others = ['TRANSLATION', 'VCS_WORKER', 'MEDIA', 'STATISTICS'];
  gateway = await compose(
    readConfig({
      REDIS_URL: redisUrl,
      PARLANCE_SERVICE_SECRET: SECRET,
      IDENTITY_ADDRESS: `127.0.0.1:${identity.port}`,
      CATALOG_ADDRESS: `127.0.0.1:${catalog.port}`,
      HOOKS_ADDRESS: `127.0.0.1:${hooks.port}`,
      ...Object.fromEntries(others.map((name) => [`${name}_ADDRESS`, '127.0.0.1:1'])),
      PARLANCE_TRUSTED_PROXIES: '1',
      GATEWAY_LISTEN: '127.0.0.1:0',
      PARLANCE_BODY_MEMORY_BYTES: String(32 * MIB),
      PARLANCE_BODY_TIMEOUT_SECONDS: '5',
      PARLANCE_RATE_LIMIT_HOOKS: '2/day',
      PARLANCE_RATE_LIMIT_HOOKS_OBJECT: '3/day',
      PARLANCE_PUBLIC_URL: 'https://parlance.example',
      PARLANCE_ALLOWED_HOSTS: 'other.example',
    }),
  );
});

afterAll(async () => {
  await gateway.drain(15_000);
  await gateway.close();
  await identity.drain(15_000);
  await hooks.drain(15_000);
  await catalog.drain(15_000);
});

function tokenOf(caller = person(randomInt(1_000_000, 2_000_000_000), { isSuperuser: true })): string {
  const token = `plu_${caller.userId}`;
  tokens.set(token, caller);
  return token;
}

interface Options {
  from?: string;
  method?: string;
  headers?: Record<string, string>;
}

/** A request whose body the caller writes. */
function open(path: string, { from = newAddress(), method = 'POST', headers = {} }: Options): ClientRequest {
  return request({
    host: '127.0.0.1',
    port: gateway.port,
    path,
    method,
    headers: { 'X-Forwarded-For': from, ...headers },
    agent: false,
  });
}

interface Answer {
  status: number;
  retryAfter: string | undefined;
  errors: [string | null, string][];
}

async function answerTo(sent: ClientRequest): Promise<Answer> {
  const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
  // A client that is still sending may see its connection reset after the response.
  sent.on('error', () => undefined);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const { errors = [] } = (text.startsWith('{') ? JSON.parse(text) : {}) as {
    errors?: { attr: string | null; code: string }[];
  };
  return {
    status: response.statusCode!,
    retryAfter: response.headers['retry-after'],
    errors: errors.map((e) => [e.attr, e.code]),
  };
}

const call = (path: string, options: Options = {}, body = ''): Promise<Answer> => {
  const sent = open(path, options);
  sent.end(body);
  return answerTo(sent);
};

describe('bytes of bodies that are held', () => {
  it('unfinished anonymous requests stay within their share of the body budget, leave room for users, and release it in time', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(1.5 * MIB) };
    const piece = Buffer.alloc(MIB, ' ');
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, gateway.bodyBytes())), 1);
    const start = (count: number): Promise<Answer>[] =>
      Array.from({ length: count }, () => {
        const sent = open('/hooks/github/', { headers });
        const answer = answerTo(sent);
        sent.write(piece);
        return answer;
      });
    // The first three fit; sent with them, the others could use up the share so evenly that none of all is admitted.
    const admitted = start(3);
    await until(() => gateway.bodyBytes() >= 3 * MIB);
    const answers = Promise.all([...admitted, ...start(9)]);

    const token = tokenOf();
    const body = JSON.stringify({ full_name: 'x'.repeat(MIB) });
    const own = await call(
      '/api/users/',
      { headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json' } },
      body,
    );
    expect(own.status).toBe(400);

    const statuses = (await answers).map(({ status, retryAfter }) => [status, retryAfter]);
    clearInterval(watch);
    expect(new Set(statuses.map(String))).toEqual(new Set(['408,', '503,5']));
    expect(most).toBeLessThanOrEqual(4 * MIB + body.length);
    await until(() => gateway.bodyBytes() === 0);
  });

  it('fields of multipart forms count against the budget, with the same total as other forms', async () => {
    const field = (name: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${'x'.repeat(MIB)}\r\n`;
    const refused = await call(
      '/api/users/',
      {
        headers: { Authorization: `Token ${tokenOf()}`, 'Content-Type': 'multipart/form-data; boundary=b' },
      },
      `${['a', 'b', 'c', 'd'].map(field).join('')}--b--\r\n`,
    );
    expect([refused.status, refused.errors]).toEqual([413, [[null, 'too_large']]]);
    await until(() => gateway.bodyBytes() === 0);
  });

  it('a body that never arrives times out with 408', async () => {
    const sent = open('/hooks/github/', { headers: { 'Content-Type': 'application/json', 'Content-Length': '100' } });
    sent.write('{');
    expect(await answerTo(sent)).toMatchObject({ status: 408, errors: [[null, 'request_timeout']] });
  });
});

it.each([
  ['in the middle of a file', '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\nxxx'],
  [
    'in the middle of a large file',
    `--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n${'x'.repeat(3 * MIB)}`,
  ],
  ['in the middle of a field', '--b\r\nContent-Disposition: form-data; name="f"\r\n\r\nxxx'],
  ['before its first part', 'x'],
])('a multipart form that ends %s is rejected', async (_, body) => {
  const headers = { Authorization: `Token ${tokenOf()}`, 'Content-Type': 'multipart/form-data; boundary=b' };
  expect(await call('/api/users/', { headers }, body)).toMatchObject({ status: 400, errors: [[null, 'parse_error']] });
  await until(() => gateway.bodyBytes() === 0);
});

describe('the event loop', () => {
  it.each([
    ['a list of millions of lists', 413],
    ['a list of numbers up to the limit of bytes', 400],
    ['many wrong values up to the limit of values', 400],
    ['one long text', 400],
    ['one long text of escapes', 400],
    ['a thousand names', 400],
    ['a form of empty pairs', 400],
    ['a form of escapes', 400],
    ['a multipart form of line ends', 400],
    ['a multipart form of empty parts', 400],
  ])('the event loop is not held by %s for longer than by a JSON document of a few megabytes', async (name, wanted) => {
    const client = new Worker(join(__dirname, 'support', 'client.mjs'), {
      workerData: { port: gateway.port, token: tokenOf(), name },
    });
    try {
      await once(client, 'message');
      const { result, heldMs } = await measureHold(async () => {
        client.postMessage('go');
        return once(client, 'message');
      });
      expect(result).toEqual([wanted]);
      const body = `[${'{"a":1},'.repeat(400_000)}0]`;
      expect(heldMs).toBeLessThan(holdBound(() => JSON.parse(body)));
    } finally {
      await client.terminate();
    }
  });
});

describe('requests outside of /api/', () => {
  it('requests outside of /api/ are counted separately by address', async () => {
    const from = newAddress();
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++)
      statuses.push(
        (await call('/hooks/github/', { from, headers: { 'Content-Type': 'application/json' } }, '{}')).status,
      );
    expect(statuses).toEqual([201, 201, 429]);
    expect((await call('/api/', { from, method: 'GET' })).status).toBe(200);
    expect((await call('/hooks/github/', {}, '{}')).status).toBe(201);
  });

  it('requests outside of /api/ are counted by object, for any caller', async () => {
    const path = `/hooks/update/p${randomInt(2_000_000_000)}/`;
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await call(path)).status);
    expect(statuses).toEqual([404, 404, 404, 429]);
    expect((await call(`/hooks/update/p${randomInt(2_000_000_000)}/`)).status).toBe(404);
  });
});

describe('the Host of a request', () => {
  const statusFor = async (path: string, Host: string) => {
    const { status, errors } = await call(path, { method: 'GET', headers: { Host } });
    return [status, errors];
  };

  it('a request with an unknown Host header is rejected', async () => {
    for (const host of ['parlance.example', 'other.example:8080', 'localhost', '127.0.0.1'])
      expect([host, await statusFor('/api/', host)]).toEqual([host, [200, []]]);
    expect(await statusFor('/api/', 'evil.example')).toEqual([400, [['Host', 'invalid']]]);
    expect(await statusFor('/hooks/github/', 'evil.example')).toEqual([400, [['Host', 'invalid']]]);
  });

  it('probes accept any Host header', async () => {
    expect((await statusFor('/healthz', '10.1.2.3:8080'))[0]).toBe(200);
  });
});
