import { Agent, createServer, get, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionDrainer } from './connection-drainer';

let server: Server;
let farewell: ConnectionDrainer;
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
  farewell = new ConnectionDrainer(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

/** A client with a keep-alive connection. */
function client() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { port } = server.address() as AddressInfo;
  return (path: string) =>
    new Promise<{ connection: string | undefined; text: string }>((resolve, reject) => {
      get({ agent, port, path }, (response) => {
        let text = '';
        response.on('data', (chunk) => (text += chunk));
        response.on('end', () => resolve({ connection: response.headers.connection, text }));
      }).on('error', reject);
    });
}

const close = () =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    farewell.whenIdle(() => server.closeIdleConnections());
  });

it('a client with a busy keep-alive connection is told to close it by a response', async () => {
  const ask = client();
  expect((await ask('/busy')).connection).toBe('keep-alive');
  farewell.begin();
  expect(await ask('/busy')).toEqual({ connection: 'close', text: 'done' });
  await close();
});

it.each([
  ['/later', 'close', 'done'],
  ['/streamed', 'keep-alive', 'begun done'],
])('a response in progress is completed before its connection is closed (%s)', async (path, connection, text) => {
  const came = new Promise<string>((resolve) => (arrived = resolve));
  const answer = client()(path);
  await came;
  farewell.begin();
  const closed = close();
  held.get(path)!.end('done');
  expect(await answer).toEqual({ connection, text });
  await closed;
});
