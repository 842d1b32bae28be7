import { S3ObjectStore } from '@parlance/object-store';
import { engines, TcpRelay } from '@parlance/testing';

let relay: TcpRelay;
let store: S3ObjectStore;

beforeAll(async () => {
  const { s3 } = await engines();
  relay = await TcpRelay.start(s3.endpoint);
  store = new S3ObjectStore({ ...s3, endpoint: `http://127.0.0.1:${relay.port}` });
  await store.ensureBucket();
});
afterAll(async () => {
  await store.dependency().reconnect();
  await relay.stop();
});

it('a request that the store accepts and does not answer fails, and is not only measured when its reader gives up', async () => {
  const { s3 } = await engines();
  const impatient = new S3ObjectStore({ ...s3, endpoint: `http://127.0.0.1:${relay.port}`, answerMs: 300 });
  await impatient.put('a/silent', Buffer.from('x'), { contentType: 'text/plain' });
  relay.stallConnections();
  await expect(impatient.get('a/silent')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  // The failed connection is gone: a new one works.
  expect((await impatient.head('a/silent'))?.size).toBe(1);
});

describe('S3ObjectStore.dependency', () => {
  it('S3ObjectStore.dependency reconnects with new connections when the old ones hang and new ones do not', async () => {
    const { check, probe, reconnect } = store.dependency();
    relay.stallConnections();
    const hanging = check();
    expect(await probe()).toBe(true);
    await reconnect();
    // Closing the old connection fails its request.
    await expect(hanging).rejects.toThrow();
    expect(await check()).toBe(true);
  });

  it('S3ObjectStore.dependency reports a server that no connection reaches', async () => {
    await relay.stop();
    await expect(store.dependency().probe()).rejects.toThrow();
    await relay.restart();
  });
});
