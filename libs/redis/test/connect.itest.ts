import { connectRedis, redisDependency, type Redis } from '@parlance/redis';
import { engines, TcpRelay } from '@parlance/testing';
import { once } from 'node:events';

let relay: TcpRelay;
let redis: Redis;

beforeAll(async () => {
  relay = await TcpRelay.start((await engines()).redisUrl);
  redis = connectRedis(relay.url, () => undefined);
  await once(redis, 'ready');
});
afterAll(async () => {
  redis.disconnect();
  await relay.stop();
});

describe('redisDependency', () => {
  it('redisDependency reconnects with a new connection when the old one hangs and new ones do not', async () => {
    const { check, probe, reconnect } = redisDependency(redis);
    relay.stallConnections();
    await expect(check()).rejects.toThrow('Redis is unavailable');
    expect(await probe()).toBe(true);
    const ready = once(redis, 'ready');
    await reconnect();
    await ready;
    expect(await check()).toBe(true);
  });

  it('redisDependency reports a server that no connection reaches, and the check does not wait for a connection', async () => {
    const { check, probe } = redisDependency(redis);
    const closed = once(redis, 'close');
    await relay.stop();
    await closed;
    await expect(probe()).rejects.toThrow();
    await expect(check()).rejects.toMatchObject({
      name: 'EngineUnavailableError',
      message: 'Redis is unavailable',
      cause: { message: expect.stringContaining('enableOfflineQueue') },
    });
    await relay.restart();
  });
});
