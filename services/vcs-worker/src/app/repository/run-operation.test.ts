import type { Permission } from '@parlance/access';
import { logger } from '@parlance/telemetry';
import { actionsIn, po, reasonOf, userWith, UseCaseWorld } from '../../../test/support/memory/world';
import { Action } from '../change-events';
import { runOperation, type Operation } from './run-operation';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({ 'po/cs.po': po({ One: '', Two: '' }), README: 'x\n' });
});
afterEach(() => world.close());

const run = (operation: Operation, ids: number[], ...permissions: Permission[]) =>
  runOperation(world.deps, userWith(...permissions), ids, operation);

describe('repository operations', () => {
  it('an operation requires its own permission on every component', async () => {
    await world.imported(1);
    expect(await reasonOf(run('push', [1], 'vcs.commit'))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(run('reset-keep', [1], 'vcs.update'))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(run('commit', [404], 'vcs.commit'))).toBe('NOT_FOUND');
    expect(world.effects.list).toEqual([]);
  });

  it('a component of a foreign repository is left out and named; the others are worked on', async () => {
    await world.imported(1);
    const foreign = await world.imported(2);
    foreign.project = { ...foreign.project, id: 2 };
    await world.linked(3, 2);
    expect(await run('commit', [1, 3], 'vcs.commit')).toEqual({
      result: true,
      detail: 'c3: left out, vcs.commit is missing on the owner of its repository.',
    });
    expect(await reasonOf(run('commit', [3], 'vcs.commit'))).toBe('PERMISSION_DENIED');
  });

  it('components that share a repository share one run', async () => {
    await world.imported(1);
    await world.linked(2, 1);
    await run('cleanup', [1, 2], 'vcs.reset');
    expect(world.effects.list).toEqual(['acquire lease', 'release lease']);
  });

  it('a component without a repository fails the result, and the others are still worked on', async () => {
    await world.imported(1);
    const waiting = await world.linked(2, 1);
    await world.index.remove(waiting.settings.id);
    expect(await run('cleanup', [1, 2], 'vcs.reset')).toEqual({
      result: false,
      detail: 'The repository is not there yet.',
    });
    expect(world.effects.list).toContain('acquire lease');
  });

  it('a commit is pushed only with push_on_commit, and a failed push keeps it', async () => {
    const component = await world.imported(1, { push: 'file:///nowhere/at/all' });
    const cs = world.translations.add(1, 'cs', 'po/cs.po');
    world.translations.addEdit(cs, 'One', 'jedna');
    expect(await run('commit', [1], 'vcs.commit')).toEqual({ result: true, detail: '' });
    expect(actionsIn(world.effects)).toEqual([Action.committed]);
    component.settings.pushOnCommit = true;
    world.translations.addEdit(cs, 'Two', 'dvě');
    world.effects.clear();
    expect((await run('commit', [1], 'vcs.commit')).result).toBe(true);
    expect(actionsIn(world.effects)).toEqual([Action.committed, Action.pushFailed, Action.alertRaised]);
    expect(world.translations.edits).toEqual([]);
  });

  it('a reset that keeps translations pushes them with push_on_commit, and says which commits wait', async () => {
    const component = await world.imported(1, { push: world.url });
    world.translations.addEdit(world.translations.add(1, 'cs', 'po/cs.po'), 'One', 'jedna');
    expect(await run('reset-keep', [1], 'vcs.reset')).toEqual({ result: true, detail: '1 commit waits for a push.' });
    component.settings.pushOnCommit = true;
    component.settings.push = 'file:///nowhere/at/all';
    const { detail } = await run('reset-keep', [1], 'vcs.reset');
    expect(detail).toMatch(/^1 commit waits for a push: .*nowhere/s);
    expect((await world.repository(1)).failure).not.toBe('');
    component.settings.push = world.url;
    expect(await run('reset-keep', [1], 'vcs.reset')).toEqual({ result: true, detail: '' });
    expect(await world.repository(1)).toMatchObject({ ahead: 0, failure: '' });
  });

  it('a failure of git that users can resolve is part of the result', async () => {
    await world.imported(1, { repo: 'file:///nowhere/at/all' });
    expect((await run('reset', [1], 'vcs.reset')).result).toBe(false);
  });

  it('an operation logs an error for a defect, and none for an outage', async () => {
    await world.imported(1);
    const logged = jest.spyOn(logger, 'error').mockImplementation(() => undefined);
    const failWith = async (error: Error) => {
      jest.spyOn(world.deps.catalog, 'component').mockRejectedValueOnce(error);
      await expect(run('cleanup', [1], 'vcs.reset')).rejects.toBe(error);
      return logged.mock.calls.length;
    };
    expect(await failWith(Object.assign(new Error('no server'), { name: 'MongoServerSelectionError' }))).toBe(0);
    expect(await failWith(new TypeError('not a function'))).toBe(1);
    logged.mockRestore();
  });

  it('a scan is announced and imports all files, a rewrite is announced with the changed files', async () => {
    await world.imported(1);
    await run('file-scan', [1], 'vcs.reset');
    expect(world.translations.imports).toMatchObject([{ options: { complete: true } }]);
    await run('file-sync', [1], 'vcs.reset');
    expect(actionsIn(world.effects)).toEqual([Action.forcedScan, Action.forcedSync]);
    expect(world.effects.payloads('changeMade')[1]).toMatchObject({ detailsJson: '{"files":0}', userId: 7 });
  });
});
