import { ServiceError } from '@parlance/errors';
import { connectMongo, ensureIndexes } from '@parlance/store-kit';
import { engines } from '@parlance/testing';
import type { Connection } from 'mongoose';
import { TaskRunner } from '../src/app/tasks/task-runner';
import { SET_ASIDE } from '../src/domain/task';
import { makeModels } from '../src/store/models';
import { MongoTaskStore } from '../src/store/task-store';
import { signal } from './support/signal';

/** Maintenance mode is off. */
const running = async () => false;

describe('background tasks', () => {
  let connection: Connection;
  let tasks: MongoTaskStore;
  /** The store of another replica, with a connection of its own. */
  let replica: { connection: Connection; tasks: MongoTaskStore };
  let id = '';
  let count = 0;

  beforeAll(async () => {
    const { mongoUri } = await engines();
    const connect = async () => (await connectMongo(mongoUri('tasks'), { autoIndex: false })).connection;
    connection = await connect();
    const models = makeModels(connection);
    await ensureIndexes(models);
    tasks = new MongoTaskStore(models);
    const second = await connect();
    replica = { connection: second, tasks: new MongoTaskStore(makeModels(second)) };
  });
  afterAll(async () => {
    await replica.connection.close();
    await connection.dropDatabase();
    await connection.close();
  });
  beforeEach(() => {
    id = `task${++count}`;
  });

  const soon = () => new Date(Date.now() + 60_000);
  const by = (worker: string, until = soon(), running: string[] = []) => ({
    worker,
    until,
    running,
    takesOver: true,
    takesSuspects: true,
  });
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

  it('a task of a dead worker is run by another worker', async () => {
    const begun = { id: `task-of-${id}`, kind: 'pull' as const, component: 1, user: 0, changed: [] };
    await tasks.begin(begun);
    await tasks.begin(begun);
    expect(await tasks.claim(by('dead', new Date(Date.now() - 1)))).toMatchObject({ id: begun.id, attempts: 1 });
    expect(await tasks.claim(by('heir'))).toMatchObject({ id: begun.id, attempts: 2 });
    expect(await tasks.claim(by('third'))).toBeNull();
    expect(await tasks.report(begun.id, 'dead', { progress: 50 })).toBe(false);
    await tasks.finish(begun.id, 'dead', 'failed', 'too late');
    expect(await tasks.report(begun.id, 'heir', { lines: ['a', 'b'.repeat(5000)] })).toBe(true);
    await tasks.finish(begun.id, 'heir', 'done', { component: 1 });
    const task = await tasks.get(begun.id);
    expect(task).toMatchObject({ state: 'done', progress: 100, result: { component: 1 } });
    expect(task!.log.map((line) => line.length)).toEqual([1, 2000]);
    await tasks.begin(begun);
    expect(await tasks.claim(by('heir'))).toBeNull();
  });

  it('waiting pulls of a component are merged across replicas', async () => {
    const component = 500_000 + count;
    const replicas = [tasks, replica.tasks];
    const ids = Array.from({ length: 30 }, (_, i) => `pull-${id}-${i}`);
    await Promise.all(ids.map((pull, i) => replicas[i % 2]!.beginPull(pull, component, 0)));
    const first = (await tasks.claim(by('a', soon())))!;
    expect(first).toMatchObject({ kind: 'pull', component });
    expect(await tasks.claim(by('a', soon(), [first.id]))).toBeNull();
    for (const pull of ids) expect((await tasks.get(pull))?.id).toBe(first.id);

    // The remote may have been fetched before these were announced, so they are one more pull. Repeated announcements are
    // ignored.
    const late = [`late-${id}-1`, `late-${id}-2`];
    for (const pull of [...late, ...late, ...ids]) await tasks.beginPull(pull, component, 0);
    await tasks.finish(first.id, 'a', 'done', {});
    const second = (await tasks.claim(by('a', soon())))!;
    expect([second.component, await tasks.claim(by('a', soon(), [second.id]))]).toEqual([component, null]);
    for (const pull of late) expect((await tasks.get(pull))?.id).toBe(second.id);
    for (const pull of [...ids, ...late]) await tasks.beginPull(pull, component, 0);
    await tasks.finish(second.id, 'a', 'done', {});
    expect(await tasks.claim(by('a', soon()))).toBeNull();
  });

  it('a pull is debounced', async () => {
    await tasks.beginPull(`waiting-${id}`, 600_000 + count, 60_000);
    await tasks.beginPull(`other-${id}`, 700_000 + count, 0);
    expect((await tasks.claim(by('a', soon())))?.id).toBe(`other-${id}`);
    expect(await tasks.claim(by('a', soon(), [`other-${id}`]))).toBeNull();
    await tasks.cancel(`waiting-${id}`);
    await tasks.beginPull(`second-${id}`, 600_000 + count, 0);
    expect((await tasks.claim(by('a', soon(), [`other-${id}`])))?.id).toBe(`second-${id}`);
    await tasks.finish(`other-${id}`, 'a', 'done', {});
    await tasks.finish(`second-${id}`, 'a', 'done', {});
  });

  it('a task interrupted by an outage is retried long before its lease expires', async () => {
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
      { concurrency: 1, leaseMs: 600_000, paused: running },
      async () => ended.done(),
    );
    runner.start();
    await ended.promise;
    await runner.stop(1000);
    expect(await tasks.get(begun.id)).toMatchObject({ state: 'done', attempts: 3 });
  });

  it('a claim whose answer was lost is repeated at once by the same worker', async () => {
    const begun = { id, kind: 'pull' as const, component: 1, user: 0, changed: [] };
    await tasks.begin(begun);
    expect(await tasks.claim(by('cut-off'))).toMatchObject({ id });
    expect(await tasks.claim(by('cut-off', soon(), [id]))).toBeNull();
    expect(await tasks.claim(by('other'))).toBeNull();
    const repeated = await tasks.claim(by('cut-off'));
    expect(repeated).toMatchObject({ id, attempts: 2 });
    expect(repeated?.losses).toBeUndefined();
    await tasks.finish(id, 'cut-off', 'done', {});
  });

  it('no task starts in maintenance mode, running ones finish, and waiting ones start afterwards', async () => {
    const begun = { kind: 'pull' as const, component: 1, user: 0, changed: [] };
    const [first, second] = [`first-${id}`, `second-${id}`];
    const [began, hold, refused, ended] = [signal(), signal(), signal(), signal()];
    let firstRuns = false;
    let maintenance: boolean | undefined;
    let asked = 0;
    const runner = new TaskRunner(
      tasks,
      {
        pull: async ({ task }) => {
          if (task.id !== first) return {};
          firstRuns = true;
          await hold.promise;
          return {};
        },
      },
      `worker-${id}`,
      {
        concurrency: 2,
        leaseMs: 600_000,
        paused: async () => {
          // Rounds are serial: it begins when the round that claimed the first task can claim no further one.
          if (firstRuns && maintenance === undefined) {
            maintenance = true;
            began.done();
          }
          // At the second question, a task of the round of the first one would have been claimed.
          if (maintenance && (await tasks.get(first))?.state === 'done' && ++asked === 2) refused.done();
          return maintenance ?? false;
        },
      },
      async ({ id: task }) => {
        if (task === second) ended.done();
      },
    );
    await tasks.begin({ ...begun, id: first });
    runner.start();
    await began.promise;
    await tasks.begin({ ...begun, id: second });
    hold.done();
    await Promise.race([refused.promise, ended.promise]);
    expect(await tasks.get(second)).toMatchObject({ state: 'waiting', attempts: 0 });
    maintenance = false;
    await ended.promise;
    await runner.stop(1000);
    expect(await tasks.get(second)).toMatchObject({ state: 'done', attempts: 1 });
  });

  it('the log of a task is bounded', async () => {
    const reported = `report-of-${id}`;
    for (let round = 0; round < 3; round++)
      await tasks.upsertReport(
        { ...report, id: reported, log: Array.from({ length: 1000 }, (_, at) => `${round} ${at}`) },
        soon(),
      );
    const task = await tasks.get(reported);
    expect(task!.log).toHaveLength(2000);
    expect(task!.log[0]).toBe('1 0');
    expect(await tasks.claim(by('another'))).toBeNull();
    await tasks.cancel(reported);
    expect(await tasks.get(reported)).toMatchObject({ state: 'cancelled' });
  });

  it('a task of another service without further reports is failed', async () => {
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

  it('a task that crashes its workers twice is not run a third time and does not block others', async () => {
    const begun = { kind: 'pull' as const, component: 1, user: 0, changed: [] };
    const [deadly, innocent] = [`deadly-${id}`, `innocent-${id}`];
    const started: string[] = [];
    const announced: string[] = [];
    const ended = signal();
    /** A worker whose heartbeat stops once it runs a task, like a hanging or killed process. */
    const stalling = (name: string) =>
      new TaskRunner(
        tasks,
        {
          pull: ({ task }) => {
            started.push(`${name} ${task.id}`);
            return new Promise(() => undefined);
          },
        },
        name,
        { concurrency: 1, leaseMs: 300, paused: running },
        async () => undefined,
      );
    const healthy = new TaskRunner(
      tasks,
      {
        pull: async ({ task }) => {
          started.push(`healthy ${task.id}`);
          return {};
        },
      },
      `healthy-${id}`,
      { concurrency: 2, leaseMs: 300, paused: running },
      async (task) => {
        announced.push(task.id);
        if (announced.length === 2) ended.done();
      },
    );
    await tasks.begin({ ...begun, id: deadly });
    stalling('first').wake();
    await until(() => started.length === 1);
    await expired(deadly);
    stalling('second').wake();
    await until(() => started.length === 2);
    await tasks.begin({ ...begun, id: innocent });
    await expired(deadly);
    healthy.wake();
    await ended.promise;
    await healthy.stop(1_000);
    expect(started).toEqual([`first ${deadly}`, `second ${deadly}`, `healthy ${innocent}`]);
    expect(announced.sort()).toEqual([deadly, innocent].sort());
    const task = await tasks.get(deadly);
    expect(task).toMatchObject({ state: 'failed', result: SET_ASIDE, progress: 100, attempts: 2, losses: 2 });
    expect(task!.log.at(-1)).toBe(SET_ASIDE);
    expect(await tasks.wasSetAside('pull', 1, new Date(0))).toBe(true);
    expect(await tasks.wasSetAside('commit', 1, new Date(0))).toBe(false);
    expect(await tasks.get(innocent)).toMatchObject({ state: 'done', attempts: 1 });
  });

  it('a failed, cancelled or set-aside task runs again when an operator retries it, as if it had never run', async () => {
    const begun = { kind: 'commit' as const, component: 77, user: 0, changed: [] };
    const [failed, cancelled, lost] = [`failed-${id}`, `cancelled-${id}`, `lost-${id}`];
    for (const task of [failed, cancelled, lost]) await tasks.begin({ ...begun, id: task });
    await tasks.claim(by('a'));
    await tasks.finish(failed, 'a', 'failed', 'no such branch');
    await tasks.cancel(cancelled);
    await tasks.claim(by('dead', new Date(Date.now() - 1)));
    await tasks.claim(by('dead too', new Date(Date.now() - 1)));
    expect(await tasks.setAside(new Date())).toMatchObject({ id: lost });

    const [filter, page] = [
      { states: [], component: 77 },
      { size: 10, skip: 0 },
    ];
    expect((await tasks.list(filter, page)).map((task) => [task.id, task.state, task.losses, task.attempts])).toEqual([
      [lost, 'failed', 2, 2],
      [cancelled, 'cancelled', 0, 0],
      [failed, 'failed', 0, 1],
    ]);
    expect((await tasks.list({ ...filter, states: ['cancelled'] }, page)).map((task) => task.id)).toEqual([cancelled]);
    expect((await tasks.list(filter, { size: 1, skip: 1 })).map((task) => task.id)).toEqual([cancelled]);

    for (const task of [failed, cancelled, lost]) expect(await tasks.retry(task)).toBe(true);
    expect(await tasks.wasSetAside('commit', 77, new Date(0))).toBe(false);
    const again: Awaited<ReturnType<typeof tasks.claim>>[] = [];
    for (let n = 0; n < 3; n++)
      again.push(
        await tasks.claim(
          by(
            'b',
            soon(),
            again.map((task) => task!.id),
          ),
        ),
      );
    expect(again.map((task) => [task!.id, task!.attempts, task!.losses, task!.result])).toEqual([
      [failed, 1, undefined, null],
      [cancelled, 1, undefined, null],
      [lost, 1, undefined, null],
    ]);
    expect(await tasks.retry(failed)).toBe(false);
    for (const task of [failed, cancelled, lost]) await tasks.finish(task, 'b', 'done', {});
    expect(await tasks.retry(failed)).toBe(false);
    await tasks.upsertReport({ ...report, id: `other-${id}`, state: 'failed' }, soon());
    expect(await tasks.retry(`other-${id}`)).toBe(false);
  });

  it('a task that lost a worker runs beside fresh tasks but not beside another such task', async () => {
    const begun = { kind: 'pull' as const, component: 1, user: 0, changed: [] };
    const [a, b, fresh] = [`a-${id}`, `b-${id}`, `fresh-${id}`];
    for (const task of [a, b]) {
      await tasks.begin({ ...begun, id: task });
      await tasks.claim(by('dead', new Date(Date.now() - 1)));
    }
    await tasks.begin({ ...begun, id: fresh });
    expect(await tasks.claim(by('heir'))).toMatchObject({ id: fresh });
    expect(await tasks.claim(by('heir', soon(), [fresh]))).toMatchObject({ id: a, losses: 1 });
    expect(await tasks.claim({ ...by('heir', soon(), [fresh, a]), takesSuspects: false })).toBeNull();
    expect(await tasks.claim(by('heir', soon(), [fresh, a]))).toMatchObject({ id: b, losses: 1 });
    for (const [task, worker] of [
      [a, 'heir'],
      [b, 'heir'],
      [fresh, 'heir'],
    ] as const)
      await tasks.finish(task, worker, 'done', {});
  });

  it('a task that its own worker deferred loses no worker', async () => {
    const begun = { id: `deferred-${id}`, kind: 'pull' as const, component: 1, user: 0, changed: [] };
    await tasks.begin(begun);
    for (let attempt = 1; attempt <= 4; attempt++) {
      const task = await tasks.claim({ ...by(`worker${attempt}`, new Date(Date.now() - 1)), takesOver: false });
      expect(task).toMatchObject({ id: begun.id, attempts: attempt });
      expect(task!.losses).toBeUndefined();
      await tasks.defer(begun.id, `worker${attempt}`);
    }
    expect(await tasks.setAside(new Date())).toBeNull();
    await tasks.cancel(begun.id);
  });

  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve));
  };
  /** Waits until the lease of a task has run out. */
  const expired = async (task: string): Promise<void> => {
    const open = () => ({ _id: task as never, leaseUntil: { $lt: new Date() } });
    while (!(await connection.collection('tasks').findOne(open()))) continue;
  };
});
