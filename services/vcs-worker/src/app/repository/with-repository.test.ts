import { GitError } from '@parlance/git';
import { reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import { asServiceError, openForReading, repositoryOf, withRepository, withRepositoryOf } from './with-repository';
import { setHead } from './set-head';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({ 'po/cs.po': '', README: 'x\n' });
});
afterEach(() => world.close());

const componentsOf = (id: string) =>
  withRepository(world.deps, id, {}, async ({ components }) => components.map(({ settings }) => settings.id));

describe('work on a repository', () => {
  it('the owner comes first; a component whose link was revoked takes no part', async () => {
    await world.imported(5);
    await world.linked(2, 5);
    await world.linked(3, 5, { linkedComponentId: 0 });
    expect(await componentsOf('r5')).toEqual([5, 2]);
  });

  it('a repository whose owner was deleted is refused as NOT_FOUND', async () => {
    await world.imported(5);
    world.catalog.stored.delete(5);
    expect(await reasonOf(componentsOf('r5'))).toBe('NOT_FOUND');
    expect(world.effects.list).toEqual(['acquire lease', 'release lease']);
  });

  it('a component without a repository is refused as NOT_FOUND', async () => {
    expect(await reasonOf(repositoryOf(world.deps, 1))).toBe('NOT_FOUND');
  });

  it('work for a component that moves to another repository is refused as UNAVAILABLE', async () => {
    await world.imported(5);
    await world.linked(3, 5, { linkedComponentId: 0 });
    const action = async () => world.effects.add('work');
    expect(await reasonOf(withRepositoryOf(world.deps, 3, {}, action))).toBe('UNAVAILABLE');
    expect(await reasonOf(withRepositoryOf(world.deps, 5, {}, action))).toBe('OK');
  });

  it('reading takes no lease; an empty repository is null', async () => {
    await world.imported(5);
    const opened = await openForReading(world.deps, 'r5');
    expect((await opened?.git.readFile(opened.head, 'README'))?.bytes.toString()).toBe('x\n');
    expect(await openForReading(world.deps, 'deleted')).toBeNull();
    expect(world.effects.list).toEqual([]);
  });

  it('a lost clone is restored with its unpushed commits', async () => {
    await world.imported(5);
    await world.run(5, async (work) =>
      setHead(world.deps, work.session, work.git, await world.commit(work, 'ours', 'ours\n')),
    );
    await world.deps.clones.drop('r5');
    expect(await world.read(5, 'ours')).toBe('ours\n');
  });

  it('a lost clone whose upstream rewrote its history adopts the new one and imports everything', async () => {
    await world.imported(5);
    const theirs = world.remote.commit({ 'po/de.po': '' }, { onto: null });
    world.remote.tidy();
    await world.deps.clones.drop('r5');
    await componentsOf('r5');
    expect(await world.repository(5)).toMatchObject({ head: theirs, upstream: theirs, scanned: theirs });
    expect(world.translations.imports).toMatchObject([{ paths: ['po/de.po'], options: { complete: true } }]);
  });

  it('an unreachable remote is UNAVAILABLE, another failure of git is a FAILED_PRECONDITION', () => {
    expect(asServiceError(new GitError('unreachable', 'x'))).toMatchObject({ reason: 'UNAVAILABLE' });
    expect(asServiceError(new GitError('disk-full', 'x'))).toMatchObject({ reason: 'UNAVAILABLE' });
    expect(asServiceError(new GitError('no-branch', 'x'))).toMatchObject({ reason: 'FAILED_PRECONDITION' });
    const other = new Error('x');
    expect(asServiceError(other)).toBe(other);
  });
});
