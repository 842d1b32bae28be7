import { actionsIn, po, UseCaseWorld } from '../../../test/support/memory/world';
import { Action } from '../change-events';
import { setHead } from '../repository/set-head';
import { reset, resetKeep } from './reset';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({ 'po/cs.po': po({ One: '', Two: '' }), README: 'x\n' });
});
afterEach(() => world.close());

const commitOurs = (path: string, text: string) =>
  world.run(1, async (work) => setHead(world.deps, work.session, work.git, await world.commit(work, path, text)));

describe('resetting', () => {
  it('a reset discards commits and pending edits, forgets the last push and imports everything', async () => {
    await world.imported(1, { push: world.url });
    const { head } = await world.repository(1);
    await commitOurs('ours', 'ours\n');
    world.translations.addEdit(world.translations.add(1, 'cs', 'po/cs.po'), 'One', 'jedna');
    await world.run(1, ({ session }) => session.write({ pushed: session.repository.head, pushedBranch: 'main' }));
    world.effects.clear();
    await world.run(1, (work) => reset(world.deps, work));
    expect(await world.repository(1)).toMatchObject({ head, ahead: 0, pushed: null, pushedBranch: '', failure: '' });
    expect(world.translations.edits).toEqual([]);
    expect(world.commits.stored.size).toBe(0);
    expect(world.translations.imports.at(-1)).toMatchObject({ paths: ['po/cs.po'], options: { complete: true } });
    expect(actionsIn(world.effects)).toEqual([Action.repositoryReset]);
  });

  it('a reset discards nothing while upstream is unreachable', async () => {
    await world.imported(1, { repo: 'file:///nowhere/at/all' });
    await commitOurs('ours', 'ours\n');
    const { head } = await world.repository(1);
    world.translations.addEdit(world.translations.add(1, 'cs', 'po/cs.po'), 'One', 'jedna');
    await expect(world.run(1, (work) => reset(world.deps, work))).rejects.toThrow();
    expect((await world.repository(1)).head).toBe(head);
    expect(world.translations.edits).toHaveLength(1);
  });

  it('a reset that keeps translations puts the texts into one commit on upstream, without other changes', async () => {
    await world.imported(1);
    world.translations.addEdit(world.translations.add(1, 'cs', 'po/cs.po'), 'One', 'jedna');
    await commitOurs('README', 'ours\n');
    const theirs = world.remote.commit({ README: 'theirs\n' });
    world.effects.clear();
    await world.run(1, (work) => resetKeep(world.deps, work));
    expect(await world.repository(1)).toMatchObject({ upstream: theirs, ahead: 1, behind: 0 });
    expect(await world.read(1, 'po/cs.po')).toContain('jedna');
    expect(await world.read(1, 'README')).toBe('theirs\n');
    expect(actionsIn(world.effects)).toEqual([Action.committed, Action.repositoryReset]);
  });
});
