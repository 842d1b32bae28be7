import { loadService } from '@parlance/contracts';
import { until } from '@parlance/testing';
import { promises as dns } from 'node:dns';
import { createServer, type AddressInfo } from 'node:net';
import { createClient } from './client';
import { serve } from '../server';
import type { Client, Implementation } from '../types';

const serviceSecret = 'x'.repeat(32);

/** A port without a listener. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Methods of the statistics service that answer with an empty message. */
function emptyAnswers(): Implementation<'statistics'> {
  const methods = Object.keys(loadService('statistics').client.service).map((name) => [
    name[0]!.toLowerCase() + name.slice(1),
    async () => ({}),
  ]);
  return Object.fromEntries(methods) as Implementation<'statistics'>;
}

/** A client that was connected at its first check. A busy machine may not connect within the time of a check: other clients try. */
async function connectedAtFirst(listen: string): Promise<Client<'statistics'>> {
  for (;;) {
    const client = createClient('statistics', listen);
    if (await client.connected()) return client;
    client.close();
  }
}

it('a client is connected from the first check after its service listens, and disconnected before', async () => {
  const listen = `127.0.0.1:${await freePort()}`;
  const client = createClient('statistics', listen);
  const implementation = emptyAnswers();
  const start = () => serve({ name: 'statistics', listen, serviceSecret, implementation });
  expect(await client.connected()).toBe(false);
  const server = await start();
  const fresh = await connectedAtFirst(listen);
  await server.drain(15_000);
  expect(await fresh.connected()).toBe(false);
  client.close();
  fresh.close();
});

it('calls wait for a replica, fail as UNAVAILABLE without one, and succeed when one starts', async () => {
  const listen = `127.0.0.1:${await freePort()}`;
  const client = createClient('statistics', listen);
  // Far beyond the wait: a call that reached its deadline would fail with DEADLINE_EXCEEDED.
  const call = (timeoutMs: number) => client.getMetrics({}, { timeoutMs, as: 'nobody' });
  await expect(call(300_000)).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  // Shorter than the wait: later calls do not wait at all.
  await expect(call(5_000)).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  const server = await serve({ name: 'statistics', listen, serviceSecret, implementation: emptyAnswers() });
  while (!(await client.connected()));
  // The server rejects the caller.
  await expect(call(30_000)).rejects.toMatchObject({ reason: 'AUTHENTICATION_FAILED' });
  await server.drain(15_000);
  client.close();
});

it('a client without calls resolves its address until a replica is there', async () => {
  const missing = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
  const lookup = jest.spyOn(dns, 'lookup').mockRejectedValue(missing);
  const client = createClient('statistics', 'statistics.invalid:50051');
  expect(await client.connected()).toBe(false);
  const before = lookup.mock.calls.length;
  await until(() => lookup.mock.calls.length > before + 1);
  client.close();
  lookup.mockRestore();
});
