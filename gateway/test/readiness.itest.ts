import type { RunningServer } from '@parlance/grpc-kit';
import { Readiness, serveOperations } from '@parlance/telemetry';
import { engines, TcpRelay, until } from '@parlance/testing';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compose, type Gateway } from '../src/compose';
import { readConfig } from '../src/config';
import { identityStandIn } from './support/identity';
import { standIn } from './support/stand-in';

const SECRET = 'a secret that only this test knows 32+';
let services: RunningServer[];
let gateway: Gateway;
let operations: Server;
let relay: TcpRelay;

beforeAll(async () => {
  relay = await TcpRelay.start((await engines()).redisUrl);
  await relay.stop();
  const [identity, catalog, translation] = await Promise.all([
    identityStandIn(SECRET, new Map(), {}),
    standIn('catalog', SECRET, {}),
    standIn('translation', SECRET, {}),
  ]);
  services = [identity, catalog, translation];
  const others = ['VCS_WORKER', 'MEDIA', 'STATISTICS', 'HOOKS'];
  gateway = await compose(
    readConfig({
      REDIS_URL: relay.url,
      PARLANCE_SERVICE_SECRET: SECRET,
      IDENTITY_ADDRESS: `127.0.0.1:${identity.port}`,
      CATALOG_ADDRESS: `127.0.0.1:${catalog.port}`,
      TRANSLATION_ADDRESS: `127.0.0.1:${translation.port}`,
      ...Object.fromEntries(others.map((name) => [`${name}_ADDRESS`, '127.0.0.1:1'])),
      GATEWAY_LISTEN: '127.0.0.1:0',
    }),
  );
  operations = await serveOperations('127.0.0.1:0', new Readiness(gateway.ready, gateway));
});

afterAll(async () => {
  operations.closeAllConnections();
  operations.close();
  await gateway.drain(15_000);
  await gateway.close();
  for (const service of services) await service.drain(15_000);
  await relay.stop();
});

const upstream = { identity: 'up', catalog: 'up', translation: 'up' };
const withRedis = { ready: true, parts: { ...upstream, redis: 'up' }, optional: ['redis'] };
const withoutRedis = (reason: string) => ({
  ready: true,
  parts: { ...upstream, redis: 'down' },
  optional: ['redis'],
  problems: { redis: reason },
});

const base = (port: number) => `http://127.0.0.1:${port}`;
const operationsBase = () => base((operations.address() as AddressInfo).port);

/** The report of readiness on both ports, once they have the expected body. A busy machine may not answer every check in time. */
const reported = (expected: object) =>
  until(async () => {
    for (const address of [base(gateway.port), operationsBase()]) {
      const response = await fetch(`${address}/readyz`);
      const body = await response.json();
      if (response.status !== 200 || JSON.stringify(body) !== JSON.stringify(expected)) return false;
    }
    return true;
  });

/** Waits until the metric has a value. It is read at most every 10 s. */
const measured = (value: 0 | 1) =>
  until(async () => {
    const text = await (await fetch(`${operationsBase()}/metrics`)).text();
    return new RegExp(`^parlance_dependency_up\\{[^}]*dependency="redis"[^}]*\\} ${value}$`, 'm').test(text);
  });

it('a gateway without Redis is ready and names Redis in its readiness and metrics until Redis is back', async () => {
  await reported(withoutRedis('Redis is unavailable'));
  await measured(0);
  await relay.restart();
  await reported(withRedis);
  await measured(1);
});

it('a gateway whose Redis hangs is ready and names Redis', async () => {
  await reported(withRedis);
  relay.hang();
  await reported(withoutRedis('no answer within 1 s'));
  relay.resume();
  await reported(withRedis);
});
