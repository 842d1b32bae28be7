import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isPublicAddress } from './addresses';
import { send } from './send';

const servers: Server[] = [];
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

describe('public addresses', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.20.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
    '100.64.0.1',
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fd00::1',
    '172.16.0.1',
    '172.31.255.255',
    '224.0.0.1',
    '255.255.255.255',
    'fc00::1',
    'ff02::1',
    '2002:7f00:1::',
    '::ffff:8.8.8.8',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    '2001:db8::1',
    '[::1]',
    'localhost',
    '',
  ])('public addresses do not include %j', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each(['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700:4700::1111', '[2a00:1450:4001::1]'])(
    'public addresses include %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

describe('outgoing requests', () => {
  it('outgoing requests return status, headers and body', async () => {
    const base = await listen((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        response.writeHead(418, { 'x-kind': 'teapot' });
        response.end(`${request.method} ${request.url} ${request.headers['x-key']} ${body}`);
      });
    });
    const answer = await send({
      url: `${base}/brew?a=1`,
      method: 'POST',
      headers: { 'x-key': 'k' },
      body: 'čaj',
      allowPrivate: true,
    });
    expect(answer).toMatchObject({ status: 418, headers: { 'x-kind': 'teapot' } });
    expect(answer.body.toString()).toBe('POST /brew?a=1 k čaj');
  });

  it.each([
    'http://127.0.0.1:1/',
    'http://[::1]:1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::ffff:7f00:1]/',
  ])('outgoing requests are refused for the private address %s', async (url) => {
    await expect(send({ url, allowPrivate: false })).rejects.toMatchObject({ problem: 'refused' });
  });

  it.each(['ftp://example.org/', 'file:///etc/passwd', 'nonsense', ''])(
    'outgoing requests are refused for %j, which is not an HTTP address',
    async (url) => {
      await expect(send({ url, allowPrivate: true })).rejects.toMatchObject({ problem: 'refused' });
    },
  );

  it('outgoing requests are refused for a name with a private address', async () => {
    const url = 'http://rebind.example/';
    const resolving = (...addresses: string[]) =>
      send({
        url,
        allowPrivate: false,
        resolve: (_host, done) =>
          done(
            null,
            addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
          ),
      });
    await expect(resolving('127.0.0.1')).rejects.toMatchObject({ problem: 'refused' });
    await expect(resolving('8.8.8.8', '10.0.0.1')).rejects.toMatchObject({ problem: 'refused' });
    await expect(resolving('::ffff:127.0.0.1')).rejects.toMatchObject({ problem: 'refused' });
    await expect(resolving()).rejects.toMatchObject({ problem: 'refused' });
  });

  it('outgoing requests follow redirects up to the limit and send no headers to another origin', async () => {
    const seen: (string | undefined)[] = [];
    const other = await listen((request, response) => {
      seen.push(request.headers['x-key'] as string | undefined);
      response.end('there');
    });
    const base = await listen((request, response) => {
      seen.push(request.headers['x-key'] as string | undefined);
      const location = request.url === '/a' ? '/b' : other;
      response.writeHead(307, { location }).end();
    });
    const request = { url: `${base}/a`, headers: { 'x-key': 'k' }, allowPrivate: true };
    expect((await send(request)).status).toBe(307);
    expect((await send({ ...request, redirects: 1 })).status).toBe(307);
    seen.length = 0;
    expect((await send({ ...request, redirects: 2 })).body.toString()).toBe('there');
    expect(seen).toEqual(['k', 'k', undefined]);
    // The body of a POST must not be repeated as a GET.
    const found = await listen((_request, response) => response.writeHead(302, { location: other }).end());
    expect((await send({ url: found, method: 'POST', body: 'x', redirects: 3, allowPrivate: true })).status).toBe(302);
  });

  it('outgoing requests check the target of a redirect', async () => {
    const base = await listen((_request, response) =>
      response.writeHead(307, { location: 'file:///etc/passwd' }).end(),
    );
    await expect(send({ url: base, redirects: 1, allowPrivate: true })).rejects.toMatchObject({ problem: 'refused' });
  });

  it('outgoing requests fail when the response is late, too long or broken', async () => {
    const silent = await listen(() => undefined);
    await expect(send({ url: silent, timeoutMs: 50, allowPrivate: true })).rejects.toMatchObject({
      problem: 'timeout',
    });
    const endless = await listen((_request, response) => {
      response.write('x'.repeat(100));
    });
    await expect(send({ url: endless, timeoutMs: 100, allowPrivate: true })).rejects.toMatchObject({
      problem: 'timeout',
    });
    const long = await listen((_request, response) => response.end('x'.repeat(2000)));
    await expect(send({ url: long, maxBytes: 1000, allowPrivate: true })).rejects.toMatchObject({
      problem: 'too-large',
    });
    expect((await send({ url: long, maxBytes: 0, allowPrivate: true })).body).toHaveLength(0);
    const broken = await listen((request) => request.socket.destroy());
    await expect(send({ url: broken, allowPrivate: true })).rejects.toMatchObject({ problem: 'unreachable' });
  });

  it('outgoing requests fail when the caller cancels them', async () => {
    const silent = await listen(() => undefined);
    const signal = AbortSignal.abort();
    await expect(send({ url: silent, signal, allowPrivate: true })).rejects.toMatchObject({ problem: 'unreachable' });
  });
});
