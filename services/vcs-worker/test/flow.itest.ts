import { rmSync } from 'node:fs';
import { newEvent } from '@parlance/events';
import { Housekeeping } from '../src/app/tasks/housekeeping';
import { repositoryPerTest } from './support/repository';
import { texts, type Started, type World } from './support/world';

describe('a component and its repository', () => {
  let world: World;
  let one: Started;
  /** The component of the current test. */
  let c: number;
  repositoryPerTest((ground) => void ({ world, one, component: c } = ground));

  it('a component is imported as a task with progress', async () => {
    const task = await world.component(one, c, { newBase: 'po/app.pot' });
    expect(task).toMatchObject({ completed: true, progress: 100, resultJson: `{"component":${c}}`, componentId: c });
    expect(task.log).toContain('po/cs.po: 3 strings');
    expect(world.translation.imports.filter((i) => i.component === c)).toEqual([
      {
        component: c,
        complete: true,
        initial: true,
        paths: ['po/app.pot', 'po/cs.po', 'po/de.po'],
        kinds: ['IMPORT_FILE_KIND_NEW_BASE', 'IMPORT_FILE_KIND_TRANSLATION', 'IMPORT_FILE_KIND_TRANSLATION'],
      },
    ]);
    expect(world.catalog.tasks.filter((t) => t.componentId === c)).toEqual([
      { componentId: c, taskId: task.id, completed: true },
    ]);
    expect(await world.status(one, c)).toMatchObject({
      needsCommit: false,
      needsMerge: false,
      needsPush: false,
      remoteCommit: world.remote.log()[0]!.hash,
      mergeFailure: '',
    });
    await expect(one.client.getTask({ id: 'nothing' }, world.process)).rejects.toMatchObject({ reason: 'NOT_FOUND' });
  });

  it('an import reports the file that cannot be parsed and imports the others', async () => {
    world.remote.commit({ 'po/fr.po': `${texts()}\nmsgid "unfinished\nmsgstr ""\n` });
    const task = await world.component(one, c);
    expect(task.resultJson).toBe(`{"component":${c}}`);
    expect(task.log).toMatch(/po\/fr\.po, line \d+: /);
    expect((await world.change(24, c)).payload.target).toMatch(/^po\/fr\.po, line \d+: /);
    expect(
      (await world.event('componentLockRequested', (event) => event.payload.componentId === c)).payload,
    ).toMatchObject({ componentId: c, locked: true });
    expect(world.translation.of('po/de.po').texts.get('One')).toBe('eins');
  });

  it('a commit operation creates one commit for each author with exactly their strings and pushes them', async () => {
    await world.component(one, c, { push: world.url });
    const [first] = world.remote.log();
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    world.translation.edit('po/cs.po', 'Two', 'druhá', 'Bob');
    world.translation.edit('po/de.po', 'Two', 'zwei', 'Ann');
    expect(await world.status(one, c)).toMatchObject({ needsCommit: true, needsPush: true });
    expect(await world.run(one, 'OPERATION_COMMIT', c)).toMatchObject({ result: true, detail: '' });
    expect(world.remote.log()).toHaveLength(1);
    const status = await world.status(one, c);
    expect(status).toMatchObject({ needsCommit: false, needsPush: true });
    expect(status.status).toContain("ahead of 'origin/main' by 3 commits");
    expect((await world.change(17, c)).payload).toMatchObject({
      authorId: 3,
      translationId: world.translation.of('po/cs.po').id,
    });

    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    expect(world.remote.log().map((commit) => `${commit.author} <${commit.email}> ${commit.message}`)).toEqual([
      `Ann <ann@example.com> Translate Component ${c} (de)`,
      `Bob <bob@example.com> Translate Component ${c} (cs)`,
      `Ann <ann@example.com> Translate Component ${c} (cs)`,
      'Ada Developer <ada@example.org> Change',
    ]);
    expect(world.remote.read('po/cs.po').toString()).toBe(texts({ One: 'první', Two: 'druhá' }));
    expect(await world.status(one, c)).toMatchObject({
      needsCommit: false,
      needsPush: false,
      needsMerge: false,
      remoteCommit: world.remote.log()[0]!.hash,
    });
    expect((await world.change(18, c)).payload.target).toBe(world.remote.log()[0]!.hash);
    expect(world.remote.diff(first!.hash)).not.toContain('README');
  });

  it('a commit message counts its strings without those that the file cannot represent', async () => {
    await world.component(one, c);
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    world.translation.edit('po/cs.po', 'Two', 'druhá', 'Ann');
    world.translation.refused.add('Two');
    const detail = 'po/cs.po: 1 edit cannot be written to the file and waits.';
    expect(await world.run(one, 'OPERATION_COMMIT', c)).toMatchObject({ result: true, detail });
    const { detailsJson } = (await world.change(17, c)).payload;
    expect(JSON.parse(detailsJson)).toMatchObject({ units: 1 });
    expect(await world.status(one, c)).toMatchObject({ needsCommit: true });
    world.translation.refused.clear();
    await world.run(one, 'OPERATION_COMMIT', c);
    expect(world.translation.edits).toEqual([]);
  });

  it('push_on_commit pushes after each commit', async () => {
    await world.component(one, c, { push: world.url, pushOnCommit: true });
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    expect(await world.run(one, 'OPERATION_COMMIT', c)).toMatchObject({ result: true });
    expect(world.remote.read('po/cs.po').toString()).toBe(texts({ One: 'první' }));
  });

  it('an operation commits pending edits once, even if it pushes and upstream has moved', async () => {
    await world.component(one, c, { push: world.url, pushOnCommit: true });
    world.remote.commit({ 'po/cs.po': texts({ Two: 'druhý' }) });
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    world.translation.policies.length = 0;
    expect(await world.run(one, 'OPERATION_COMMIT', c)).toMatchObject({ result: true });
    expect(world.translation.policies).toHaveLength(1);
    expect(world.remote.read('po/cs.po').toString()).toBe(texts({ One: 'první', Two: 'druhý' }));
  });

  it('a push notification triggers a pull that imports only changed files', async () => {
    await world.component(one, c);
    world.remote.commit({ 'po/de.po': texts({ One: 'erstens' }), 'README.md': 'y\n' });
    const task = '11111111-1111-4111-8111-111111111111';
    const event = newEvent('hooks', 'repositoryPushed', { componentIds: [c], deliveryId: 'd', taskIds: [task] }, c);
    await world.bus.publish(event);
    await world.change(21, c);
    expect((await world.ended(one, task)).resultJson).toBe(`{"component":${c}}`);
    expect(world.translation.imports.at(-1)).toMatchObject({ complete: false, paths: ['po/de.po'] });
    expect(world.translation.of('po/de.po').texts.get('One')).toBe('erstens');
  });

  it('new files are imported, and translations of deleted files are deleted', async () => {
    await world.component(one, c, { newBase: 'po/app.pot' });
    world.remote.commit({ 'po/fr.po': texts(), 'po/de.po': null });
    expect(await world.run(one, 'OPERATION_PULL', c)).toMatchObject({ result: true });
    expect(
      [...world.translation.files.values()]
        .filter((file) => file.component === c)
        .map((file) => file.path)
        .sort(),
    ).toEqual(['po/cs.po', 'po/fr.po']);
  });

  it.each(['rebase', 'merge'])('a string that both sides change keeps both texts (%s)', async (mergeStyle) => {
    await world.component(one, c, { push: world.url, mergeStyle });
    world.remote.commit({ 'po/cs.po': texts({ One: 'odjinud', Three: 'třetí' }) });
    world.translation.edit('po/cs.po', 'One', 'odsud', 'Ann');
    expect(await world.run(one, 'OPERATION_PULL', c)).toMatchObject({ result: true });
    expect(world.translation.conflicts.splice(0)).toMatchObject([
      { source: ['One'], local: ['odsud'], upstream: ['odjinud'] },
    ]);
    await world.change(mergeStyle === 'rebase' ? 21 : 20, c);
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    expect(world.remote.read('po/cs.po').toString()).toBe(texts({ One: 'odsud', Three: 'třetí' }));
    expect(world.translation.of('po/cs.po').texts.get('Three')).toBe('třetí');
  });

  it('a lock ends when the broken file can be parsed again', async () => {
    await world.component(one, c);
    const broken = `${texts()}\nmsgid "unfinished\nmsgstr ""\n`;
    world.remote.commit({ 'po/cs.po': broken, 'po/de.po': broken });
    expect(await world.run(one, 'OPERATION_PULL', c)).toMatchObject({ result: true });
    const requests = (locked: boolean) =>
      world.event('componentLockRequested', (e) => e.payload.componentId === c && e.payload.locked === locked);
    const { reason } = (await requests(true)).payload;
    Object.assign(world.catalog.components.get(c)!, { locked: true, lockReason: reason });
    world.remote.commit({ 'po/cs.po': texts() });
    expect(await world.run(one, 'OPERATION_PULL', c)).toMatchObject({ result: true });
    expect(world.translation.imports.at(-1)).toMatchObject({ complete: true });
    world.remote.commit({ 'po/de.po': texts() });
    expect(await world.run(one, 'OPERATION_PULL', c)).toMatchObject({ result: true });
    expect((await requests(false)).payload).toMatchObject({ componentId: c, locked: false });
  });

  it('a conflict in other files fails the merge with a reason and locks the component until a reset', async () => {
    await world.component(one, c, { push: world.url, filemask: 'po/*.po' });
    // A translation file that upstream made unparsable cannot be merged string by string.
    world.remote.commit({ 'po/cs.po': `${texts({ One: 'x' })}\nmsgid "broken\n` });
    world.translation.edit('po/cs.po', 'One', 'odsud', 'Ann');
    const pulled = await world.run(one, 'OPERATION_PULL', c);
    expect(pulled).toMatchObject({ result: false, detail: expect.stringContaining('po/cs.po') });
    expect(await world.status(one, c)).toMatchObject({
      needsMerge: true,
      needsPush: true,
      mergeFailure: pulled.detail,
    });
    expect((await world.change(23, c)).payload.target).toBe(pulled.detail);
    expect(
      (await world.event('componentLockRequested', (event) => event.payload.componentId === c)).payload,
    ).toMatchObject({ locked: true });
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: false, detail: pulled.detail });
    await world.change(28, c);

    world.catalog.put({ ...world.catalog.components.get(c)!, id: c, locked: true, lockReason: pulled.detail });
    world.remote.commit({ 'po/cs.po': texts({ One: 'x' }) });
    expect(await world.run(one, 'OPERATION_RESET', c)).toMatchObject({ result: true });
    expect(await world.status(one, c)).toMatchObject({
      needsMerge: false,
      needsPush: false,
      needsCommit: false,
      mergeFailure: '',
    });
    await world.change(19, c);
    await world.event('componentLockRequested', (event) => event.payload.componentId === c && !event.payload.locked);
  });

  it('a component stays locked after a conflict while another file is broken', async () => {
    await world.component(one, c, { filemask: 'po/*.po' });
    const broken = `${texts({ One: 'x' })}\nmsgid "unfinished\nmsgstr ""\n`;
    world.remote.commit({ 'po/cs.po': broken });
    world.translation.edit('po/cs.po', 'One', 'odsud', 'Ann');
    const { result, detail } = await world.run(one, 'OPERATION_PULL', c);
    expect(result).toBe(false);
    await world.event('componentLockRequested', ({ payload }) => payload.componentId === c && payload.locked);
    Object.assign(world.catalog.components.get(c)!, { locked: true, lockReason: detail });

    world.remote.commit({ 'po/cs.po': texts(), 'po/de.po': broken });
    expect(await world.run(one, 'OPERATION_PULL', c)).toMatchObject({ result: true });
    world.remote.commit({ 'po/de.po': texts() });
    expect(await world.run(one, 'OPERATION_PULL', c)).toMatchObject({ result: true });
    const unlocked = await world.event(
      'componentLockRequested',
      ({ payload }) => payload.componentId === c && !payload.locked,
    );
    expect(unlocked.sequence).toBeGreaterThan((await world.change(24, c)).sequence);
  });

  it("a reset that keeps texts applies them to upstream's files", async () => {
    await world.component(one, c, { push: world.url });
    world.translation.edit('po/cs.po', 'One', 'odsud', 'Ann');
    await world.run(one, 'OPERATION_COMMIT', c);
    world.remote.commit({ 'po/cs.po': texts({ Three: 'třetí' }) });
    expect(await world.run(one, 'OPERATION_RESET_KEEP', c)).toMatchObject({ result: true });
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    expect(world.remote.read('po/cs.po').toString()).toBe(texts({ One: 'odsud', Three: 'třetí' }));
  });

  it('a push branch is replaced only if it still contains the last push', async () => {
    await world.component(one, c, { push: world.url, pushBranch: 'translations' });
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    expect(world.remote.log()).toHaveLength(1);
    expect(world.remote.log('translations')).toHaveLength(2);
    expect(await world.status(one, c)).toMatchObject({ needsPush: false });
    world.remote.commit({ 'README.md': 'z\n' });
    world.translation.edit('po/cs.po', 'Two', 'druhá', 'Ann');
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    expect(world.remote.log('translations')).toHaveLength(4);
    world.remote.commit({ 'README.md': 'another writer\n' }, { branch: 'translations' });
    world.translation.edit('po/cs.po', 'Three', 'třetí', 'Ann');
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: false });
    expect(world.remote.read('README.md', 'translations').toString()).toBe('another writer\n');
  });

  it('a lost clone is restored from the remote and the saved commits', async () => {
    await world.component(one, c, { push: world.url });
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    await world.run(one, 'OPERATION_COMMIT', c);
    world.translation.edit('po/cs.po', 'Two', 'druhá', 'Ann');
    await world.run(one, 'OPERATION_COMMIT', c);
    const saved = (await one.worker.deps.repositories.ofOwner(c))!.saved.map((bundle) => bundle.id);
    expect(saved).toHaveLength(2);
    rmSync(one.folder, { recursive: true });
    world.remote.commit({ 'README.md': 'y\n' });
    world.translation.edit('po/cs.po', 'Three', 'třetí', 'Bob');
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    expect(world.remote.read('po/cs.po').toString()).toBe(texts({ One: 'první', Two: 'druhá', Three: 'třetí' }));
    expect(world.remote.log()).toHaveLength(5);
    expect((await one.worker.deps.repositories.ofOwner(c))!.saved).toEqual([]);
    expect(await world.store.collection('commits').countDocuments({ bundle: { $in: saved } })).toBe(0);
  });

  it('a crash between a commit and its response commits nothing twice', async () => {
    await world.component(one, c, { push: world.url });
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    world.translation.beforeMark = () => Promise.reject(new Error('away'));
    await expect(world.run(one, 'OPERATION_COMMIT', c)).rejects.toMatchObject({ reason: 'INTERNAL' });
    world.translation.beforeMark = undefined;
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    expect(world.remote.log()).toHaveLength(2);
    expect(world.translation.edits).toEqual([]);
  });

  it('linked components share a repository', async () => {
    world.remote.commit({ 'doc/cs.po': texts() });
    await world.component(one, c, { push: world.url });
    await world.component(one, c + 1000, { filemask: 'doc/*.po', linkedComponentId: c });
    expect(await one.worker.deps.index.repositoryOf(c + 1000)).toBe(await one.worker.deps.index.repositoryOf(c));
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann', c);
    world.translation.edit('doc/cs.po', 'One', 'prvý', 'Ann', c + 1000);
    expect(await world.run(one, 'OPERATION_PUSH', c + 1000)).toMatchObject({ result: true });
    expect(world.remote.log()).toHaveLength(4);
    world.remote.commit({ 'doc/cs.po': texts({ One: 'znovu' }) });
    expect(await world.run(one, 'OPERATION_PULL', c)).toMatchObject({ result: true });
    expect(world.translation.of('doc/cs.po', c + 1000).texts.get('One')).toBe('znovu');
  });

  it('languages are added and deleted', async () => {
    await world.component(one, c, { push: world.url, newBase: 'po/app.pot' });
    const { translationId } = await one.client.addLanguage({ componentId: c, languageCode: 'fr' }, world.admin);
    expect(translationId).toBe(world.translation.of('po/fr.po').id);
    expect((await world.change(48, c)).payload).toMatchObject({ translationId, userId: 7 });
    const fieldOf = (code: string) =>
      one.client
        .addLanguage({ componentId: c, languageCode: code }, world.admin)
        .catch((error: { problems: { attr: string }[] }) => error.problems[0]!.attr);
    expect(await fieldOf('fr')).toBe('language_code');
    expect(await fieldOf('xx')).toBe('language_code');
    expect(await fieldOf('../evil')).toBe('language_code');
    await one.client.removeLanguage(
      { componentId: c, translationId: world.translation.of('po/de.po').id },
      world.admin,
    );
    await world.run(one, 'OPERATION_PUSH', c);
    expect(world.remote.log().map((commit) => [commit.author, commit.message])).toEqual([
      ['Ann', 'Remove de'],
      ['Ann', 'Add FR'],
      ['Ada Developer', 'Change'],
    ]);
    expect(world.remote.read('po/fr.po').toString()).toContain('msgid "Three"\nmsgstr ""');
    expect(() => world.remote.read('po/de.po')).toThrow();
  });

  it('screenshots matching the mask are imported and follow their files', async () => {
    world.remote.commit({ 'shots/menu.png': 'one', 'shots/broken.png': 'no image', 'shots/readme.txt': 'x' });
    const task = await world.component(one, c, { push: world.url, screenshotFilemask: 'shots/*.png' });
    const shown = () =>
      world.media.screenshots
        .filter((shot) => shot.componentId === c)
        .map(({ name, repositoryFilename, bytes }) => [name, repositoryFilename, bytes]);
    expect(shown()).toEqual([['menu', 'shots/menu.png', 'one']]);
    expect(task.log).toContain('shots/broken.png: this cannot be a screenshot: This is no image.');
    world.remote.commit({ 'shots/menu.png': 'two', 'shots/new.png': 'three' });
    await world.run(one, 'OPERATION_PULL', c);
    expect(shown()).toEqual([
      ['menu', 'shots/menu.png', 'two'],
      ['new', 'shots/new.png', 'three'],
    ]);
    // Unchanged images are not imported again, so user changes are kept.
    world.media.screenshots.find((shot) => shot.name === 'new' && shot.componentId === c)!.bytes = 'by hand';
    world.remote.commit({ 'shots/menu.png': null });
    await world.run(one, 'OPERATION_PULL', c);
    expect(shown().map(([, , bytes]) => bytes)).toEqual(['two', 'by hand']);
  });

  it("edits withheld by the project's policy are not committed", async () => {
    await world.component(one, c, { push: world.url });
    world.catalog.project.commitPolicy = 30;
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    world.translation.heldBack = true;
    expect(await world.status(one, c)).toMatchObject({ needsCommit: false });
    await world.run(one, 'OPERATION_COMMIT', c);
    expect(world.translation.policies.at(-1)).toBe(30);
    await one.worker.deps.index.recordEdits([c], 1);
    await one.worker.housekeeping.commitOverdue();
    // The entry stays, because the policy may change.
    expect((await one.worker.deps.index.listEdited(10)).map((entry) => entry.component)).toContain(c);
    world.translation.heldBack = false;
    expect(await world.status(one, c)).toMatchObject({ needsCommit: true });
    world.catalog.project.commitPolicy = 0;
    await world.run(one, 'OPERATION_COMMIT', c);
    expect(world.translation.edits).toEqual([]);
  });

  it('files are read and replaced', async () => {
    await world.component(one, c, { push: world.url });
    const read = (path: string) => world.read(one, c, path);
    expect(await read('po/cs.po')).toBe(texts());
    for (const path of ['po/xx.po', '../x', '/etc/passwd', '.git/config'])
      await expect(read(path)).rejects.toMatchObject({ reason: 'NOT_FOUND' });
    const readWhole = async (knownRevision = '') => {
      const file = { revision: '', text: '' };
      const request = { componentId: c, path: 'po/cs.po', knownRevision };
      for await (const { revision, chunk } of one.client.readFile(request, world.process)) {
        file.revision ||= revision;
        file.text += chunk.toString();
      }
      return file;
    };
    const replace = (content: string) =>
      one.client.replaceFile(
        (async function* () {
          yield { header: { componentId: c, path: 'po/cs.po', message: 'Upload {{ x }}' } };
          yield { chunk: Buffer.from(content) };
        })(),
        world.admin,
      );
    const before = await readWhole();
    expect(await readWhole(before.revision)).toEqual({ revision: before.revision, text: '' });
    const { commit } = await replace(texts({ One: 'nahráno' }));
    const after = await readWhole(before.revision);
    expect(after.text).toBe(texts({ One: 'nahráno' }));
    expect(after.revision).not.toBe(before.revision);
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
    expect((await replace(texts({ One: 'nahráno' }))).commit).toBe('');
    expect(world.translation.of('po/cs.po').texts.get('One')).toBe('nahráno');
    await expect(replace('msgid "broken')).rejects.toMatchObject({ reason: 'INVALID' });
    expect(await read('po/cs.po')).toBe(texts({ One: 'nahráno' }));
  });

  it('edits older than the configured age are committed', async () => {
    await world.component(one, c, { commitPendingAge: 1 });
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    await one.worker.deps.index.recordEdits([c], Date.now() - 2 * 3_600_000);
    await one.worker.housekeeping.commitOverdue();
    await world.change(17, c);
    const task = await world.store.collection('tasks').findOne({ component: c, kind: 'commit' });
    await world.ended(one, String(task!._id));
    expect(world.translation.edits).toEqual([]);
    await one.worker.housekeeping.commitOverdue();
    expect(await one.worker.deps.index.listEdited(10)).toEqual([]);
  });

  it.each([
    ['project', { projectId: 1 }],
    ['site', {}],
  ])('daily add-ons run once a day, also those of the %s', async (_where, place) => {
    world.remote.commit({ 'po/LINGUAS': 'cs\n' });
    await world.component(one, c, { push: world.url, addonMessage: 'Upkeep by {{ addon_name }}' });
    world.catalog.addons.push({ id: 1, name: 'weblate.gettext.linguas', configurationJson: '{}', ...place });
    try {
      // The first check of a new worker, and a second one of the same day.
      const { worker } = one;
      const daily = new Housekeeping(worker.deps, () => Date.parse(`2030-01-0${c % 9 || 9}T03:00:00Z`));
      await daily.daily();
      await daily.daily();
      const tasks = await world.store.collection('tasks').find({ component: c, kind: 'addons' }).toArray();
      expect(tasks).toHaveLength(1);
      await world.ended(one, String(tasks[0]!._id));
      await world.run(one, 'OPERATION_PUSH', c);
      expect(world.remote.read('po/LINGUAS').toString()).toBe('cs\nde\n');
    } finally {
      world.catalog.addons.length = 0;
    }
  });

  it('repository operations require permission', async () => {
    await world.component(one, c);
    await expect(
      one.client.runOperation({ operation: 'OPERATION_COMMIT', componentIds: [c] }, world.stranger),
    ).rejects.toMatchObject({ reason: 'PERMISSION_DENIED' });
    await expect(one.client.getRepositoryStatus({ componentIds: [c] }, world.stranger)).rejects.toMatchObject({
      reason: 'PERMISSION_DENIED',
    });
    await expect(one.client.addLanguage({ componentId: c, languageCode: 'fr' }, world.stranger)).rejects.toMatchObject({
      reason: 'PERMISSION_DENIED',
    });
    await expect(world.run(one, 'OPERATION_COMMIT', 999_999)).rejects.toMatchObject({ reason: 'NOT_FOUND' });
    // Components deleted after they were listed are skipped.
    expect(await world.run(one, 'OPERATION_COMMIT', c, 999_999)).toMatchObject({ result: true });
    expect(await one.client.getRepositoryStatus({ componentIds: [c, 999_999] }, world.admin)).toMatchObject({
      needsCommit: false,
    });
    await expect(
      one.client.runOperation({ operation: 'OPERATION_UNSPECIFIED', componentIds: [c] }, world.admin),
    ).rejects.toMatchObject({ reason: 'INVALID' });
  });

  it('a repository is deleted with its component', async () => {
    await world.component(one, c);
    await world.bus.publish(newEvent('catalog', 'componentDeleted', { componentId: c, projectId: 1 }, c));
    // The repository exists until the event is processed.
    while ((await world.run(one, 'OPERATION_CLEANUP', c).catch(() => ({ result: false }))).result) continue;
    expect(await world.run(one, 'OPERATION_CLEANUP', c)).toMatchObject({
      result: false,
      detail: 'The repository is not there yet.',
    });
    expect(await one.worker.deps.repositories.ofOwner(c)).toBeNull();
  });

  it('tasks of a deleted component end', async () => {
    const { id } = await world.component(one, c);
    world.catalog.components.delete(c);
    const { task } = await one.client.getTask({ id }, world.stranger);
    expect(task).toMatchObject({ completed: true, progress: 100, componentId: 0, log: '' });
    expect(task!.resultJson).toBe('"The component was deleted."');
  });
});
