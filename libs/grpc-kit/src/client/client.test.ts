import { loadService } from '@parlance/contracts';
import { createServer, type AddressInfo } from 'node:net';
import { createClient } from './client';
import { serve } from '../server';
import type { Implementation } from '../types';

const serviceSecret = 'x'.repeat(32);

/** A port without a listener. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it('a client is connected from the first check after its service listens, and disconnected before', async () => {
  const listen = `127.0.0.1:${await freePort()}`;
  const client = createClient('statistics', listen);
  const methods = Object.keys(loadService('statistics').client.service).map((name) => [
    name[0]!.toLowerCase() + name.slice(1),
    async () => ({}),
  ]);
  const implementation = Object.fromEntries(methods) as Implementation<'statistics'>;
  const start = () => serve({ name: 'statistics', listen, serviceSecret, implementation });
  expect(await client.connected()).toBe(false);
  const server = await start();
  const fresh = createClient('statistics', listen);
  expect(await fresh.connected()).toBe(true);
  await server.drain();
  expect(await fresh.connected()).toBe(false);
  client.close();
  fresh.close();
});
