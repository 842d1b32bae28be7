import { Agent, createServer, get, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionDrainer } from './connection-drainer';

let server: Server;
let farewell: ConnectionDrainer;
let port: number;
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
  ({ port } = server.address() as AddressInfo);
});

/** A client with a keep-alive connection. */
function client() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return (path: string) =>
    new Promise<{ connection: string | undefined; text: string }>((resolve, reject) => {
      get({ agent, port, path }, (response) => {
        let text = '';
        response.on('data', (chunk) => (text += chunk));
        response.on('end', () => resolve({ connection: response.headers.connection, text }));
      }).on('error', reject);
    });
}

it('a client with a busy keep-alive connection is told to close it by a response', async () => {
  const ask = client();
  expect((await ask('/busy')).connection).toBe('keep-alive');
  farewell.begin();
  expect(await ask('/busy')).toEqual({ connection: 'close', text: 'done' });
  await farewell.close(0);
});

it.each([
  ['/later', 'close', 'done'],
  ['/streamed', 'keep-alive', 'begun done'],
])('a response in progress is completed before its connection is closed (%s)', async (path, connection, text) => {
  const came = new Promise<string>((resolve) => (arrived = resolve));
  const answer = client()(path);
  await came;
  farewell.begin();
  const closed = farewell.close(0);
  held.get(path)!.end('done');
  expect(await answer).toEqual({ connection, text });
  await closed;
});

it('clients have time for the request that ends their connection, and no new connection is accepted', async () => {
  const ask = client();
  await ask('/busy');
  farewell.begin();
  const closed = farewell.close(60_000);
  await expect(client()('/busy')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  // The idle connection is still open: its next request is answered.
  expect(await ask('/busy')).toEqual({ connection: 'close', text: 'done' });
  await closed;
});

it('a client that sends nothing is waited for up to a limit', async () => {
  await client()('/busy');
  farewell.begin();
  await farewell.close(50);
});
