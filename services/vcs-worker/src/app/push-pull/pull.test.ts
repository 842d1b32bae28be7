import { actionsIn, po, UseCaseWorld } from '../../../test/support/memory/world';
import { Action } from '../change-events';
import { setHead } from '../repository/set-head';
import { pull } from './pull';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({ 'po/cs.po': po({ One: '', Two: '' }), README: 'x\n' });
});
afterEach(() => world.close());

const pullNow = () => world.run(1, (work) => pull(world.deps, work));
const commitOurs = (path: string, text: string) =>
  world.run(1, async (work) => setHead(world.deps, work.session, work.git, await world.commit(work, path, text)));

describe('pulling', () => {
  it('upstream changes move the current commit, and only changed files are imported', async () => {
    await world.imported(1);
    world.translations.add(1, 'cs', 'po/cs.po');
    const theirs = world.remote.commit({ 'po/de.po': po({ One: 'eins' }), README: 'y\n' });
    expect(await pullNow()).toEqual({ result: true, detail: '' });
    expect(await world.repository(1)).toMatchObject({ head: theirs, upstream: theirs, scanned: theirs, behind: 0 });
    expect(world.translations.imports.map(({ paths, options }) => [paths, options.complete])).toEqual([
      [['po/de.po'], false],
    ]);
  });

  it('without upstream changes, nothing is committed, imported or announced', async () => {
    await world.imported(1);
    world.translations.addEdit(world.translations.add(1, 'cs', 'po/cs.po'), 'One', 'jedna');
    await pullNow();
    expect(world.translations.committed).toEqual([]);
    expect(world.translations.imports).toEqual([]);
    expect(world.effects.events).toEqual([]);
  });

  it('pending edits are committed before the merge, and kept by it', async () => {
    await world.imported(1);
    world.translations.addEdit(world.translations.add(1, 'cs', 'po/cs.po'), 'One', 'jedna');
    world.remote.commit({ 'po/cs.po': po({ One: '', Two: 'dvě' }) });
    expect(await pullNow()).toEqual({ result: true, detail: '' });
    const merged = await world.read(1, 'po/cs.po');
    expect(merged).toContain('jedna');
    expect(merged).toContain('dvě');
    expect(actionsIn(world.effects)).toEqual([Action.committed, Action.rebased]);
  });

  it('a string that both sides changed is recorded as a conflict before the merge completes', async () => {
    await world.imported(1);
    world.translations.addEdit(world.translations.add(1, 'cs', 'po/cs.po'), 'One', 'naše');
    world.remote.commit({ 'po/cs.po': po({ One: 'jejich', Two: '' }) });
    expect((await pullNow()).result).toBe(true);
    expect(world.translations.conflicts).toMatchObject([{ source: ['One'], local: ['naše'], upstream: ['jejich'] }]);
    const { list } = world.effects;
    const merged = list.findLastIndex((effect) => effect.startsWith('write') && effect.includes('head'));
    expect(list.indexOf('record conflicts')).toBeLessThan(merged);
  });

  it('an unreachable upstream is reported in the result, and changes nothing', async () => {
    await world.imported(1, { repo: 'file:///nowhere/at/all' });
    const before = await world.repository(1);
    expect((await pullNow()).result).toBe(false);
    expect(await world.repository(1)).toMatchObject({ head: before.head, failure: '' });
    expect(world.effects.events).toEqual([]);
  });

  it('a conflict in another file fails the merge: history, alert and lock once, and the commit stays', async () => {
    await world.imported(1);
    await commitOurs('README', 'ours\n');
    world.remote.commit({ README: 'theirs\n' });
    const { head } = await world.repository(1);
    world.effects.clear();
    expect((await pullNow()).result).toBe(false);
    expect(actionsIn(world.effects)).toEqual([Action.rebaseFailed, Action.alertRaised]);
    expect(world.effects.payloads('componentLockRequested')).toMatchObject([{ componentId: 1, locked: true }]);
    expect((await world.repository(1)).head).toBe(head);
    world.effects.clear();
    await pullNow();
    expect(actionsIn(world.effects)).toEqual([Action.rebaseFailed]);
  });

  it('a rewritten upstream history is recorded, and our commits are based on the new one', async () => {
    await world.imported(1);
    const { upstream } = await world.repository(1);
    await commitOurs('ours', 'ours\n');
    world.remote.commit({ 'po/cs.po': po({ One: '' }), README: 'new\n' }, { onto: null });
    expect((await pullNow()).result).toBe(true);
    expect(await world.read(1, 'README')).toBe('new\n');
    expect(await world.read(1, 'ours')).toBe('ours\n');
    const repository = await world.repository(1);
    expect(repository).toMatchObject({ former: null, ahead: 1, behind: 0 });
    expect(repository.upstream).not.toBe(upstream);
  });
});
