import { once } from 'node:events';
import { Agent, createServer, get, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ConnectionDrainer } from './connection-drainer';

/** Longer than a test lasts. */
const LONG_MS = 600_000;
let server: Server;
let port: number;
let drainer: ConnectionDrainer;
/** Responses held open by the test, by path. */
const held = new Map<string, ServerResponse>();
let arrived: (path: string) => void = () => undefined;

beforeEach(async () => {
  held.clear();
  server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    if (request.url === '/streamed') response.writeHead(200).write('begun ');
    if (request.url === '/busy') response.end('done');
    else held.set(request.url!, response);
    arrived(request.url!);
  });
  drainer = new ConnectionDrainer(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});

/** A client with a keep-alive connection. */
function client() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return (path: string) =>
    new Promise<{ connection: string | undefined; text: string }>((resolve, reject) => {
      get({ agent, host: '127.0.0.1', port, path }, async (response) =>
        resolve({ connection: response.headers.connection, text: await text(response) }),
      ).on('error', reject);
    });
}

it('the next response closes the idle keep-alive connection of a client', async () => {
  const ask = client();
  expect((await ask('/busy')).connection).toBe('keep-alive');
  const drained = drainer.drain({ acceptMs: 0, idleMs: LONG_MS });
  expect(await ask('/busy')).toEqual({ connection: 'close', text: 'done' });
  await drained;
});

it.each([
  ['/later', 'close', 'done'],
  ['/streamed', 'keep-alive', 'begun done'],
])('a response in progress is completed before its connection is closed (%s)', async (path, connection, text) => {
  const came = new Promise<string>((resolve) => (arrived = resolve));
  const answer = client()(path);
  await came;
  const drained = drainer.drain({ acceptMs: 0, idleMs: 0 });
  held.get(path)!.end('done');
  expect(await answer).toEqual({ connection, text });
  await drained;
});

it('new connections are served while load balancers may still send them', async () => {
  const waiting = client()('/later');
  await new Promise<string>((resolve) => (arrived = resolve));
  const drained = drainer.drain({ acceptMs: 0, idleMs: LONG_MS });
  // The open connection keeps the process; each of these has a connection of its own.
  for (let i = 0; i < 50; i++) expect(await client()('/busy')).toEqual({ connection: 'close', text: 'done' });
  held.get('/later')!.end('done');
  expect((await waiting).connection).toBe('close');
  await drained;
  await expect(client()('/busy')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('connections that stay idle are closed after their time', async () => {
  await client()('/busy');
  await drainer.drain({ acceptMs: 0, idleMs: 50 });
});

it('connections without any request are closed after a second more', async () => {
  const socket = connect(port, '127.0.0.1');
  const [[accepted]] = await Promise.all([once(server, 'connection'), once(socket, 'connect')]);
  const closed = once(socket, 'close');
  await drainer.drain({ acceptMs: 0, idleMs: 0 });
  await closed;
  expect(accepted.bytesRead).toBe(0);
});

it('connections that the kernel accepted while the process was busy are served', async () => {
  const drained = drainer.drain({ acceptMs: 20, idleMs: 0 });
  const sockets = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'));
  const asked = sockets.map(async (socket) => {
    socket.write('GET /busy HTTP/1.1\r\nHost: parlance\r\n\r\n');
    return (await text(socket)).split('\r\n').at(-1);
  });
  // Until the time of the drainer is up. Its timer then runs before the event loop accepts connections.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  expect(await Promise.all(asked)).toEqual(sockets.map(() => 'done'));
  await drained;
});
