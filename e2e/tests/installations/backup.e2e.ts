import { execFile, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../deploy/engines/ready.mjs';
import { eventually, makeApi } from '../../support/api.mjs';
import { everything } from '../../support/installations/dump.mjs';
import { removeEngines } from '../../support/installations/engines.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, operationsOf, parlance, parlanceOn, startSystem, system } from '../../support/system.mjs';
import { MARK } from '../../support/telemetry/leaks.mjs';
import { makeVictim, makeWorld, pixel } from '../../support/worlds.mjs';

const { api, dataDir } = system();
const root = process.env['PARLANCE_E2E_ROOT']!;
const folder = mkdtempSync(join(tmpdir(), 'parlance-e2e-backup-'));
const passphrase = join(folder, 'passphrase');
writeFileSync(passphrase, `${MARK} of a backup\n`);
const otherDir = mkdtempSync(join(tmpdir(), 'parlance-e2e-restored-'));
let other: { stop(): Promise<unknown> } | undefined;

afterAll(async () => {
  await other?.stop();
  if (existsSync(join(otherDir, 'engines.json'))) removeEngines(otherDir);
  for (const each of [folder, otherDir]) rmSync(each, { recursive: true, force: true });
});

const command = (ofDataDir: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(root, 'deploy/local/parlance.mjs'), ...args], {
    env: { ...process.env, PARLANCE_DATA_DIR: ofDataDir },
  });

type Api = ReturnType<typeof makeApi>;
interface Unit {
  id: number;
  target: string[];
  state: number;
  pending: boolean;
}

/**
 * Edits a string over and over, and repeats edits that are rejected. `heldInWindow`: the texts that the string had when an edit was rejected;
 * more than one where a replica rejects edits earlier or later than another one.
 */
function startEditing(id: number) {
  const acknowledged: string[] = [];
  const heldInWindow = new Set<string | undefined>();
  let rejected = 0;
  let stopped = false;
  const done = (async () => {
    for (let n = 0; !stopped; n++) {
      const text = `Edit ${n}`;
      for (;;) {
        const { status } = await api.send('PATCH', `/api/units/${id}/`, { target: [text], state: 20 });
        if (status === 200) break;
        expect(status).toBe(503);
        rejected++;
        heldInWindow.add(acknowledged.at(-1));
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      acknowledged.push(text);
      // Leaves processor time to the copy: edits without a break would use all of a small machine.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    id,
    acknowledged,
    async stop() {
      stopped = true;
      await done;
      return { rejected, heldInWindow: [...heldInWindow], last: acknowledged.at(-1)! };
    },
  };
}

describe('a backup of a system in use', () => {
  const target = join(folder, 'backup');
  let world: Awaited<ReturnType<typeof makeWorld>>;
  let busy: Awaited<ReturnType<typeof importExample>>;
  let expected: Awaited<ReturnType<typeof everything>>;
  let edits: { id: number; heldInWindow: (string | undefined)[]; last: string; rejected: number }[];

  beforeAll(async () => {
    world = await makeWorld(api, 0, await makeVictim(api));
    // The comparison is made by a user who does not see the project that is edited during the backup.
    const administration = (await api.all('/api/groups/?page_size=1000')).find(
      (group) => group.defining_project === world.projectUrl && group.id !== world.teamId,
    );
    await api.post(`/api/users/${world.victim.username}/groups/`, { group_id: administration.id });
    // One edit is committed and not pushed, another one is pending.
    const path = `/api/translations/${world.project}/example/cs/units/`;
    const [first, second] = (await api.all(path)) as Unit[];
    const componentPath = `/api/components/${world.project}/example`;
    await api.patch(`/api/units/${first!.id}/`, { target: ['Committed'], state: 20 });
    await api.post(`${componentPath}/repository/`, { operation: 'commit' });
    await api.patch(`/api/units/${second!.id}/`, {
      target: second!.target.map(() => 'Pending'),
      state: 20,
    });
    expect(await api.get(`${componentPath}/repository/`)).toMatchObject({ needs_commit: true, needs_push: true });

    busy = await importExample(api, makeRemote());
    await api.patch(`/api/projects/${busy.project}/`, { access_control: 100, contribute_shared_tm: false });
    const units = (await api.all(`${busy.path}/units/`)).filter((unit: Unit) => unit.target.length === 1) as Unit[];
    const editors = units.slice(0, 3).map(({ id }) => startEditing(id));
    const { stdout } = await command(dataDir, 'backup', 'create', target, '--passphrase-file', passphrase, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ encrypted: true });
    const last = editors.map(({ acknowledged }) => acknowledged.length);
    // Edits go on after the read-only time.
    await eventually(
      async () => editors.every(({ acknowledged }, i) => acknowledged.length > last[i]! + 3),
      (went: boolean) => went,
    );
    edits = await Promise.all(editors.map(async (editor) => ({ id: editor.id, ...(await editor.stop()) })));
    expected = await everything(api, world.victim.client, world);
  }, 600_000);

  it('edits are rejected in the read-only time only, and succeed after it', async () => {
    for (const { id, rejected, last } of edits) {
      expect(rejected).toBeGreaterThan(0);
      expect((await api.get(`/api/units/${id}/`)).target).toEqual([last]);
    }
    expect(JSON.parse(parlance('maintenance', 'status', '--json'))).toMatchObject({ on: false });
  });

  it('the folder contains only the backup, which verifies with its passphrase only', async () => {
    expect(readdirSync(folder).sort()).toEqual(['backup', 'passphrase']);
    await command(dataDir, 'backup', 'verify', target, '--passphrase-file', passphrase);
    await expect(command(dataDir, 'backup', 'verify', target)).rejects.toThrow('--passphrase-file');
    const wrong = join(otherDir, 'wrong');
    writeFileSync(wrong, 'another\n');
    await expect(command(dataDir, 'backup', 'verify', target, '--passphrase-file', wrong)).rejects.toThrow(
      'The passphrase is wrong',
    );
  });

  it('a folder that is not empty, a second backup at once and a restore into a system in use are rejected', async () => {
    await expect(command(dataDir, 'backup', 'create', target)).rejects.toThrow('is not empty');
    await expect(command(dataDir, 'backup', 'restore', target, '--passphrase-file', passphrase)).rejects.toThrow(
      'catalog is not empty: projects',
    );
    const started = [1, 2].map((n) => command(dataDir, 'backup', 'create', join(folder, `at-once-${n}`)));
    const results = await Promise.allSettled(started);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(String(results.find((result) => result.status === 'rejected')!.reason)).toContain(
      'Another backup or restore is in progress.',
    );
  });

  it('Ctrl-C in the read-only time accepts writes again and leaves no file', async () => {
    const stopped = join(folder, 'stopped');
    const child = spawn(process.execPath, [join(root, 'services/identity/dist/cli.js'), 'backup', 'create', stopped], {
      env: { ...process.env, ...environmentOf(dataDir) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let printed = '';
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await new Promise<void>((resolve) => {
      child.stderr.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed.includes('The installation is read-only.')) resolve();
      });
    });
    child.kill('SIGINT');
    expect(await ended).toBe(1);
    expect(printed).toContain('Stopped.');
    expect(JSON.parse(parlance('maintenance', 'status', '--json'))).toMatchObject({ on: false });
    expect(readdirSync(folder).filter((name) => name.includes('stopped'))).toEqual([]);
  });

  describe('restored into an empty system', () => {
    let restored: Api;

    beforeAll(async () => {
      copyFileSync(join(dataDir, 'secrets.json'), join(otherDir, 'secrets.json'));
      const port = await freePort();
      const env = { PARLANCE_RATE_LIMIT_AUTHENTICATED: '1000000/hour' };
      other = await startSystem({ dataDir: otherDir, port, env });
      const { stdout } = await command(otherDir, 'backup', 'restore', target, '--passphrase-file', passphrase);
      expect(stdout).toContain('Restart all processes now.');
      restored = makeApi(`http://localhost:${port}`, api.token);
      await other.stop();
      other = await startSystem({ dataDir: otherDir, port, env });
    }, 300_000);

    it('a restored system has the same objects, strings, histories, statistics, files and images', async () => {
      const found = await everything(restored, makeApi(restored.base, world.victim.client.token), world);
      expect(Object.keys(found).length).toBeGreaterThan(80);
      expect(found).toEqual(expected);
      expect(Buffer.from(found['image'] as string, 'base64')).toEqual(pixel);
    });

    it('a restored system has every edit that was acknowledged before the read-only time, and counts its strings', async () => {
      const isSingle = operationsOf('gateway').length === 1;
      for (const { id, heldInWindow } of edits) {
        if (isSingle) expect(heldInWindow).toHaveLength(1);
        expect(heldInWindow).toContain((await restored.get(`/api/units/${id}/`)).target[0]);
      }
      const units = (await restored.all(`${busy.path}/units/`)) as Unit[];
      expect(await restored.get(`${busy.path}/statistics/`)).toMatchObject({
        total: units.length,
        translated: units.filter(({ state }) => state >= 20).length,
        fuzzy: units.filter(({ state }) => state === 10).length,
      });
    });

    it('a restored system is read-only until the operator ends it; then edits, commits and pushes continue', async () => {
      const [, , third] = (await restored.all(`/api/translations/${world.project}/example/cs/units/`)) as Unit[];
      const edit = { target: third!.target.map(() => 'After the restore'), state: 20 };
      expect((await restored.send('PATCH', `/api/units/${third!.id}/`, edit)).status).toBe(503);
      parlanceOn(otherDir, 'maintenance', 'off');
      await eventually(
        () => restored.send('PATCH', `/api/units/${third!.id}/`, edit),
        ({ status }: { status: number }) => status === 200,
      );
      const componentPath = `/api/components/${world.project}/example`;
      await restored.post(`${componentPath}/repository/`, { operation: 'commit' });
      expect(await restored.post(`${componentPath}/repository/`, { operation: 'push' })).toMatchObject({
        result: true,
      });
      const file = world.repository.remoteFile('po/cs.po').toString();
      for (const text of ['Committed', 'Pending', 'After the restore']) expect(file).toContain(text);
      expect((await restored.get(`${componentPath}/repository/`)).needs_push).toBe(false);
    });

    it('new objects of a restored system get new ids, and statistics follow', async () => {
      const newest = Math.max(...(await restored.all('/api/changes/?page_size=1000')).map(({ id }) => id));
      const before = await restored.get(`${busy.path}/statistics/`);
      await restored.patch(`/api/units/${edits[0]!.id}/`, { target: ['New'], state: 10 });
      expect(await restored.get(`${busy.path}/statistics/`)).toMatchObject({ fuzzy: before.fuzzy + 1 });
      const [change] = (await restored.get(`${busy.path}/changes/`)).results;
      expect(change.id).toBeGreaterThan(newest);
    });

    it('a second restore is rejected', async () => {
      await expect(command(otherDir, 'backup', 'restore', target, '--passphrase-file', passphrase)).rejects.toThrow(
        'is not empty',
      );
    });
  });
});

/** The environment of the operator's command, as `npm run parlance` sets it. */
function environmentOf(ofDataDir: string): Record<string, string> {
  const { grpc, natsUrl } = JSON.parse(readFileSync(join(ofDataDir, 'run.json'), 'utf8'));
  const { service } = JSON.parse(readFileSync(join(ofDataDir, 'secrets.json'), 'utf8'));
  const addresses = Object.entries<string>(grpc).map(([name, address]) => [
    `${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`,
    address,
  ]);
  return { ...Object.fromEntries(addresses), PARLANCE_SERVICE_SECRET: service, NATS_URL: natsUrl };
}
