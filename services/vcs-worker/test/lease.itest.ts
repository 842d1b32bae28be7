import { ensureIndexes } from '@parlance/store-kit';
import { engines } from '@parlance/testing';
import { ServiceError } from '@parlance/errors';
import { createConnection, type Connection } from 'mongoose';
import { RepositoryQueue } from '../src/app/repository-queue';
import { TaskRunner } from '../src/app/task-runner';
import { LeaseLostError, newRepository } from '../src/domain/repository';
import { MongoWorkerStore } from '../src/store/component-index';
import { makeModels } from '../src/store/models';
import { MongoRepositoryStore } from '../src/store/repository-store';
import { MongoTaskStore } from '../src/store/task-store';

const LEASE_MS = 1_000;

function signal(): { promise: Promise<void>; done: () => void } {
  let done = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    done = resolve;
  });
  return { promise, done };
}

describe('the queue for a repository', () => {
  let connection: Connection;
  let store: MongoRepositoryStore;
  let workers: MongoWorkerStore;
  let tasks: MongoTaskStore;
  let id = '';
  let count = 0;

  beforeAll(async () => {
    connection = await createConnection((await engines()).mongoUri('lease'), { autoIndex: false }).asPromise();
    const models = makeModels(connection);
    await ensureIndexes(models);
    store = new MongoRepositoryStore(models);
    workers = new MongoWorkerStore(models);
    tasks = new MongoTaskStore(models);
  });
  afterAll(async () => {
    await connection.dropDatabase();
    await connection.close();
  });
  beforeEach(async () => {
    id = `repository${++count}`;
    await store.insert(newRepository({ id, task: id, vcs: 'git', repo: 'x', branch: 'main' }));
  });

  const queue = (name: string) => new RepositoryQueue(store, workers, name, LEASE_MS, async () => undefined);

  it('works in the order of asking, one at a time, over several workers', async () => {
    const [a, b] = [queue('a'), queue('b')];
    await Promise.all([a.start(), b.start()]);
    const order: string[] = [];
    let inside = 0;
    const hold = signal();
    const work = (name: string, wait?: Promise<void>) => async () => {
      expect(++inside).toBe(1);
      await wait;
      order.push(name);
      inside--;
    };
    const inQueue = async (length: number) => {
      while (
        ((await connection.collection('repositories').findOne({ _id: id as never }))!['queue'] as unknown[]).length <
        length
      )
        continue;
    };
    const all = [a.run(id, work('a1', hold.promise))];
    await inQueue(1);
    all.push(b.run(id, work('b1')));
    await inQueue(2);
    all.push(a.run(id, work('a2')));
    await inQueue(3);
    all.push(b.run(id, work('b2')));
    await inQueue(4);
    hold.done();
    await Promise.all(all);
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2']);
    await Promise.all([a.stop(), b.stop()]);
  });

  it('stands still neither when many ask at the same moment, in whatever order their tickets arrive', async () => {
    const [a, b] = [queue('a'), queue('b')];
    await Promise.all([a.start(), b.start()]);
    let inside = 0;
    let done = 0;
    const work = async () => {
      expect(++inside).toBe(1);
      await store.get(id);
      inside--;
      done++;
    };
    await Promise.all(Array.from({ length: 60 }, (_, i) => (i % 2 ? a : b).run(id, work)));
    expect(done).toBe(60);
    await Promise.all([a.stop(), b.stop()]);
  });

  it('stands still neither behind a ticket that its own worker has forgotten', async () => {
    const [a, b] = [queue('a'), queue('b')];
    await Promise.all([a.start(), b.start()]);
    // Given back too late or never: the store was away for a moment.
    await store.enqueue(id, 'forgotten', 'a');
    await b.run(id, async () => undefined);
    await store.enqueue(id, 'forgotten', 'a');
    await a.run(id, async () => undefined);
    await Promise.all([a.stop(), b.stop()]);
  });

  it('keeps a lease as long as its worker lives', async () => {
    const a = queue('a');
    await a.start();
    const b = queue('b');
    await b.start();
    const hold = signal();
    const token = a.run(id, async (session) => {
      await hold.promise;
      await session.write({ failure: 'mine' });
      return session.repository.token;
    });
    const leaseOf = async () =>
      (await connection.collection('repositories').findOne({ _id: id as never }))!['leaseUntil'] as Date;
    while ((await leaseOf()).getTime() === 0) continue;
    const first = await leaseOf();
    const second = b.run(id, async (session) => session.repository);
    // The lease is prolonged, more than once, while the other waits.
    while ((await leaseOf()).getTime() < first.getTime() + 2 * LEASE_MS) continue;
    hold.done();
    expect(await token).toBe(1);
    expect(await second).toMatchObject({ token: 2, failure: 'mine' });
    await Promise.all([a.stop(), b.stop()]);
  });

  it('passes a repository on when its worker is gone, and that worker cannot write any more', async () => {
    // It never tells that it lives: the same as a process that was killed or stands still.
    const dead = queue('dead');
    const heir = queue('heir');
    await heir.start();
    const hold = signal();
    const begun = signal();
    const lost = dead.run(id, async (session) => {
      begun.done();
      await hold.promise;
      await expect(session.write({ failure: 'too late' })).rejects.toBeInstanceOf(LeaseLostError);
      await session.write({ failure: 'too late' });
    });
    await begun.promise;
    expect(
      await heir.run(id, async (session) => (await session.write({ failure: 'taken over' }), session.repository.token)),
    ).toBe(2);
    hold.done();
    await expect(lost).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    expect(await store.get(id)).toMatchObject({ failure: 'taken over', token: 2 });
    // What the dead one left in the queue keeps nobody waiting.
    expect(await heir.run(id, async (session) => session.repository.token)).toBe(3);
    await heir.stop();
  });

  it('lets go of those who do not want to wait any more', async () => {
    const a = queue('a');
    await a.start();
    const hold = signal();
    const stop = new AbortController();
    const running = a.run(id, () => hold.promise);
    const other = queue('b');
    await other.start();
    const waiting = other.run(id, async () => undefined, stop.signal);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ reason: 'FAILED_PRECONDITION' });
    hold.done();
    await running;
    expect(
      ((await connection.collection('repositories').findOne({ _id: id as never }))!['queue'] as unknown[]).length,
    ).toBe(0);
    await expect(a.run('nothing', async () => undefined)).rejects.toMatchObject({ reason: 'NOT_FOUND' });
    await Promise.all([a.stop(), other.stop()]);
  });

  const soon = () => new Date(Date.now() + 60_000);
  const report = {
    kind: 'report' as const,
    component: 1,
    user: 0,
    state: 'running' as const,
    progress: 10,
    result: undefined,
    log: [],
    changed: [],
    attempts: 0,
  };

  it('runs the same work once for all who ask before it begins', async () => {
    const worker = queue('sharing');
    await worker.start();
    const hold = signal();
    const blocking = worker.run(id, () => hold.promise);
    let runs = 0;
    const ask = (cancelled?: AbortSignal) => worker.runShared(id, 'pull', async () => ++runs, cancelled);
    const cancelled = new AbortController();
    // Who joins a run that is cancelled gets one of their own.
    const first = ask(cancelled.signal);
    const others = [ask(), ask()];
    cancelled.abort();
    hold.done();
    await blocking;
    await expect(first).rejects.toThrow('cancelled');
    expect(await Promise.all(others)).toEqual([1, 1]);
    expect(await ask()).toBe(2);
    await worker.stop();
  });

  it('gives back a lease whose release the store did not take at first', async () => {
    const failing = Object.create(store) as MongoRepositoryStore;
    let failures = 2;
    failing.release = (...args) => (failures-- > 0 ? Promise.reject(new Error('unreachable')) : store.release(...args));
    const first = new RepositoryQueue(failing, workers, 'unlucky', 600_000, async () => undefined);
    const second = queue('patient');
    await Promise.all([first.start(), second.start()]);
    await first.run(id, async () => undefined);
    expect(await second.run(id, async () => 'mine')).toBe('mine');
    await Promise.all([first.stop(), second.stop()]);
  });

  it('passes everything on at once that a worker held whose process has ended', async () => {
    const dead = `dead-${id}`;
    await workers.beat(dead, new Date(Date.now() + 600_000));
    await store.enqueue(id, `ticket-of-${dead}`, dead);
    expect(await store.acquire(id, dead, new Date(Date.now() + 600_000))).not.toBeNull();
    const begun = { id: `held-by-${dead}`, kind: 'pull' as const, component: 1, user: 0, changed: [] };
    await tasks.begin(begun);
    expect(await tasks.claim(dead, new Date(Date.now() + 600_000))).toMatchObject({ id: begun.id });
    await Promise.all([store.releaseAll(dead), tasks.releaseAll(dead)]);
    const heir = queue('successor');
    await heir.start();
    expect(await heir.run(id, async () => 'mine')).toBe('mine');
    await heir.stop();
    expect(await tasks.claim('successor', soon())).toMatchObject({ id: begun.id, attempts: 2 });
    await tasks.finish(begun.id, 'successor', 'done', {});
  });

  it('lets another worker run the task of one that is gone', async () => {
    const begun = { id: `task-of-${id}`, kind: 'pull' as const, component: 1, user: 0, changed: [] };
    await tasks.begin(begun);
    await tasks.begin(begun);
    expect(await tasks.claim('dead', new Date(Date.now() - 1))).toMatchObject({ id: begun.id, attempts: 1 });
    expect(await tasks.claim('heir', soon())).toMatchObject({ id: begun.id, attempts: 2 });
    expect(await tasks.claim('third', soon())).toBeNull();
    expect(await tasks.report(begun.id, 'dead', { progress: 50 })).toBe(false);
    await tasks.finish(begun.id, 'dead', 'failed', 'too late');
    expect(await tasks.report(begun.id, 'heir', { lines: ['a', 'b'.repeat(5000)] })).toBe(true);
    await tasks.finish(begun.id, 'heir', 'done', { component: 1 });
    const task = await tasks.get(begun.id);
    expect(task).toMatchObject({ state: 'done', progress: 100, result: { component: 1 } });
    expect(task!.log.map((line) => line.length)).toEqual([1, 2000]);
    await tasks.begin(begun);
    expect(await tasks.claim('heir', soon())).toBeNull();
  });

  it('retries a task that an outage interrupted long before its lease runs out', async () => {
    const begun = { id: `interrupted-${id}`, kind: 'pull' as const, component: 1, user: 0, changed: [] };
    await tasks.begin(begun);
    const failures = [new ServiceError('UNAVAILABLE'), new ServiceError('DEADLINE_EXCEEDED')];
    const ended = signal();
    const runner = new TaskRunner(
      tasks,
      {
        pull: async () => {
          const failure = failures.shift();
          if (failure) throw failure;
          return { component: 1 };
        },
      },
      `worker-${id}`,
      { concurrency: 1, leaseMs: 600_000 },
      async () => ended.done(),
    );
    runner.start();
    await ended.promise;
    await runner.stop(1000);
    expect(await tasks.get(begun.id)).toMatchObject({ state: 'done', attempts: 3 });
  });

  it('keeps a log within bounds', async () => {
    const reported = `report-of-${id}`;
    for (let round = 0; round < 3; round++)
      await tasks.upsertReport(
        { ...report, id: reported, log: Array.from({ length: 1000 }, (_, at) => `${round} ${at}`) },
        soon(),
      );
    const task = await tasks.get(reported);
    expect(task!.log).toHaveLength(2000);
    expect(task!.log[0]).toBe('1 0');
    expect(await tasks.claim('anybody', new Date(Date.now() + 60_000))).toBeNull();
    await tasks.cancel(reported);
    expect(await tasks.get(reported)).toMatchObject({ state: 'cancelled' });
  });

  it('ends what another service began and does not report any more', async () => {
    const [silent, busy, done] = [`silent-${id}`, `busy-${id}`, `done-${id}`];
    await tasks.upsertReport({ ...report, id: silent }, soon());
    await tasks.upsertReport({ ...report, id: done, state: 'done', progress: 100, result: { all: true } }, soon());
    const later = new Date(soon().getTime() + 1000);
    await tasks.upsertReport({ ...report, id: busy }, new Date(later.getTime() + 1000));
    await tasks.endSilentReports(later);
    expect(await tasks.get(silent)).toMatchObject({ state: 'failed', result: 'The work was interrupted.' });
    expect(await tasks.get(busy)).toMatchObject({ state: 'running', progress: 10 });
    expect(await tasks.get(done)).toMatchObject({ state: 'done', result: { all: true } });
  });
});
