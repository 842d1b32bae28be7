import { repositoryPerTest } from './support/repository';
import { pot, texts, type Started, type World } from './support/world';

describe('upstream rewrites its history', () => {
  let world: World;
  let one: Started;
  /** The component of the current test. */
  let c: number;
  repositoryPerTest((ground) => void ({ world, one, component: c } = ground));
  let before: string;
  beforeEach(() => {
    before = world.remote.log()[0]!.hash;
  });
  /** Upstream replaces its commit 'wrong' by another one. */
  const rewritten = async (how: { onto: string | null }, mergeStyle = 'rebase', own = true) => {
    await world.component(one, c, { push: world.url, mergeStyle });
    world.remote.commit({ 'po/cs.po': texts({ Three: 'wrong' }), 'po/fr.po': texts() }, { message: 'Given up' });
    expect(await world.run(one, 'OPERATION_PULL', c)).toMatchObject({ result: true });
    expect(world.translation.of('po/cs.po').texts.get('Three')).toBe('wrong');
    if (own) {
      world.translation.edit('po/cs.po', 'One', 'odsud', 'Ann');
      expect(await world.run(one, 'OPERATION_COMMIT', c)).toMatchObject({ result: true });
    }
    world.remote.commit({ 'po/app.pot': pot, 'po/cs.po': texts({ Three: 'right' }), 'po/de.po': texts() }, how);
  };

  it.each(['rebase', 'merge', 'merge_noff'])(
    'only our commits are moved to the rewritten history (%s)',
    async (mergeStyle) => {
      await rewritten({ onto: before }, mergeStyle);
      expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
      expect(world.remote.read('po/cs.po').toString()).toBe(texts({ One: 'odsud', Three: 'right' }));
      expect(world.remote.log().map((commit) => commit.message)).toEqual([
        `Translate Component ${c} (cs)`,
        'Change',
        'Change',
      ]);
      expect(world.translation.conflicts.splice(0)).toEqual([]);
      expect(world.translation.of('po/cs.po').texts.get('Three')).toBe('right');
    },
  );

  it.each([['on top of an older commit'], ['from the beginning']])(
    'a rewritten history without local commits leaves nothing to push (%s)',
    async (where) => {
      await rewritten({ onto: where === 'from the beginning' ? null : before }, 'rebase', false);
      const [head] = world.remote.log();
      expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
      expect(world.remote.log()[0]).toEqual(head);
      expect(await world.status(one, c)).toMatchObject({ needsPush: false, needsMerge: false });
      expect(world.translation.of('po/cs.po').texts.get('Three')).toBe('right');
      expect([...world.translation.files.values()].filter((f) => f.component === c && f.path === 'po/fr.po')).toEqual(
        [],
      );
    },
  );

  it('a reset that keeps texts keeps our texts without those that upstream revoked', async () => {
    await rewritten({ onto: before });
    expect(await world.run(one, 'OPERATION_RESET_KEEP', c)).toMatchObject({ result: true });
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    expect(world.remote.read('po/cs.po').toString()).toBe(texts({ One: 'odsud', Three: 'right' }));
  });

  it('commits that we pushed and upstream lost are pushed again', async () => {
    await world.component(one, c, { push: world.url });
    world.translation.edit('po/cs.po', 'One', 'odsud', 'Ann');
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    world.remote.commit({ 'po/cs.po': texts({ Three: 'right' }) }, { onto: before });
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    expect(world.remote.read('po/cs.po').toString()).toBe(texts({ One: 'odsud', Three: 'right' }));
  });

  it('a clone without local commits follows an upstream that removes commits', async () => {
    await world.component(one, c, { push: world.url });
    world.remote.commit({ 'po/cs.po': texts({ Three: 'wrong' }) });
    expect(await world.run(one, 'OPERATION_PULL', c)).toMatchObject({ result: true });
    world.remote.reset(before);
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    expect(world.remote.log()[0]!.hash).toBe(before);
    expect(world.translation.of('po/cs.po').texts.get('Three')).toBe('tři');
  });
});
