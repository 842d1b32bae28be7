import { EventBus, newEvent } from '@parlance/events';
import { engines, TcpRelay } from '@parlance/testing';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

let relay: TcpRelay;
let bus: EventBus;

beforeAll(async () => {
  relay = await TcpRelay.start((await engines()).natsUrl);
  const url = relay.url;
  bus = await EventBus.connect({ url, service: 'test', namespace: `t${randomUUID().slice(0, 8)}` });
});
afterAll(async () => {
  await bus.close();
  await relay.stop();
});

describe('EventBus.dependency', () => {
  it('EventBus.dependency reconnects with a new connection when the old one hangs and new ones do not', async () => {
    const { check, probe, reconnect } = bus.dependency();
    relay.stallConnections();
    expect(await check()).toBe(false);
    expect(await probe()).toBe(true);
    const returned = new Promise<void>((resolve) => bus.onReturn(resolve));
    await reconnect();
    await returned;
    expect(await check()).toBe(true);
    expect(await bus.publish(newEvent('test', 'componentDeleted', { componentId: 1 }, 1))).toBeGreaterThan(0);
  });

  it('a connection that may not wait fails when no server accepts it, or one that is silent does', async () => {
    const connectSoon = () => EventBus.connect({ url: relay.url, service: 'test', connectWithinMs: 500 });
    await relay.stop();
    await expect(connectSoon()).rejects.toThrow();
    await relay.restart();
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    try {
      const url = `nats://127.0.0.1:${port}`;
      await expect(EventBus.connect({ url, service: 'test', connectWithinMs: 500 })).rejects.toThrow();
    } finally {
      silent.close();
    }
  });

  it('EventBus.dependency reports a server that no connection reaches', async () => {
    await relay.stop();
    await expect(bus.dependency().probe()).rejects.toThrow();
    await relay.restart();
  });
});
