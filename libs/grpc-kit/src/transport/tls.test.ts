import { serviceCaller, signCaller } from '@parlance/access';
import { loadService } from '@parlance/contracts';
import { logger } from '@parlance/telemetry';
import { TestAuthority, type CertificateFiles } from '@parlance/testing';
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '../client/client';
import { serve, type RunningServer } from '../server';
import { Tls } from './tls';
import type { Client, Implementation } from '../types';

const serviceSecret = 'x'.repeat(32);
const authority = new TestAuthority();
const another = new TestAuthority();
const own = authority.issue('own');
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  jest.restoreAllMocks();
});
afterAll(() => [authority, another].forEach((each) => each.remove()));

function open(files: CertificateFiles): Tls {
  const tls = new Tls(files);
  closing.push(() => tls.close());
  return tls;
}

async function start(tls: Tls | undefined, maxConnectionAgeMs?: number): Promise<RunningServer> {
  const names = Object.keys(loadService('statistics').client.service);
  const methods = names.map((name) => [name[0]!.toLowerCase() + name.slice(1), async () => ({})]);
  const server = await serve({
    name: 'statistics',
    listen: '127.0.0.1:0',
    serviceSecret,
    tls,
    implementation: Object.fromEntries(methods) as Implementation<'statistics'>,
    ...(maxConnectionAgeMs ? { maxConnectionAgeMs } : {}),
  });
  closing.push(() => server.drain(15_000));
  return server;
}

function connect(address: string, tls: Tls | undefined): Client<'statistics'> {
  const client = createClient('statistics', address, tls);
  closing.push(() => client.close());
  return client;
}

const as = signCaller(serviceCaller('test'), serviceSecret, 600_000);
const call = (client: Client<'statistics'>) => client.getMetrics({}, { as, timeoutMs: 10_000 });

/** Resolves with the first logged reason. */
function firstWarning(): Promise<{ reason: string; message: string }> {
  return new Promise((resolve) => {
    jest.spyOn(logger, 'warn').mockImplementation(((data: { reason: string }, message: string) => {
      if (message.startsWith('tls: ')) resolve({ reason: data.reason, message });
    }) as typeof logger.warn);
  });
}

describe('mutual TLS', () => {
  it('a call succeeds between processes with certificates of one authority', async () => {
    const { port } = await start(open(own));
    await expect(call(connect(`127.0.0.1:${port}`, open(authority.issue('client'))))).resolves.toBeDefined();
    await expect(call(connect(`localhost:${port}`, open(own)))).resolves.toBeDefined();
  });

  it('a list of addresses is checked by the address of each server', async () => {
    const servers = [await start(open(own)), await start(open(own))];
    const address = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
    await expect(call(connect(address, open(own)))).resolves.toBeDefined();
  });

  it.each([
    ['without TLS', () => undefined, 'it does not use TLS'],
    [
      'with a certificate of another authority',
      () => ({ ...another.issue('stranger'), caFile: authority.caFile }),
      'it has no certificate|is not signed by an authority',
    ],
    ['with an expired certificate', () => authority.issue('expired', { days: -1 }), 'its certificate has expired'],
  ])('a server rejects a client %s and logs the reason', async (_, files, reason) => {
    const { port } = await start(open(own));
    const warning = firstWarning();
    const given = files();
    const client = connect(`127.0.0.1:${port}`, given && open(given));
    expect(await client.connected()).toBe(false);
    expect((await warning).message).toMatch(new RegExp(`^tls: client rejected: .*(${reason})`));
  });

  it.each([
    ['without TLS', () => undefined, '127.0.0.1', 'it does not use TLS'],
    [
      'with a certificate of another authority',
      () => ({ ...another.issue('stranger'), caFile: authority.caFile }),
      '127.0.0.1',
      'its certificate is not signed by an authority',
    ],
    ['with an expired certificate', () => authority.issue('old', { days: -1 }), '127.0.0.1', 'has expired'],
    ['with the name of another host', () => authority.issue('wrong', { hosts: ['DNS:catalog'] }), 'localhost', 'name'],
    ['with another address', () => authority.issue('wrong', { hosts: ['IP:10.0.0.1'] }), '127.0.0.1', 'name'],
  ])('a client rejects a server %s and logs the reason', async (_, files, host, reason) => {
    const given = files();
    const { port } = await start(given && open(given));
    const warning = firstWarning();
    const client = connect(`${host}:${port}`, open(own));
    expect(await client.connected()).toBe(false);
    expect((await warning).message).toMatch(new RegExp(`^tls: connection failed: .*${reason}`));
  });

  it('a server rejects a client without a certificate and logs the reason', async () => {
    const { port } = await start(open(own));
    const warning = firstWarning();
    const { connect: dial } = await import('node:tls');
    const socket = dial({ port, host: '127.0.0.1', ca: readFileSync(own.caFile), ALPNProtocols: ['h2'] });
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('close', resolve));
    expect((await warning).message).toBe('tls: client rejected: it has no certificate');
  });

  it('no call fails while the certificates and their authority are replaced', async () => {
    const files = authority.issue('rotated');
    const copy = { ...files, caFile: join(authority.folder, 'trusted.crt') };
    copyFileSync(authority.caFile, copy.caFile);
    // Connections end quickly, so that the next ones use the replaced files.
    const [serverTls, clientTls] = [open(copy), open(copy)];
    const { port } = await start(serverTls, 100);
    const client = connect(`127.0.0.1:${port}`, clientTls);
    const outsider = connect(`127.0.0.1:${port}`, open(another.issue('outsider')));
    const reload = () => [serverTls, clientTls].forEach((tls) => tls.reload());
    let stopped = false;
    let calls = 0;
    closing.push(() => (stopped = true));
    const calling = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!stopped) {
          await call(client);
          calls++;
        }
      }),
    );
    const someCalls = async () => {
      const until = calls + 200;
      while (calls < until) await call(client);
    };
    await someCalls();
    expect(await outsider.connected()).toBe(false);
    // First both authorities are trusted, then the certificate is replaced, then only the new authority is trusted.
    appendFileSync(copy.caFile, readFileSync(another.caFile));
    reload();
    await someCalls();
    const renewed = another.issue('renewed');
    writeFileSync(copy.certFile, readFileSync(renewed.certFile));
    // The key does not belong to the certificate yet.
    reload();
    await someCalls();
    writeFileSync(copy.keyFile, readFileSync(renewed.keyFile));
    reload();
    await someCalls();
    copyFileSync(another.caFile, copy.caFile);
    reload();
    await someCalls();
    stopped = true;
    await calling;
    await expect(call(connect(`127.0.0.1:${port}`, open(another.issue('newcomer'))))).resolves.toBeDefined();
    expect(await connect(`127.0.0.1:${port}`, open(own)).connected()).toBe(false);
  });

  it('files that are not usable end the start with the name of the file', () => {
    const missing = join(authority.folder, 'missing.crt');
    expect(() => new Tls({ ...own, certFile: missing })).toThrow(`TLS: ${missing} cannot be read`);
    expect(() => new Tls({ ...own, keyFile: authority.issue('other').keyFile })).toThrow(
      `other.key is not the key of ${own.certFile}`,
    );
    expect(() => new Tls({ ...own, caFile: own.keyFile })).toThrow(`${own.keyFile} is not a PEM certificate`);
  });
});
