import { ServiceError } from '@parlance/errors';
import { GitError } from '@parlance/git';
import { MemoryTaskStore } from '../../../test/support/memory/task-store';
import { signal } from '../../../test/support/signal';
import type { Task, TaskKind } from '../../domain/task';
import { TaskRunner, type TaskWork } from './task-runner';

function start(works: Partial<Record<TaskKind, TaskWork>>, paused = async () => false) {
  const tasks = new MemoryTaskStore();
  const effects: string[] = [];
  const ended = signal();
  const runner = new TaskRunner(
    tasks,
    works,
    'me',
    { concurrency: 2, leaseMs: 60_000, paused },
    async ({ id }: Task) => {
      effects.push(`announce the end of ${id}, stored as ${(await tasks.get(id))!.state}`);
      ended.done();
    },
  );
  const begin = (id: string, kind: TaskKind = 'commit') =>
    tasks.begin({ id, kind, component: 1, user: 0, changed: [] });
  return { tasks, effects, runner, begin, ended: ended.promise };
}

/** A task that runs until it is interrupted. */
const untilAborted =
  (begun: ReturnType<typeof signal>) =>
  ({ signal: cancelled }: { signal: AbortSignal }): Promise<never> => {
    begun.done();
    return new Promise((_resolve, reject) => {
      cancelled.addEventListener('abort', () => reject(new Error('aborted')));
    });
  };

describe('the task runner', () => {
  it('the end of a task is announced before users see it, and its result is stored', async () => {
    const { tasks, effects, runner, begin, ended } = start({ commit: async () => ({ component: 1 }) });
    await begin('t');
    runner.wake();
    await ended;
    await runner.stop(1_000);
    expect(effects).toEqual(['announce the end of t, stored as running']);
    expect(await tasks.get('t')).toMatchObject({ state: 'done', progress: 100, result: { component: 1 } });
  });

  it('an expected failure is shown to users, an unexpected one is not', async () => {
    const { tasks, runner, begin, ended } = start({
      commit: () => Promise.reject(new ServiceError('FAILED_PRECONDITION', { message: 'The branch is missing.' })),
      pull: () => Promise.reject(new Error('secret of the database')),
    });
    await begin('expected');
    await begin('unexpected', 'pull');
    runner.wake();
    await ended;
    await runner.stop(1_000);
    expect(await tasks.get('expected')).toMatchObject({
      state: 'failed',
      result: 'The branch is missing.',
      log: ['The branch is missing.'],
    });
    expect(await tasks.get('unexpected')).toMatchObject({ state: 'failed', result: 'An internal error occurred.' });
  });

  it('a task of an unsupported kind fails instead of being claimed again', async () => {
    const { tasks, runner, begin, ended } = start({});
    await begin('t', 'glossary');
    runner.wake();
    await ended;
    await runner.stop(1_000);
    expect((await tasks.get('t'))?.state).toBe('failed');
  });

  it('a task that an outage interrupted is deferred, keeps its attempts and counts no lost worker', async () => {
    const interrupted = signal();
    const { tasks, effects, runner, begin } = start({
      commit: () => {
        interrupted.done();
        return Promise.reject(new ServiceError('UNAVAILABLE', { message: 'The catalog is unreachable.' }));
      },
    });
    await begin('t');
    runner.wake();
    await interrupted.promise;
    await runner.stop(1_000);
    const task = await tasks.get('t');
    expect(task).toMatchObject({
      state: 'running',
      attempts: 1,
      log: ['The catalog is unreachable. It is tried again.'],
    });
    expect(task?.losses).toBeUndefined();
    expect(effects).toEqual([]);
  });

  it.each([
    ['git', new GitError('disk-full', 'There is no disk space left.')],
    ['a file', Object.assign(new Error('write'), { code: 'ENOSPC' })],
  ])('a task that a full disk interrupted in a write by %s is deferred', async (_writer, error) => {
    const interrupted = signal();
    const { tasks, runner, begin } = start({
      commit: () => {
        interrupted.done();
        return Promise.reject(error);
      },
    });
    await begin('t');
    runner.wake();
    await interrupted.promise;
    await runner.stop(1_000);
    expect(await tasks.get('t')).toMatchObject({
      state: 'running',
      attempts: 1,
      log: [expect.stringMatching(/no disk space left.* It is tried again\.$/)],
    });
  });

  it('no task starts during maintenance', async () => {
    const askedAgain = signal();
    let asked = 0;
    const { tasks, runner, begin } = start({ commit: async () => ({}) }, async () => {
      if (++asked === 2) askedAgain.done();
      return true;
    });
    await begin('t');
    runner.wake();
    runner.wake();
    await askedAgain.promise;
    await runner.stop(1_000);
    expect(await tasks.get('t')).toMatchObject({ state: 'waiting', attempts: 0 });
  });

  it('at most `concurrency` tasks run at once', async () => {
    const hold = signal();
    const bothRun = signal();
    let running = 0;
    let most = 0;
    const { tasks, runner, begin } = start({
      commit: async () => {
        most = Math.max(most, ++running);
        if (running === 2) bothRun.done();
        await hold.promise;
        running--;
        return {};
      },
    });
    for (const id of ['a', 'b', 'c']) await begin(id);
    runner.wake();
    await bothRun.promise;
    expect((await tasks.get('c'))?.state).toBe('waiting');
    hold.done();
    await runner.stop(1_000);
    expect(most).toBe(2);
  });

  it('a task that does not end before the worker stops returns to the queue without a used attempt', async () => {
    const begun = signal();
    const { tasks, effects, runner, begin } = start({ commit: untilAborted(begun) });
    await begin('t');
    runner.wake();
    await begun.promise;
    await runner.stop(0);
    expect(await tasks.get('t')).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(effects).toEqual([]);
  });

  it('a task that lost its worker too often is set aside and its end is announced', async () => {
    const { tasks, effects, runner, begin, ended } = start({ commit: async () => ({}) });
    await begin('t');
    const lost = { until: new Date(0), running: [], takesOver: true, takesSuspects: true };
    await tasks.claim({ ...lost, worker: 'first' });
    await tasks.claim({ ...lost, worker: 'second' });
    runner.wake();
    await ended;
    await runner.stop(1_000);
    expect(effects).toEqual(['announce the end of t, stored as failed']);
    expect(await tasks.get('t')).toMatchObject({ state: 'failed', losses: 2, attempts: 2 });
  });

  it('a cancelled task is interrupted and stays cancelled', async () => {
    const begun = signal();
    const { tasks, runner, begin, ended } = start({ commit: untilAborted(begun) });
    await begin('t');
    runner.wake();
    await begun.promise;
    await tasks.cancel('t');
    runner.cancel('t');
    await ended;
    await runner.stop(1_000);
    expect((await tasks.get('t'))?.state).toBe('cancelled');
  });
});
