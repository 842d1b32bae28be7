import { Agent, createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitConnectionAge } from './connection-age';

const AGE_MS = 1_000;
let server: Server;
let time: number;

beforeEach(async () => {
  time = 0;
  server = createServer((_request, response) => response.end('done'));
  limitConnectionAge(server, AGE_MS, () => time);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => server.close());

/** A client with one connection: returns the Connection header of a response and the client's port. */
function client() {
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return () =>
    new Promise<{ connection: string | undefined; from: number | undefined }>((resolve, reject) => {
      get({ agent, host: '127.0.0.1', port }, (response) => {
        const answer = { connection: response.headers.connection, from: response.socket.localPort };
        response.resume().once('end', () => resolve(answer));
      }).on('error', reject);
    });
}

it('a connection is used again until it has its age', async () => {
  const ask = client();
  const first = await ask();
  expect(first.connection).toBe('keep-alive');
  time = 0.85 * AGE_MS;
  expect(await ask()).toEqual(first);
});

it('the first response after the age ends the connection, and the client opens another one', async () => {
  const ask = client();
  const { from } = await ask();
  time = 1.15 * AGE_MS;
  expect(await ask()).toEqual({ connection: 'close', from });
  const other = await ask();
  expect(other.connection).toBe('keep-alive');
  expect(other.from).not.toBe(from);
});
