// The main flow of a system whose processes and engines speak mutual TLS only.
import { TestAuthority } from '@parlance/testing';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { freePort } from '../../../deploy/engines/ready.mjs';
import { eventually, makeApi } from '../../support/api.mjs';
import { engines, removeEngines } from '../../support/installations/engines.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { repeating } from '../../support/installations/repeating.mjs';
import { importExample, startSystem } from '../../support/system.mjs';
import { startTlsRelays } from '../../support/installations/tls-relays.mjs';
import { pixel } from '../../support/worlds.mjs';

const root = process.env['PARLANCE_E2E_ROOT']!;
const dataDir = mkdtempSync(join(tmpdir(), 'parlance-e2e-tls-'));
const enginesDir = mkdtempSync(join(tmpdir(), 'parlance-e2e-tls-engines-'));
const authority = new TestAuthority();
const files = authority.issue('processes');
const settings = (prefix: string, { certFile, keyFile, caFile }: typeof files) => ({
  [`${prefix}_CERT_FILE`]: certFile,
  [`${prefix}_KEY_FILE`]: keyFile,
  [`${prefix}_CA_FILE`]: caFile,
});
const tlsEnv = settings('PARLANCE_TLS', files);
/** Engines have an authority of their own, which signs the client certificates of processes, too. */
const engineAuthority = new TestAuthority();
const engineFiles = engineAuthority.issue('client');
const engineTlsEnv = settings('PARLANCE_ENGINES_TLS', engineFiles);
let relays: Awaited<ReturnType<typeof startTlsRelays>>;
let system: Awaited<ReturnType<typeof startSystem>>;
let api: ReturnType<typeof makeApi>;

beforeAll(async () => {
  relays = await startTlsRelays(engines('up', enginesDir), engineAuthority.issue('engines'));
  const port = await freePort();
  system = await startSystem({
    dataDir,
    port,
    env: {
      ...relays.environment,
      ...tlsEnv,
      ...engineTlsEnv,
      PARLANCE_RATE_LIMIT_AUTHENTICATED: '1000000/hour',
    },
  });
  api = makeApi(`http://localhost:${port}`, readFileSync(join(dataDir, 'admin-token'), 'utf8').trim());
}, 300_000);

afterAll(async () => {
  await system?.stop();
  await relays?.stop();
  removeEngines(enginesDir);
  authority.remove();
  engineAuthority.remove();
});

const command = (env: Record<string, string>, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(root, 'deploy/local/parlance.mjs'), ...args], {
    env: { ...process.env, PARLANCE_DATA_DIR: dataDir, ...env },
  });

const run = () => JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'));
const logOf = (name: string) => readFileSync(join(dataDir, 'log', `${name}.log`), 'utf8');

describe('a system with mutual TLS between processes and to its engines', () => {
  it('a system with TLS imports a repository, pushes an edit and stores an image, and reaches all engines over TLS', async () => {
    const remote = makeRemote();
    const { path, componentPath } = await importExample(api, remote);
    const [unit] = (await api.get(`${path}/units/?q=state:empty`)).results;
    const before = await api.get(`${path}/statistics/`);
    await api.patch(`/api/units/${unit.id}/`, { target: ['Na shledanou'], state: 20 });
    expect((await api.get(`${path}/statistics/`)).translated).toBe(before.translated + 1);
    expect(await api.post(`${componentPath}/repository/`, { operation: 'push' })).toMatchObject({ result: true });
    expect(remote.remoteFile('po/cs.po').toString()).toContain('msgstr "Na shledanou"');
    const form = new FormData();
    for (const [name, value] of Object.entries({ name: 'Pixel', ...nameOf(path) })) form.set(name, value);
    form.set('image', new Blob([pixel], { type: 'image/png' }), 'pixel.png');
    const screenshot = await api.post('/api/screenshots/', form);
    expect(await api.bytes(`/api/screenshots/${screenshot.id}/file/`)).toEqual(pixel);
    for (const name of ['MONGODB_URI', 'NATS_URL', 'REDIS_URL', 'S3_ENDPOINT'])
      expect(relays.counts[name]).toBeGreaterThan(0);
  });

  it('the operator uses the certificate as well, and is rejected without one', async () => {
    expect((await command(tlsEnv, 'user', 'list')).stdout).toContain('admin');
    await expect(command({}, 'user', 'list')).rejects.toThrow();
    expect(logOf('identity')).toContain('tls: client rejected: it does not use TLS');
  });

  it('no gRPC port answers in plaintext', async () => {
    for (const address of Object.values<string>(run().grpc)) {
      const [host, port] = address.split(':') as [string, string];
      const answer = await new Promise<Buffer>((resolve, reject) => {
        const socket = connect({ host, port: Number(port) });
        const chunks: Buffer[] = [];
        socket.on('data', (chunk) => chunks.push(chunk)).on('close', () => resolve(Buffer.concat(chunks)));
        socket.on('error', reject);
        socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
        socket.end();
      });
      // Nothing, or a TLS alert.
      expect([undefined, 21]).toContain(answer[0]);
    }
  });

  it('no edit fails while the certificates of all processes, for calls and for engines, are replaced', async () => {
    const { path } = await importExample(api, makeRemote());
    const [{ id }] = (await api.get(`${path}/units/?q=state:empty`)).results;
    let edits = 0;
    const work = repeating([() => api.patch(`/api/units/${id}/`, { target: [`Text ${++edits}`], state: 20 })]);
    const previous = authority.issue('previous');
    copyFileSync(files.certFile, previous.certFile);
    authority.issue('processes');
    engineAuthority.issue('client');
    const names = Object.keys(run().processes);
    const hasLogged = (line: string) => names.every((name) => logOf(name).includes(line));
    await eventually(
      async () => hasLogged('tls: certificate files changed') && hasLogged('engines: certificate files changed'),
      (all: boolean) => all,
    );
    const before = edits;
    await eventually(
      async () => edits,
      (count: number) => count > before + 20,
    );
    await work.stop();
    expect((await api.get(`/api/units/${id}/`)).target).toEqual([`Text ${edits}`]);
  });
});

/** Project, component and language of a translation's address. */
function nameOf(path: string): Record<string, string> {
  const [project_slug, component_slug, language_code] = path.split('/').slice(3) as [string, string, string];
  return { project_slug, component_slug, language_code };
}
