import { TestAuthority } from '@parlance/testing';
import { engineTls } from '@parlance/tls';
import { serversOf } from './servers';

const authority = new TestAuthority();
afterAll(() => authority.remove());

describe('the NATS_URL setting', () => {
  it.each([
    ['nats://127.0.0.1:4222', { servers: ['nats://127.0.0.1:4222'] }],
    ['nats://me:p%40ss@h:4222', { servers: ['nats://h:4222'], user: 'me', pass: 'p@ss' }],
    ['tls://t0ken@h', { servers: ['tls://h'], token: 't0ken', tls: {} }],
    ['nats://a:1,tls://b:2', { servers: ['nats://a:1', 'tls://b:2'], tls: {} }],
    ['nats://a:1, nats://me:pw@b:2', { servers: ['nats://a:1', 'nats://b:2'], user: 'me', pass: 'pw' }],
    ['nats://[::1]:4222', { servers: ['nats://[::1]:4222'] }],
  ])('the NATS_URL setting accepts %s', (url, expected) => {
    expect(serversOf(url)).toEqual(expected);
  });

  it('the NATS_URL setting decides whether certificates are used', () => {
    const files = { caFile: authority.caFile };
    expect(serversOf('tls://h', files).tls).toEqual({ secureContext: engineTls(files).secureContext });
    expect(serversOf('nats://h', files).tls).toBeUndefined();
  });

  it('the NATS_URL setting is not repeated in its error message, which could reveal a password', () => {
    expect(() => serversOf('nats://me:pw@[')).toThrow(/^NATS_URL must be addresses/);
  });
});
