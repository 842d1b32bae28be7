import { engines } from '@parlance/testing';
import { MigrationRunner, openStore, type Store } from '@parlance/store-kit';
import { newRepository } from '../src/domain/repository';
import { MongoMeasures } from '../src/store/measures';
import { migrations } from '../src/store/migrations';
import { makeModels } from '../src/store/models';
import { MongoRepositoryStore } from '../src/store/repository-store';
import { uncached } from './support/uncached';

let store: Store<ReturnType<typeof makeModels>>;
let repositories: MongoRepositoryStore;

beforeAll(async () => {
  store = await openStore((await engines()).mongoUri('vcs_migrations'), makeModels);
  repositories = new MongoRepositoryStore(store.models, uncached);
});
afterAll(() => store.close());

it('repositories of earlier versions are listed and measured as unpushed and unmerged after the migration', async () => {
  const known = { vcs: 'git', repo: 'x', branch: 'main', task: '', head: 'b' };
  const all = [
    { ...known, id: 'unpushed', owner: 1, ahead: 2, pushed: 'a' },
    { ...known, id: 'pushed', owner: 2, ahead: 2, pushed: 'b' },
    { ...known, id: 'unmerged', owner: 3, behind: 1, pushed: 'b' },
    { ...known, id: 'local', owner: 4, ahead: 5, vcs: 'local' },
    { ...known, id: 'new', owner: 5, ahead: 1, pushed: 'a', unpushedSince: 1_000 },
  ];
  for (const repository of all) await repositories.insert(newRepository(repository));
  const listed = async (filter: { unpushed?: boolean; unmerged?: boolean }) =>
    (
      await repositories.list(
        { failed: false, leased: false, unpushed: false, unmerged: false, ...filter },
        { skip: 0, size: 10 },
      )
    ).map(({ id }) => id);
  expect(await listed({ unpushed: true })).toEqual(['new']);

  const before = Date.now();
  const runner = new MigrationRunner(store.connection, migrations, { settleMs: 0, batchDocuments: 2 });
  expect(await runner.runOnce()).toBe(true);
  expect(await runner.state()).toMatchObject({ version: migrations.length, wanted: migrations.length });
  expect(await listed({ unpushed: true })).toEqual(['unpushed', 'new']);
  expect(await repositories.get('new')).toMatchObject({ unpushedSince: 1_000 });
  expect((await repositories.get('pushed'))?.unpushedSince).toBeNull();
  const { unmergedAges } = await new MongoMeasures(store.models).repositories(Date.now());
  expect(unmergedAges.oldestMs).toBeGreaterThanOrEqual(before);
});
