import { actionsIn, po, UseCaseWorld } from '../../../test/support/memory/world';
import { Action } from '../change-events';
import { setHead } from '../repository/set-head';
import { addressFingerprint, needsPush, push } from './push';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({ 'po/cs.po': po({ One: '', Two: '' }), README: 'x\n' });
});
afterEach(() => world.close());

/** Commits a change that is not pushed. */
const commitOurs = (path = 'ours') =>
  world.run(1, async (work) =>
    setHead(world.deps, work.session, work.git, await world.commit(work, path, `${path}\n`)),
  );
const pushNow = () => world.run(1, (work) => push(world.deps, work));

describe('pushing', () => {
  it('pending edits are committed, saved and only then pushed, and the push is recorded', async () => {
    await world.imported(1, { push: world.url });
    world.translations.addEdit(world.translations.add(1, 'cs', 'po/cs.po'), 'One', 'jedna');
    expect(await pushNow()).toEqual({ result: true, detail: '' });
    expect(world.remote.read('po/cs.po').toString()).toContain('jedna');
    const { list } = world.effects;
    const order = ['acquire lease', 'save commits', 'mark edits as committed', 'remove saved commits', 'release lease'];
    expect(list.filter((effect) => order.includes(effect))).toEqual(order);
    const head = world.remote.log()[0]!.hash;
    expect(await world.repository(1)).toMatchObject({ head, upstream: head, pushed: head, ahead: 0, saved: [] });
    expect(actionsIn(world.effects)).toEqual([Action.committed, Action.pushed]);
  });

  it('a component without a push address is refused, and nothing is committed', async () => {
    await world.imported(1);
    world.translations.addEdit(world.translations.add(1, 'cs', 'po/cs.po'), 'One', 'jedna');
    expect(await pushNow()).toMatchObject({ result: false });
    expect(world.translations.committed).toEqual([]);
  });

  it('without unpushed commits, nothing is pushed or announced', async () => {
    await world.imported(1, { push: world.url });
    expect(await pushNow()).toEqual({ result: true, detail: '' });
    expect(world.effects.events).toEqual([]);
  });

  it('upstream changes are merged before the push', async () => {
    await world.imported(1, { push: world.url });
    await commitOurs();
    world.remote.commit({ theirs: 'theirs\n' });
    expect(await pushNow()).toEqual({ result: true, detail: '' });
    expect(world.remote.read('theirs').toString()).toBe('theirs\n');
    expect(world.remote.read('ours').toString()).toBe('ours\n');
  });

  it('a failed push is recorded in the history each time, and reported as an alert once', async () => {
    await world.imported(1, { push: 'file:///nowhere/at/all' });
    await commitOurs();
    world.effects.clear();
    expect((await pushNow()).result).toBe(false);
    expect(actionsIn(world.effects)).toEqual([Action.pushFailed, Action.alertRaised]);
    expect((await world.repository(1)).failure).not.toBe('');
    world.effects.clear();
    await pushNow();
    expect(actionsIn(world.effects)).toEqual([Action.pushFailed]);
  });

  it('a branch of its own is replaced only while it contains the last push', async () => {
    await world.imported(1, { push: world.url, pushBranch: 'translations' });
    await commitOurs();
    await pushNow();
    expect(await world.repository(1)).toMatchObject({ pushedBranch: 'translations' });
    world.remote.commit({ foreign: 'x\n' }, { branch: 'translations' });
    await commitOurs('second');
    expect((await pushNow()).result).toBe(false);
    expect(world.remote.read('foreign', 'translations').toString()).toBe('x\n');
  });

  it('a deleted branch of its own is created again', async () => {
    await world.imported(1, { push: world.url, pushBranch: 'translations' });
    await commitOurs();
    await pushNow();
    world.remote.remove('translations');
    await commitOurs('second');
    expect(await pushNow()).toEqual({ result: true, detail: '' });
    expect(world.remote.read('second', 'translations').toString()).toBe('second\n');
  });

  it('a commit needs another push when the branch or the address changed; credentials do not count', () => {
    const address = addressFingerprint('https://user:secret@example.org/a.git');
    expect(address).toBe(addressFingerprint('https://example.org/a.git'));
    const state = { ahead: 1, head: 'a', pushed: 'a', pushedBranch: 'main', pushedAddress: address };
    expect(needsPush(state, { branch: 'main', address })).toBe(false);
    expect(needsPush({ ...state, pushedAddress: '' }, { branch: 'main', address })).toBe(false);
    expect(needsPush(state, { branch: 'other', address })).toBe(true);
    expect(needsPush(state, { branch: 'main', address: 'another' })).toBe(true);
    expect(needsPush({ ...state, head: 'b' }, { branch: 'main', address })).toBe(true);
    expect(needsPush({ ...state, head: 'b', ahead: 0 }, { branch: 'main', address })).toBe(false);
  });
});
