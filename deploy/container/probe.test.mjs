import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const stopped = { ready: false, parts: { nats: 'down' }, problems: { nats: 'no answer within 2 s' } };
const degraded = { ready: true, optional: ['redis'], problems: { redis: 'Redis is unavailable' } };
const starting = (problems) => ({ ready: false, problems: { ...problems, starting: 'the process is starting' } });

/** Port of a listening server. @param {import('node:http').Server} server */
const portOf = (server) => /** @type {import('node:net').AddressInfo} */ (server.address()).port;

describe('the probes of a container', () => {
  let work;
  beforeEach(() => {
    work = mkdtempSync(join(tmpdir(), 'parlance-probe-'));
    const script = readFileSync(join(__dirname, 'parlance-process'), 'utf8');
    writeFileSync(join(work, 'process'), script.replace(/^scripts=.*$/m, `scripts=${__dirname}`));
  });
  afterEach(() => rmSync(work, { recursive: true, force: true }));

  /** Exit status and output of a probe that asks a port. */
  const probe = (name, port) =>
    new Promise((resolve) => {
      const env = { ...process.env, OPERATIONS_LISTEN: `0.0.0.0:${port}` };
      execFile('sh', [join(work, 'process'), name], { env }, (error, output) =>
        resolve([error ? error.code : 0, output.trim()]),
      );
    });

  it.each([
    ['started', 200, { ready: true }, 0, ''],
    ['ready', 200, { ready: true }, 0, ''],
    ['started', 200, degraded, 0, ''],
    ['ready', 200, degraded, 0, ''],
    ['started', 503, stopped, 0, ''],
    ['ready', 503, stopped, 1, JSON.stringify(stopped)],
    ['started', 503, starting({}), 1, 'Waiting to start: the process is starting'],
    [
      'started',
      503,
      starting({ mongodb: 'MongoDB is unavailable', nats: 'NATS rejects the credentials' }),
      1,
      'Waiting to start: MongoDB is unavailable, NATS rejects the credentials',
    ],
  ])('%s at an answer with status %s and the body %j exits with %s', async (name, status, body, code, output) => {
    const server = createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    expect(await probe(name, portOf(server))).toEqual([code, output]);
    server.close();
  });

  it('the probes of a container fail when no process listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = portOf(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await probe('ready', port)).toEqual([1, `Nothing listens on port ${port} yet`]);
  });
});
