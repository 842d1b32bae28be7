import { GitRemote } from '@parlance/testing';
import { repositoryPerTest, withoutTemplate } from './support/repository';
import { texts, type Started, type World } from './support/world';

describe('where commits come from and go to', () => {
  let world: World;
  let one: Started;
  /** The component of the current test. */
  let c: number;
  repositoryPerTest((ground) => void ({ world, one, component: c } = ground), withoutTemplate);
  /** Pending texts of the component. */
  const waiting = () =>
    world.translation.edits
      .filter(({ translation }) => world.translation.files.get(translation)?.component === c)
      .map(({ target }) => target);
  const set = (settings: Parameters<World['catalog']['put']>[0]) =>
    world.catalog.put({ ...world.catalog.components.get(c)!, ...settings });

  it('a reset discards pending edits only after a successful fetch', async () => {
    await world.component(one, c, { push: world.url });
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    world.remote.close();
    expect(await world.run(one, 'OPERATION_RESET', c)).toMatchObject({ result: false });
    expect(waiting()).toEqual(['první']);
    expect(world.translation.of('po/cs.po').texts.get('One')).toBe('první');
  });

  it('a reset to upstream discards pending edits', async () => {
    await world.component(one, c, { push: world.url });
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    world.remote.commit({ 'po/cs.po': texts({ One: 'shora' }) });
    expect(await world.run(one, 'OPERATION_RESET', c)).toMatchObject({ result: true });
    expect(waiting()).toEqual([]);
    expect(world.translation.of('po/cs.po').texts.get('One')).toBe('shora');
  });

  it('a push branch that upstream merged and deleted is created again', async () => {
    await world.component(one, c, { push: world.url, pushBranch: 'l10n' });
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    world.remote.reset(world.remote.log('l10n')[0]!.hash);
    world.remote.remove('l10n');
    world.remote.commit({ 'README.md': 'merged\n' });
    world.translation.edit('po/cs.po', 'Two', 'druhá', 'Ann');
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true, detail: '' });
    expect(world.remote.read('po/cs.po', 'l10n').toString()).toBe(texts({ One: 'první', Two: 'druhá' }));
  });

  it('an explicit push recreates a deleted push branch', async () => {
    await world.component(one, c, { push: world.url, pushBranch: 'l10n' });
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    world.remote.remove('l10n');
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    expect(world.remote.read('po/cs.po', 'l10n').toString()).toBe(texts({ One: 'první' }));
  });

  it('a changed push branch is pushed again', async () => {
    await world.component(one, c, { push: world.url, pushBranch: 'l10n' });
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    expect(await world.status(one, c)).toMatchObject({ needsPush: false });
    for (const [pushBranch, branch] of [
      ['other', 'other'],
      ['', 'main'],
    ] as const) {
      set({ id: c, pushBranch });
      expect(await world.status(one, c)).toMatchObject({ needsPush: true });
      expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
      expect(world.remote.read('po/cs.po', branch).toString()).toBe(texts({ One: 'první' }));
      expect(await world.status(one, c)).toMatchObject({ needsPush: false });
    }
  });

  it("a changed push address is pushed again, and a shared repository uses the owner's address", async () => {
    await world.component(one, c, { push: world.url, pushBranch: 'l10n' });
    await world.component(one, c + 1000, { filemask: 'doc/*.po', newBase: 'po/de.po', linkedComponentId: c });
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    expect(await world.status(one, c + 1000)).toMatchObject({ needsPush: false });
    const fork = new GitRemote('fork');
    try {
      fork.commit({ 'README.md': 'fork\n' });
      set({ id: c, push: await fork.serve() });
      expect(await world.status(one, c)).toMatchObject({ needsPush: true });
      expect(await world.status(one, c + 1000)).toMatchObject({ needsPush: true });
      expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
      expect(fork.read('po/cs.po', 'l10n').toString()).toBe(texts({ One: 'první' }));
      expect(await world.status(one, c)).toMatchObject({ needsPush: false });
      // Credentials do not change the target.
      set({ id: c, push: world.catalog.components.get(c)!.push!.replace('://', '://somebody:secret@') });
      expect(await world.status(one, c)).toMatchObject({ needsPush: false });
    } finally {
      fork.close();
    }
  });

  it('a push by an earlier version, which stored no address, counts as pushed', async () => {
    await world.component(one, c, { push: world.url, pushBranch: 'l10n' });
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    await world.run(one, 'OPERATION_PUSH', c);
    const stored = world.store.collection<{ owner: number; pushedAddress?: string }>('repositories');
    expect((await stored.findOne({ owner: c }))!.pushedAddress).toMatch(/^[0-9a-f]{64}$/);
    await stored.updateOne({ owner: c }, { $unset: { pushedAddress: '' } });
    expect(await world.status(one, c)).toMatchObject({ needsPush: false });
    world.remote.commit({ 'README.md': 'y\n' });
    world.translation.edit('po/cs.po', 'Two', 'druhá', 'Ann');
    // The branch is replaced, because it still contains our last push.
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    expect(world.remote.log('l10n')).toHaveLength(4);
  });

  describe('when a component moves to another repository', () => {
    let next: GitRemote;
    let url: string;
    beforeEach(async () => {
      next = new GitRemote('next');
      next.commit({ 'po/cs.po': texts({ One: 'shora' }), 'README.md': 'next\n' });
      url = await next.serve();
    });
    afterEach(() => next.close());

    it('pending edits are compared with the texts of another repository', async () => {
      await world.component(one, c, { push: world.url });
      world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
      const known = world.translation.conflicts.length;
      const task = await world.changed(one, c, { repo: url, push: url });
      expect(task.resultJson).toBe(`{"component":${c}}`);
      expect(world.translation.conflicts.slice(known)).toMatchObject([
        { source: ['One'], local: ['první'], upstream: ['shora'] },
      ]);
      expect(waiting()).toEqual([]);
      expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
      expect(next.read('po/cs.po').toString()).toBe(texts({ One: 'první' }));
    });

    it.each(['committed', 'waiting'])(
      'languages missing from another repository are added for their %s edits',
      async (kind) => {
        await world.component(one, c, { push: world.url });
        world.translation.edit('po/de.po', 'One', 'erste', 'Ann');
        if (kind === 'committed') await world.run(one, 'OPERATION_COMMIT', c);
        const { id } = world.translation.of('po/de.po');
        const task = await world.changed(one, c, { repo: url, push: url });
        expect(task.resultJson).toBe(`{"component":${c}}`);
        expect(world.translation.of('po/de.po').id).toBe(id);
        expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
        expect(next.read('po/de.po').toString()).toBe(texts({ One: 'erste' }));
      },
    );

    it('languages without edits are not added to another repository', async () => {
      await world.component(one, c, { push: world.url });
      await world.changed(one, c, { repo: url, push: url });
      expect(() => world.translation.of('po/de.po')).toThrow();
    });
  });
});
