import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { poster } from './post';

let server: Server;
let url: string;
let respond: (response: ServerResponse) => void;
let received: { method: string | undefined; headers: IncomingHttpHeaders; body: string }[];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ method: request.method, headers: request.headers, body });
      respond(response);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => (received = []));

const post = (to = url, allowPrivate = true) => poster({ allowPrivate })(to, { 'x-signature': 's' }, '{"a":1}');

describe('a delivery', () => {
  it('a delivery posts the body with its headers, and any success counts', async () => {
    for (const status of [200, 204, 299]) {
      respond = (response) => response.writeHead(status).end();
      expect(await post()).toEqual({ status, error: '' });
    }
    expect(received[0]).toMatchObject({ method: 'POST', headers: { 'x-signature': 's' }, body: '{"a":1}' });
  });

  it.each([300, 404, 410, 500])(
    'a delivery that is answered with status %i failed with that status',
    async (status) => {
      respond = (response) => response.writeHead(status).end();
      expect(await post()).toEqual({ status, error: `Answered with ${status}.` });
    },
  );

  it('a delivery does not follow redirects, which could lead anywhere', async () => {
    respond = (response) => response.writeHead(307, { location: url }).end();
    expect(await post()).toEqual({ status: 307, error: 'Answered with 307.' });
    expect(received).toHaveLength(1);
  });

  it('a delivery does not read the body of the response, however long', async () => {
    respond = (response) => response.writeHead(200).end('x'.repeat(1_000_000));
    expect(await post()).toEqual({ status: 200, error: '' });
  });

  it('a delivery to an address in a private network fails without a status unless the operator allows it', async () => {
    respond = (response) => response.end();
    expect(await post(url, false)).toEqual({ status: 0, error: 'The address lies in a private network.' });
    expect(received).toEqual([]);
  });

  it('a delivery to an unreachable or invalid address fails without a status, with the reason', async () => {
    respond = (response) => void response.destroy();
    const broken = await post();
    expect(broken.status).toBe(0);
    expect(broken.error).not.toBe('');
    expect(await post('no address')).toEqual({ status: 0, error: 'This is no web address.' });
  });
});
