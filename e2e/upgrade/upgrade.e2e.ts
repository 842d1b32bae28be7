// Upgrades from an earlier version: of a stopped installation, and of a running one whose replicas are replaced one after the other.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OLDEST_VERSION } from '../../deploy/oldest-version.mjs';
import { exchangeByFetch, makeApi } from '../support/api.mjs';
import { everything } from '../support/installations/dump.mjs';
import { makeRemote } from '../support/remotes.mjs';
import { RollingSystem } from '../support/installations/rolling.mjs';
import { importExample } from '../support/system.mjs';
import { buildOf } from '../support/installations/versions.mjs';
import { makeVictim, makeWorld } from '../support/worlds.mjs';
import { expectAllEdits, startWork } from './steady-work';

const FROM = process.env['PARLANCE_UPGRADE_FROM'] || OLDEST_VERSION;
const root = process.env['PARLANCE_E2E_ROOT']!;
const dataDir = mkdtempSync(join(tmpdir(), 'parlance-e2e-upgrade-'));

interface Unit {
  id: number;
  target: string[];
}

let former: string;
let system: RollingSystem;
let api: ReturnType<typeof makeApi>;
let world: Awaited<ReturnType<typeof makeWorld>>;
let expected: Awaited<ReturnType<typeof everything>>;

beforeAll(async () => {
  former = await buildOf(FROM);
  system = new RollingSystem({
    dataDir,
    root: former,
    secrets: { service: randomBytes(32).toString('base64url'), encryption: randomBytes(32).toString('base64') },
    env: { PARLANCE_RATE_LIMIT_AUTHENTICATED: '1000000/hour' },
  });
  await system.start();
  api = makeApi(system.url, await system.parlance('user', 'create', 'admin', '--superuser', '--token'));
  const command = (...args: string[]) => system.parlance(...args);
  const victim = await makeVictim(api, { command, exchange: exchangeByFetch });
  world = await makeWorld(api, 0, victim, { fonts: false });
  const administration = (await api.all('/api/groups/?page_size=1000')).find(
    (group) => group.defining_project === world.projectUrl && group.id !== world.teamId,
  );
  await api.post(`/api/users/${world.victim.username}/groups/`, { group_id: administration.id });
  // One edit is committed and not pushed, another one is pending.
  const [first, second] = (await api.all(`/api/translations/${world.project}/example/cs/units/`)) as Unit[];
  await api.patch(`/api/units/${first!.id}/`, { target: ['Committed'], state: 20 });
  await api.post(`/api/components/${world.project}/example/repository/`, { operation: 'commit' });
  await api.patch(`/api/units/${second!.id}/`, { target: second!.target.map(() => 'Pending'), state: 20 });
  expected = await everything(api, world.victim.client, world);
}, 900_000);

afterAll(() => system.remove(), 120_000);

/** Values of `before` that differ in `after`. Fields that a version adds are no difference. */
function lost(before: unknown, after: unknown, path = ''): string[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) return [`${path}: ${before.length} items, now ${after.length}`];
    return before.flatMap((value, i) => lost(value, after[i], `${path}[${i}]`));
  }
  if (typeof before === 'object' && before !== null && typeof after === 'object' && after !== null)
    return Object.entries(before).flatMap(([name, value]) =>
      lost(value, (after as Record<string, unknown>)[name], `${path}.${name}`),
    );
  return before === after ? [] : [`${path}: ${JSON.stringify(before)}, now ${JSON.stringify(after)}`];
}

describe(`an installation of ${FROM}`, () => {
  it('a stopped and upgraded installation has the same objects, strings, histories, statistics, files and images', async () => {
    await system.stop();
    await system.restart({ root });
    const found = await everything(api, world.victim.client, world);
    expect(Object.keys(expected).length).toBeGreaterThan(80);
    expect(lost(expected, found)).toEqual([]);
    // What was in progress is completed.
    const componentPath = `/api/components/${world.project}/example`;
    expect(await api.post(`${componentPath}/repository/`, { operation: 'push' })).toMatchObject({ result: true });
    const file = world.repository.remoteFile('po/cs.po').toString();
    for (const text of ['Committed', 'Pending']) expect(file).toContain(text);
    const versions = readFileSync(join(dataDir, 'log', 'catalog.log'), 'utf8');
    expect(versions).not.toContain('"level":"error"');
  }, 300_000);

  it('no request fails and no edit is lost while both versions run together, in both directions', async () => {
    await system.stop();
    await system.restart({ root: former });
    const remote = makeRemote();
    const { path, componentPath } = await importExample(api, remote);
    const work = await startWork({ api, project: world.project, path, componentPath });
    await work.more();
    // Upgrade; both versions work for a while; the new version alone; one replica back to the old version, as a rollback begins.
    for (const [replica, to] of [
      [1, root],
      [2, root],
      [1, former],
      [1, root],
    ] as const) {
      await system.replaceReplicas(replica, { root: to });
      await work.more();
    }
    await work.stop();
    expect(work.failures).toEqual([]);
    await expectAllEdits(work, remote);
  }, 600_000);
});
