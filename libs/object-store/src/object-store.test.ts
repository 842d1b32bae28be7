import { checkKey } from './object-store';
import { S3ObjectStore } from './s3-object-store';

describe('object keys', () => {
  it.each(['a', 'screenshots/1f-2.png', 'a/b/c.d_e'])('object keys include %s', (key) =>
    expect(checkKey(key)).toBe(key),
  );
  it.each(['', '/a', 'a/', 'a//b', 'a/../b', '..', 'a b', 'a?b', 'ž', '.hidden', 'x'.repeat(513)])(
    'object keys do not include %j',
    (key) => expect(() => checkKey(key)).toThrow('not a key'),
  );
});

describe('endpoints of the object store', () => {
  it.each(['ftp://host', 'http://host/path'])('endpoints of the object store do not include %s', (endpoint) => {
    expect(
      () => new S3ObjectStore({ endpoint, accessKey: 'a', secretKey: 'b', region: 'us-east-1', bucket: 'c' }),
    ).toThrow('http(s)://host[:port]');
  });
});
