// Backups to S3, and backups that fail: with a clear error, without incomplete files, and with an installation that accepts writes again.
import { S3ObjectStore } from '@parlance/object-store';
import { TcpRelay } from '@parlance/testing';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engines } from '../../support/installations/engines.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, parlance, running, system } from '../../support/system.mjs';
import { MARK } from '../../support/telemetry/leaks.mjs';

const { api, dataDir } = system();
const root = process.env['PARLANCE_E2E_ROOT']!;
const folder = mkdtempSync(join(tmpdir(), 'parlance-e2e-targets-'));
const passphrase = join(folder, 'passphrase');
writeFileSync(passphrase, `${MARK} of a backup\n`);

let relay: TcpRelay;
let store: S3ObjectStore;
let env: Record<string, string>;
let unit: { id: number };

beforeAll(async () => {
  const { S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY } = engines('up', dataDir) as Record<string, string>;
  relay = await TcpRelay.start(S3_ENDPOINT!);
  const keys = { accessKey: S3_ACCESS_KEY!, secretKey: S3_SECRET_KEY!, region: 'us-east-1' };
  store = new S3ObjectStore({ ...keys, endpoint: S3_ENDPOINT!, bucket: 'backups' });
  await store.ensureBucket();
  env = {
    BACKUP_S3_ENDPOINT: `http://127.0.0.1:${relay.port}`,
    BACKUP_S3_ACCESS_KEY: keys.accessKey,
    BACKUP_S3_SECRET_KEY: keys.secretKey,
  };
  const { path } = await importExample(api, makeRemote());
  [unit] = (await api.get(`${path}/units/?q=state:empty`)).results;
});

afterAll(async () => {
  await relay?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Runs the operator's command.
 * @param onLine called with everything that was printed so far
 */
async function run(args: string[], onLine: (printed: string) => void = () => undefined, before: string[] = []) {
  const [program, ...rest] = [...before, process.execPath, join(root, 'deploy/local/parlance.mjs'), ...args];
  const child = spawn(program!, rest, { env: { ...process.env, ...env, PARLANCE_DATA_DIR: dataDir } });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      onLine(printed);
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  expect(printed).not.toContain(MARK);
  return { code, printed };
}

const keys = async (prefix: string): Promise<string[]> => {
  const found: string[] = [];
  for await (const { key } of store.list(prefix)) found.push(key);
  return found;
};

async function expectWritable() {
  expect(JSON.parse(parlance('maintenance', 'status', '--json'))).toMatchObject({ on: false });
  await api.patch(`/api/units/${unit.id}/`, { target: [`Accepted ${Date.now()}`], state: 20 });
}

describe('a backup in S3', () => {
  const target = 's3://backups/daily/one';

  it('a backup in S3 is complete, verifies with its passphrase, and is not replaced by another one', async () => {
    const made = await run(['backup', 'create', target, '--passphrase-file', passphrase]);
    expect(made).toMatchObject({ code: 0 });
    expect(await keys('daily/one/')).toContain('daily/one/manifest.json');
    expect(await run(['backup', 'verify', target, '--passphrase-file', passphrase])).toMatchObject({ code: 0 });
    expect((await run(['backup', 'verify', target])).printed).toContain('--passphrase-file');
    expect((await run(['backup', 'create', target])).printed).toContain('is not empty');
    const refused = await run(['backup', 'restore', target, '--passphrase-file', passphrase]);
    expect(refused.printed).toContain('catalog is not empty: projects');
  });

  it('a backup in S3 has the files of a backup in a folder', async () => {
    const copy = join(folder, 'copy');
    for (const key of await keys('daily/one/')) {
      const path = join(copy, key.replace('daily/one/', ''));
      const { mkdirSync } = await import('node:fs');
      mkdirSync(join(path, '..'), { recursive: true });
      const parts: Buffer[] = [];
      for await (const part of await store.get(key)) parts.push(part as Buffer);
      writeFileSync(path, Buffer.concat(parts));
    }
    expect(await run(['backup', 'verify', copy, '--passphrase-file', passphrase])).toMatchObject({ code: 0 });
  });

  it('a damaged file of a backup in S3 is found', async () => {
    const damaged = (await keys('daily/one/')).find((key) => key.includes('/units.'))!;
    await store.put(damaged, Buffer.from('damaged'), { contentType: 'application/octet-stream' });
    const { code, printed } = await run(['backup', 'verify', target, '--passphrase-file', passphrase]);
    expect(code).toBe(1);
    expect(printed).toContain(damaged.replace('daily/one/', ''));
  });

  it('a backup during which S3 fails ends with the reason, and is no backup', async () => {
    const away = 's3://backups/away/one';
    let stopping: Promise<void> | undefined;
    const { code, printed } = await run(['backup', 'create', away], (text) => {
      if (text.includes('The installation is read-only.')) stopping ??= relay.stop();
    });
    await stopping;
    expect(code).toBe(1);
    expect(printed).toContain(`delete ${away}`);
    await expectWritable();
    await relay.restart();
    expect(await keys('away/one/')).not.toContain('away/one/manifest.json');
    expect((await run(['backup', 'verify', away])).printed).toContain('it is not a backup, or not a complete one');
    expect((await run(['backup', 'create', away])).printed).toContain('is not empty');
  });
});

describe('a backup that fails', () => {
  it('a backup to a full disk names the disk and leaves no file', async () => {
    const disk = join(folder, 'disk');
    const mounted = `mkdir -p ${disk} && mount -t tmpfs -o size=40k tmpfs ${disk} && "$@"; code=$?; ls -A ${disk}; exit $code`;
    const { code, printed } = await run(['backup', 'create', join(disk, 'one')], undefined, [
      'unshare',
      '--map-root-user',
      '--mount',
      'sh',
      '-c',
      mounted,
      'sh',
    ]);
    expect(printed.trimEnd().split('\n').at(-1)).toBe(`The disk of ${join(disk, 'one')} is full.`);
    expect(code).toBe(1);
    await expectWritable();
  });

  it('a backup during which a service stops answering says so, leaves no file, and accepts writes again', async () => {
    const { pid } = { pid: running().processes.statistics as number };
    try {
      const { code, printed } = await run(['backup', 'create', join(folder, 'unanswered')], (text) => {
        if (text.includes('The installation is read-only.')) process.kill(pid, 'SIGSTOP');
      });
      expect(code).toBe(1);
      expect(printed).toContain('A service does not answer.');
      await expectWritable();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    expect(readdirSync(folder).filter((name) => name.includes('unanswered'))).toEqual([]);
    expect(readFileSync(passphrase, 'utf8')).not.toBe('');
  });
});
