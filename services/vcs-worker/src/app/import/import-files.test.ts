import { actionsIn, po, UseCaseWorld } from '../../../test/support/memory/world';
import { Action } from '../change-events';
import { importFiles, scanChanges } from './import-files';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({ 'po/cs.po': po({ One: '' }), 'po/de.po': 'not a PO file', README: 'x\n' });
});
afterEach(() => world.close());

/** Moves the current commit to a new one of upstream. */
async function advance(files: Parameters<UseCaseWorld['remote']['commit']>[0]): Promise<void> {
  const head = world.remote.commit(files);
  await world.run(1, async ({ git, session }) => {
    await git.fetch(world.url, 'main');
    await session.write({ head, upstream: head });
  });
}
const scan = (all = false) => world.run(1, (work) => scanChanges(world.deps, work, { all }));

describe('importing files', () => {
  it('a file that cannot be parsed is recorded, alerts and locks; the others are imported', async () => {
    const component = await world.imported(1);
    const report = await world.run(1, ({ session, git }) =>
      importFiles(world.deps, session, git, component, session.repository.head!, {
        initial: true,
        log: (line) => void world.log.push(line),
      }),
    );
    expect(report.files.map(({ path }) => path)).toEqual(['po/cs.po', 'po/de.po']);
    expect(report.errors.map(({ path }) => path)).toEqual(['po/de.po']);
    expect(actionsIn(world.effects)).toEqual([Action.parseError, Action.alertRaised]);
    expect(world.effects.payloads('componentLockRequested')).toMatchObject([{ locked: true }]);
  });

  it('an import carries the fencing token of the lease', async () => {
    await world.imported(1);
    await scan(true);
    expect(world.translations.imports[0]?.options.lease).toEqual({ repository: 'r1', token: 1 });
  });

  it('new languages begin one task for the glossaries, however often the commit is imported', async () => {
    const component = await world.imported(1);
    for (let time = 0; time < 2; time++)
      await world.run(1, ({ session, git }) =>
        importFiles(world.deps, session, git, component, session.repository.head!, {
          initial: true,
          log: () => undefined,
        }),
      );
    expect(world.tasks.tasks).toMatchObject([{ kind: 'glossary', component: 1, changed: ['component'] }]);
  });
});

describe('importing changes', () => {
  it('an imported commit is not imported again', async () => {
    await world.imported(1);
    await scan();
    expect(world.translations.imports).toEqual([]);
    expect(world.effects.list).toEqual(['acquire lease', 'release lease']);
  });

  it('changed files are imported without deleting others; the commit is recorded at the end', async () => {
    await world.imported(1);
    await advance({ 'po/cs.po': po({ One: 'jedna' }), README: 'y\n' });
    world.effects.clear();
    await scan();
    expect(world.translations.imports).toMatchObject([{ paths: ['po/cs.po'], options: { complete: false } }]);
    expect(world.effects.list.slice(-2)).toEqual(['write scanned', 'release lease']);
  });

  it('a deleted file or a changed base requires a complete import', async () => {
    await world.imported(1, { newBase: 'po/app.pot' });
    await advance({ 'po/de.po': null });
    await scan();
    await advance({ 'po/app.pot': po({ One: '', Two: '' }) });
    await scan();
    expect(world.translations.imports.map(({ options }) => options.complete)).toEqual([true, true]);
  });

  it('when all files can be parsed again, the lock of the failure ends', async () => {
    await world.imported(1, { locked: true, lockReason: 'po/de.po: broken' });
    await advance({ 'po/de.po': po({ One: 'eins' }) });
    world.effects.clear();
    await scan();
    expect(world.effects.payloads('componentLockRequested')).toMatchObject([{ componentId: 1, locked: false }]);
  });
});
