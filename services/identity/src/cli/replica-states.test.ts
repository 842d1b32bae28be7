import { serviceNames, type ServiceName } from '@parlance/contracts';
import type { CallOptions } from '@parlance/grpc-kit';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Operator } from './connect';
import { readReplicas, shownReplica, type ReplicaState } from './replica-states';
import { Session, type CommandEnvironment } from './session';

const cache = { name: 'redis', problem: 'Redis is unavailable' };
const store = { name: 'mongo', problem: 'MongoDB is unavailable' };

/** The states of an installation of which each service has these dependencies, and the gateway this report at /readyz. */
async function readInstallation(dependencies: Partial<Record<ServiceName, object[]>>, report: object) {
  const server = createServer((request, response) => {
    response.end(request.url === '/readyz' ? JSON.stringify(report) : '# EOF\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gateway = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const replicas: Operator['replicas'] = async (name) => {
    const state = { version: '1.0.0', startedMs: 0, dependencies: dependencies[name] ?? [], volumes: [], schema: null };
    const client = { connected: async () => true, describeProcess: async () => state };
    return [{ address: name, client: client as never }];
  };
  const environment = {
    variables: { GATEWAY_OPERATIONS_ADDRESS: gateway },
    connect: () => ({ replicas }) as Operator,
  } as unknown as CommandEnvironment;
  try {
    return await readReplicas(new Session(environment), {} as CallOptions);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const healthOf = (replicas: readonly ReplicaState[]) =>
  Object.fromEntries(replicas.map(({ name, state, reason }) => [name, { state, reason }]));

const up = { state: 'up', reason: null };
const allUp = Object.fromEntries([...serviceNames, 'gateway'].map((name) => [name, up]));

it('replicas without an optional dependency are up, and name it', async () => {
  const dependencies = [
    { name: 'mongo', problem: '', optional: false },
    { ...cache, optional: true },
  ];
  const named = { state: 'up', reason: 'redis: Redis is unavailable' };
  const found = await readInstallation(
    { catalog: dependencies },
    { ready: true, parts: { redis: 'down' }, optional: ['redis'], problems: { redis: cache.problem } },
  );
  expect(healthOf(found)).toEqual({ ...allUp, catalog: named, gateway: named });
  expect(shownReplica(found.find(({ name }) => name === 'catalog')!)).toMatch(
    /^up \(redis: Redis is unavailable\), version 1\.0\.0/,
  );
});

it('replicas without a required dependency are degraded, and name all that are unavailable', async () => {
  const dependencies = [
    { ...store, optional: false },
    { ...cache, optional: true },
  ];
  const degraded = { state: 'degraded', reason: 'mongo: MongoDB is unavailable, redis: Redis is unavailable' };
  const problems = { mongo: store.problem, redis: cache.problem };
  const found = await readInstallation({ catalog: dependencies }, { ready: false, optional: ['redis'], problems });
  expect(healthOf(found)).toEqual({
    ...allUp,
    catalog: degraded,
    gateway: degraded,
  });
});

it('replicas of an earlier version, which marks no dependency as optional, are degraded', async () => {
  const problems = { mongo: store.problem };
  const found = await readInstallation({ catalog: [{ ...store, optional: false }] }, { ready: false, problems });
  const degraded = { state: 'degraded', reason: 'mongo: MongoDB is unavailable' };
  expect(healthOf(found)).toEqual({ ...allUp, catalog: degraded, gateway: degraded });
});
