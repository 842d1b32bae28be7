import { connect, createServer, type Http2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { fixPings } from './ping-fix';

beforeAll(() => fixPings());

/** Sends a ping as @grpc/grpc-js does; it destroys the session if the ping is refused. */
const isAlive = (session: Http2Session): Promise<boolean> =>
  new Promise((resolve) => {
    if (!session.ping((error) => resolve(!error))) resolve(false);
  });

describe('a connection that is being replaced', () => {
  it('a connection that is being replaced answers keepalive pings of both sides while its call runs', async () => {
    const server = createServer();
    const pings: boolean[] = [];
    server.on('stream', (stream) => {
      const { session } = stream;
      session!.goaway(0);
      session!.close();
      stream.respond({ ':status': 200 });
      stream.write('begun,');
      stream.once('data', () => {
        void isAlive(session!).then((alive) => {
          pings.push(alive);
          stream.end('ended');
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const call = client.request({ ':method': 'POST' }, { endStream: false });
    let answer = '';
    call.setEncoding('utf8').on('data', (text: string) => (answer += text));
    const ended = new Promise((resolve) => call.once('end', resolve));
    await new Promise((resolve) => client.once('goaway', resolve));
    expect(client.closed).toBe(true);
    pings.push(await isAlive(client));
    call.end('go on');
    await ended;
    expect(pings).toEqual([true, true]);
    expect(answer).toBe('begun,ended');
    await new Promise((resolve) => server.close(resolve));
  });

  it('a connection that is being replaced is dead once it is destroyed, and sends pings as long as it is open', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await new Promise((resolve) => client.once('connect', resolve));
    expect(await isAlive(client)).toBe(true);
    client.destroy();
    expect(() => client.ping(() => undefined)).toThrow('destroyed');
    await new Promise((resolve) => server.close(resolve));
  });
});
