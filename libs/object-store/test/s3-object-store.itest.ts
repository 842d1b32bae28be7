import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { ObjectMissingError, S3ObjectStore } from '@parlance/object-store';
import { engines } from '@parlance/testing';

let store: S3ObjectStore;
const bytes = randomBytes(300_000);

beforeAll(async () => {
  store = new S3ObjectStore((await engines()).s3);
  expect(await store.reachable()).toBe(false);
  // Several replicas start at the same moment.
  await Promise.all([store.ensureBucket(), store.ensureBucket(), store.ensureBucket()]);
  expect(await store.reachable()).toBe(true);
});

async function keys(prefix?: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of store.list(prefix)) found.push(key);
  return found;
}

afterEach(async () => {
  for (const key of await keys()) await store.delete(key);
});

describe('S3ObjectStore', () => {
  it('S3ObjectStore returns an object as a whole, by ranges and with its metadata', async () => {
    await store.put('a/one.png', bytes, { contentType: 'image/png' });
    expect(await buffer(await store.get('a/one.png'))).toEqual(bytes);
    expect(await buffer(await store.get('a/one.png', { offset: 10, length: 5 }))).toEqual(bytes.subarray(10, 15));
    expect(await buffer(await store.get('a/one.png', { offset: 299_999, length: 1 }))).toEqual(bytes.subarray(299_999));
    expect(await buffer(await store.get('a/one.png', { offset: 0, length: 0 }))).toEqual(Buffer.alloc(0));
    expect(await store.head('a/one.png')).toMatchObject({ key: 'a/one.png', size: 300_000, contentType: 'image/png' });
  });

  it('S3ObjectStore stores empty objects and replaces existing ones', async () => {
    await store.put('k', bytes, { contentType: 'image/png' });
    await store.put('k', new Uint8Array(), { contentType: 'text/plain' });
    expect(await buffer(await store.get('k'))).toEqual(Buffer.alloc(0));
    expect(await store.head('k')).toMatchObject({ size: 0, contentType: 'text/plain' });
  });

  it('S3ObjectStore deletes an object, also repeatedly', async () => {
    await store.put('k', bytes, { contentType: 'image/png' });
    await store.delete('k');
    await store.delete('k');
    expect(await store.head('k')).toBeUndefined();
    await expect(store.get('k')).rejects.toThrow(ObjectMissingError);
    await expect(store.get('k', { offset: 1, length: 1 })).rejects.toThrow(ObjectMissingError);
  });

  it('S3ObjectStore lists objects by key prefix, in order', async () => {
    for (const key of ['b/2', 'a/1', 'a/2', 'ab']) await store.put(key, bytes.subarray(0, 3), { contentType: 'x/y' });
    expect(await keys('a/')).toEqual(['a/1', 'a/2']);
    expect(await keys()).toEqual(['a/1', 'a/2', 'ab', 'b/2']);
  });
});

describe('a stream of unknown length', () => {
  const MIB = 1024 * 1024;
  const partBytes = 5 * MIB;
  async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
  }

  it.each([0, 1, partBytes - 1, partBytes, partBytes + 1, 2 * partBytes + 7])(
    'a stream of %i bytes whose length is unknown in advance is stored unchanged',
    async (length) => {
      const bytes = randomBytes(length);
      await store.putStream('streams/one', inChunks(bytes, 300_000), { contentType: 'text/plain', partBytes });
      expect((await buffer(await store.get('streams/one'))).equals(bytes)).toBe(true);
      expect(await store.head('streams/one')).toMatchObject({ size: length, contentType: 'text/plain' });
    },
  );

  it('a stream that fails leaves no object', async () => {
    async function* failing() {
      yield* inChunks(randomBytes(partBytes + 1), MIB);
      throw new Error('the source failed');
    }
    const options = { contentType: 'text/plain', partBytes };
    await expect(store.putStream('streams/failed', failing(), options)).rejects.toThrow('the source failed');
    expect(await store.head('streams/failed')).toBeUndefined();
  });
});
