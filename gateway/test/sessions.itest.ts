import { ServiceError } from '@parlance/errors';
import type { RunningServer } from '@parlance/grpc-kit';
import { engines } from '@parlance/testing';
import { get, type IncomingHttpHeaders } from 'node:http';
import { compose, type Gateway } from '../src/compose';
import { readConfig } from '../src/config';
import { identityStandIn } from './support/identity';

const SECRET = 'a secret that only this test knows 32+';
const HOST = 'l10n.example.org';
let identity: RunningServer;
let gateway: Gateway;
/** Secrets of sessions that identity was asked about. */
const asked: string[] = [];

beforeAll(async () => {
  identity = await identityStandIn(SECRET, new Map(), {
    authenticateSession: async ({ secret }) => {
      asked.push(secret);
      throw new ServiceError('AUTHENTICATION_FAILED');
    },
  });
  const elsewhere = ['CATALOG', 'TRANSLATION', 'VCS_WORKER', 'MEDIA', 'STATISTICS', 'HOOKS'];
  gateway = await compose(
    readConfig({
      REDIS_URL: (await engines()).redisUrl,
      PARLANCE_SERVICE_SECRET: SECRET,
      IDENTITY_ADDRESS: `127.0.0.1:${identity.port}`,
      ...Object.fromEntries(elsewhere.map((name) => [`${name}_ADDRESS`, '127.0.0.1:1'])),
      PARLANCE_RATE_LIMIT_PAGES: 'off',
      PARLANCE_PUBLIC_URL: `https://${HOST}`,
      GATEWAY_LISTEN: '127.0.0.1:0',
    }),
  );
});

afterAll(async () => {
  await gateway.drain(15_000);
  await gateway.close();
  await identity.drain(15_000);
});

/** Opens a page as a reverse proxy that ends TLS does. */
const open = (path: string, cookie = ''): Promise<{ status: number; headers: IncomingHttpHeaders }> =>
  new Promise((resolve, reject) => {
    const headers = { host: HOST, accept: 'text/html', ...(cookie ? { cookie } : {}) };
    get({ host: '127.0.0.1', port: gateway.port, path, headers, agent: false }, (response) => {
      response.resume().once('end', () => resolve({ status: response.statusCode!, headers: response.headers }));
    }).on('error', reject);
  });

describe('a site behind https', () => {
  it('a site behind https sets secure cookies of its host only', async () => {
    const { status, headers } = await open('/accounts/login/');
    expect(status).toBe(200);
    const [cookie] = headers['set-cookie']!;
    expect(cookie).toMatch(/^__Host-parlance-sign-in=[\w-]{43};/);
    expect(cookie).toMatch(/; Path=\/;.*; HttpOnly; Secure; SameSite=Lax$/);
    expect(cookie).not.toContain('Domain');
  });

  it('a site behind https takes sessions from the secure cookie only, and ignores an ended session', async () => {
    const [planted, own] = ['a'.repeat(43), 'b'.repeat(43)];
    expect((await open('/accounts/login/', `parlance-session=${planted}`)).status).toBe(200);
    expect((await open('/accounts/login/', `__Host-parlance-session=${own}`)).status).toBe(200);
    for (const path of ['/git/', '/hooks/', '/static/missing/'])
      expect((await open(path, `__Host-parlance-session=${'c'.repeat(43)}`)).status).toBe(404);
    // A slow answer makes the gateway ask again.
    expect([...new Set(asked)]).toEqual([own]);
  });
});
