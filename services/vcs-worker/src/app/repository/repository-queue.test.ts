import { newEvent } from '@parlance/events';
import { Effects } from '../../../test/support/memory/effects';
import { MemoryRepositoryStore, MemoryWorkerStore } from '../../../test/support/memory/repository-store';
import { reasonOf } from '../../../test/support/memory/world';
import { signal } from '../../../test/support/signal';
import { newRepository } from '../../domain/repository';
import { RepositoryQueue } from './repository-queue';

async function start() {
  const effects = new Effects();
  const store = new MemoryRepositoryStore(effects);
  const workers = new MemoryWorkerStore();
  await store.insert(newRepository({ id: 'r', owner: 1, task: '', vcs: 'git', repo: '', branch: 'main' }));
  effects.clear();
  const queueOf = (worker: string) =>
    new RepositoryQueue(store, workers, worker, 60_000, async (_, events) => effects.add(`announce ${events.length}`));
  return { effects, store, workers, queueOf, queue: queueOf('me') };
}

describe('the queue of a repository', () => {
  it('the lease is taken before the work and released after it, also when the work fails', async () => {
    const { effects, queue } = await start();
    await queue.run('r', async () => effects.add('work'));
    await expect(queue.run('r', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(effects.list).toEqual(['acquire lease', 'work', 'release lease', 'acquire lease', 'release lease']);
    expect(queue.busy).toBe(0);
  });

  it('runs of one worker are exclusive and keep their order', async () => {
    const { effects, queue } = await start();
    const hold = signal();
    const first = queue.run('r', async () => {
      await hold.promise;
      effects.add('first');
    });
    const second = queue.run('r', async () => effects.add('second'));
    hold.done();
    await Promise.all([first, second]);
    expect(effects.list.filter((effect) => !effect.includes('lease'))).toEqual(['first', 'second']);
  });

  it('a write is stored with its events before they are announced', async () => {
    const { effects, queue } = await start();
    const event = newEvent('vcs-worker', 'componentLockRequested', { componentId: 1, locked: true, reason: '' }, 1);
    await queue.run('r', async (session) => {
      await session.write({ failure: 'x' }, [event]);
      expect(session.repository.failure).toBe('x');
    });
    expect(effects.list).toEqual([
      'acquire lease',
      'write failure,componentLockRequested',
      'announce 1',
      'release lease',
    ]);
  });

  it('a write after another worker took the lease over is refused, and the work fails as UNAVAILABLE', async () => {
    const { effects, store, queue } = await start();
    const work = queue.run('r', async (session) => {
      await store.releaseAll('me');
      await store.enqueue('r', 'theirs', 'other');
      await store.acquire('r', 'other', 'theirs', new Date(Date.now() + 60_000));
      await session.write({ failure: 'mine' });
    });
    expect(await reasonOf(work)).toBe('UNAVAILABLE');
    expect((await store.get('r'))?.failure).toBe('');
    expect(effects.list).not.toContain('write failure');
  });

  it('a deleted repository is refused as NOT_FOUND', async () => {
    const { queue } = await start();
    expect(await reasonOf(queue.run('deleted', async () => undefined))).toBe('NOT_FOUND');
  });

  it('cancelled work does not start and leaves no ticket', async () => {
    const { effects, store, queue } = await start();
    const work = queue.run('r', async () => effects.add('work'), AbortSignal.abort());
    expect(await reasonOf(work)).toBe('FAILED_PRECONDITION');
    expect(effects.list).toEqual([]);
    expect(await store.ticketsOf('me')).toEqual([]);
  });

  it('tickets of dead workers do not block the queue', async () => {
    const { store, workers, queue } = await start();
    await store.enqueue('r', 'abandoned', 'dead');
    await workers.renew('me', new Date(Date.now() + 60_000));
    await queue.run('r', async () => undefined);
    expect(await store.ticketsOf('dead')).toEqual([]);
  });

  it('calls with one key share a run that waits, but not one that has begun', async () => {
    const { queue } = await start();
    const hold = signal();
    const begun = signal();
    let runs = 0;
    const work = async () => {
      begun.done();
      await hold.promise;
      return ++runs;
    };
    const first = queue.runShared('r', 'pull', work);
    await begun.promise;
    const [second, third] = [queue.runShared('r', 'pull', work), queue.runShared('r', 'pull', work)];
    const other = queue.runShared('r', 'push', work);
    hold.done();
    expect(await Promise.all([first, second, third, other])).toEqual([1, 2, 2, 3]);
  });

  it('a call whose shared run was cancelled by another caller runs by itself', async () => {
    const { queue } = await start();
    const hold = signal();
    const before = queue.run('r', () => hold.promise);
    const control = new AbortController();
    const leader = queue.runShared('r', 'pull', async () => 'leader', control.signal);
    const follower = queue.runShared('r', 'pull', async () => 'follower');
    control.abort();
    hold.done();
    await before;
    expect(await reasonOf(leader)).toBe('FAILED_PRECONDITION');
    expect(await follower).toBe('follower');
  });
});
