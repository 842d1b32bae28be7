import { serversOf } from './servers';

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

  it('the NATS_URL setting is not repeated in its error message, which could reveal a password', () => {
    expect(() => serversOf('nats://me:pw@[')).toThrow(/^NATS_URL must be addresses/);
  });
});
