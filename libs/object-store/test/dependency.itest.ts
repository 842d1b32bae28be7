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
