import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { freePort } from '../engines/ready.mjs';

const text = async (stream) => {
  let all = '';
  for await (const chunk of stream.setEncoding('utf8')) all += chunk;
  return all;
};

/** A gateway that answers with its name and what it received. */
async function gateway(name) {
  const state = { ready: true, asked: 0 };
  const server = createServer(async (incoming, response) => {
    if (incoming.url === '/readyz') {
      state.asked++;
      return response.writeHead(state.ready ? 200 : 503).end();
    }
    const body = await text(incoming);
    response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] });
    response.end(JSON.stringify({ name, method: incoming.method, url: incoming.url, headers: incoming.headers, body }));
  });
  await new Promise((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, () => resolve(undefined)));
  return {
    address: `127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
    /** Resolves when the proxy has learned it. */
    async become(ready) {
      state.ready = ready;
      // The answer to one check has arrived when the next one begins.
      const end = state.asked + 2;
      while (state.asked < end) await once(server, 'request');
    },
  };
}

async function proxyTo(...gateways) {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname ?? __dirname, 'front-proxy.mjs')], {
    env: { ...process.env, FRONT_LISTEN: `127.0.0.1:${port}`, FRONT_GATEWAYS: gateways.join(',') },
    stdio: 'inherit',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const send = (
    method,
    path,
    { headers, body } = /** @type {{ headers?: Record<string, string>; body?: string }} */ ({}),
  ) =>
    new Promise((resolve, reject) => {
      const outgoing = request({ port, host: '127.0.0.1', method, path, headers, agent: false }, async (answer) =>
        resolve({ status: answer.statusCode, headers: answer.headers, body: await text(answer) }),
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  for (;;) {
    const up = await send('GET', '/').catch((error) => error.code);
    if (up !== 'ECONNREFUSED') break;
  }
  return {
    send,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

describe('the front proxy', () => {
  it('the front proxy spreads requests over the gateways and passes over one that does not accept connections', async () => {
    const [a, b] = [await gateway('a'), await gateway('b')];
    const proxy = await proxyTo(a.address, b.address);
    const names = async (count) => {
      const found = [];
      for (let i = 0; i < count; i++) found.push(JSON.parse((await proxy.send('GET', '/')).body).name);
      return found.sort().join('');
    };
    expect(await names(10)).toBe('aaaaabbbbb');
    await a.close();
    expect(await names(4)).toBe('bbbb');
    await b.close();
    expect(await proxy.send('GET', '/')).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(await proxy.stop()).toBe(0);
  });

  it('the front proxy sends requests to a gateway that is not ready only if no other one is ready', async () => {
    const [a, b] = [await gateway('a'), await gateway('b')];
    const proxy = await proxyTo(a.address, b.address);
    const name = async () => JSON.parse((await proxy.send('GET', '/')).body).name;
    await a.become(false);
    for (let i = 0; i < 4; i++) expect(await name()).toBe('b');
    await b.become(false);
    expect([await name(), await name()].sort()).toEqual(['a', 'b']);
    await a.become(true);
    for (let i = 0; i < 4; i++) expect(await name()).toBe('a');
    expect(await proxy.stop()).toBe(0);
    await Promise.all([a.close(), b.close()]);
  });

  it('the front proxy passes on method, path, headers and body, and names the client', async () => {
    const a = await gateway('a');
    const proxy = await proxyTo(a.address);
    const answer = await proxy.send('PATCH', '/api/units/1/?x=%252F', {
      headers: { host: 'parlance.example', 'x-forwarded-for': '203.0.113.7', 'content-type': 'text/plain' },
      body: 'two words',
    });
    expect(answer).toMatchObject({ status: 201, headers: { 'set-cookie': ['a=1', 'b=2'] } });
    expect((await proxy.send('GET', '/', { headers: { connection: 'keep-alive' } })).headers['keep-alive']).toBe(
      'timeout=65',
    );
    expect(JSON.parse(answer.body)).toMatchObject({
      method: 'PATCH',
      url: '/api/units/1/?x=%252F',
      body: 'two words',
      headers: { host: 'parlance.example', 'x-forwarded-for': '203.0.113.7, 127.0.0.1', 'content-type': 'text/plain' },
    });
    await proxy.stop();
    await a.close();
  });
});
