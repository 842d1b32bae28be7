// A migration while two versions run: the next version is this one with one more migration.
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseUri } from '../../deploy/engines/engines.mjs';
import { eventually, makeApi } from '../support/api.mjs';
import { withMongo } from '../support/installations/engines.mjs';
import { RollingSystem } from '../support/installations/rolling.mjs';
import { withMigration } from '../support/installations/versions.mjs';
import { makeRemote } from '../support/remotes.mjs';
import { importExample } from '../support/system.mjs';
import { expectAllEdits, startWork } from './steady-work';

const MIGRATION = 'unit-forms';
const root = process.env['PARLANCE_E2E_ROOT']!;
const dataDir = mkdtempSync(join(tmpdir(), 'parlance-e2e-migration-'));
const next = join(dataDir, 'next');

let system: RollingSystem;
let api: ReturnType<typeof makeApi>;

beforeAll(async () => {
  withMigration({
    root,
    folder: next,
    service: 'translation',
    migration: `{
      name: '${MIGRATION}',
      async batch(connection, limit) {
        const units = connection.db.collection('units');
        const old = { forms: { $exists: false } };
        const found = await units.find(old).limit(limit).toArray();
        for (const { _id, target } of found) await units.updateOne({ _id, ...old }, { $set: { forms: target.length } });
        return found.length;
      },
    }`,
  });
  system = new RollingSystem({
    dataDir,
    root,
    secrets: { service: randomBytes(32).toString('base64url'), encryption: randomBytes(32).toString('base64') },
    env: { PARLANCE_RATE_LIMIT_AUTHENTICATED: '1000000/hour' },
  });
  await system.start();
  api = makeApi(system.url, await system.parlance('user', 'create', 'admin', '--superuser', '--token'));
}, 900_000);

afterAll(() => system.remove(), 120_000);

const unitsOf = (filter: object) =>
  withMongo(databaseUri(system.engines.MONGODB_URI, 'parlance_translation'), (client) =>
    client.db().collection('units').countDocuments(filter),
  );
const wholeMigration = () =>
  eventually(
    () => unitsOf({ forms: { $exists: false } }),
    (old: number) => old === 0,
    180_000,
  );

it('a migration converts the documents of both versions while users work, and no request fails', async () => {
  const remote = makeRemote();
  const { project, path, componentPath } = await importExample(api, remote);
  const work = await startWork({ api, project, path, componentPath });
  await work.more();
  const before = await unitsOf({});
  expect(await unitsOf({ forms: { $exists: true } })).toBe(0);

  await system.replaceReplicas(1, { root: next });
  await wholeMigration();
  await work.more();
  // Strings that are imported meanwhile have the old shape.
  await importExample(api, makeRemote());
  expect(await unitsOf({})).toBeGreaterThan(before);
  await wholeMigration();
  expect(await system.parlance('status')).toContain(MIGRATION);

  // The new version alone, then a rollback of one replica.
  await system.replaceReplicas(2, { root: next });
  await work.more();
  await system.replaceReplicas(1, { root });
  await work.more();
  await work.stop();
  expect(work.failures).toEqual([]);
  expect(await unitsOf({ $expr: { $eq: ['$forms', { $size: '$target' }] } })).toBe(await unitsOf({}));
  await expectAllEdits(work, remote);
}, 900_000);
