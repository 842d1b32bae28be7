import { connectMongo, ensureIndexes } from '@parlance/store-kit';
import { engines } from '@parlance/testing';
import type { Connection } from 'mongoose';
import { RepositoryQueue } from '../src/app/repository/repository-queue';
import { LeaseLostError, newRepository } from '../src/domain/repository';
import { MongoWorkerStore } from '../src/store/component-index';
import { makeModels } from '../src/store/models';
import { MongoRepositoryStore } from '../src/store/repository-store';
import { MongoTaskStore } from '../src/store/task-store';
import { signal } from './support/signal';
import { uncached } from './support/uncached';

/** Longer than any pause of a busy machine. */
const LEASE_MS = 60_000;
/** Of a worker whose heartbeat or expiry a test waits for. */
const SHORT_LEASE_MS = 1_000;
describe('the queue for a repository', () => {
  let connection: Connection;
  let store: MongoRepositoryStore;
  let workers: MongoWorkerStore;
  let tasks: MongoTaskStore;
  let id = '';
  let count = 0;

  beforeAll(async () => {
    connection = (await connectMongo((await engines()).mongoUri('lease'), { autoIndex: false })).connection;
    const models = makeModels(connection);
    await ensureIndexes(models);
    store = new MongoRepositoryStore(models, uncached);
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

  const queue = (name: string, leaseMs = LEASE_MS) =>
    new RepositoryQueue(store, workers, name, leaseMs, async () => undefined);

  it('runs on a repository are exclusive and in FIFO order across workers', async () => {
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

  it('concurrent requests do not deadlock, in whatever order their tickets arrive', async () => {
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

  it('a ticket that its own worker has forgotten does not block the queue', async () => {
    const [a, b] = [queue('a', SHORT_LEASE_MS), queue('b')];
    await Promise.all([a.start(), b.start()]);
    // Released too late or never, because the store was unavailable.
    await store.enqueue(id, 'forgotten', 'a');
    await b.run(id, async () => undefined);
    await store.enqueue(id, 'forgotten', 'a');
    await a.run(id, async () => undefined);
    await Promise.all([a.stop(), b.stop()]);
  });

  it('a lease is renewed as long as its worker lives', async () => {
    const leaseMs = 4 * SHORT_LEASE_MS;
    const a = queue('a', leaseMs);
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
    // The lease is renewed more than once while the other worker waits.
    while ((await leaseOf()).getTime() < first.getTime() + 1.5 * leaseMs) continue;
    hold.done();
    expect(await token).toBe(1);
    expect(await second).toMatchObject({ token: 2, failure: 'mine' });
    await Promise.all([a.stop(), b.stop()]);
  });

  it('the lease of a dead worker is taken over, and that worker cannot write afterwards', async () => {
    // Without a heartbeat, like a killed or stalled process.
    const dead = queue('dead', SHORT_LEASE_MS);
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
    // Tickets of the dead worker do not block the queue.
    expect(await heir.run(id, async (session) => session.repository.token)).toBe(3);
    await heir.stop();
  });

  it('a cancelled waiter leaves the queue', async () => {
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
  const by = (worker: string, until = soon()) => ({ worker, until, running: [], takesOver: true, takesSuspects: true });

  it('the same work runs once for all requests made before it begins', async () => {
    const worker = queue('sharing');
    await worker.start();
    const hold = signal();
    const blocking = worker.run(id, () => hold.promise);
    let runs = 0;
    const ask = (cancelled?: AbortSignal) => worker.runShared(id, 'pull', async () => ++runs, cancelled);
    const cancelled = new AbortController();
    // A caller that shares a cancelled run gets a run of its own.
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

  it('a failed release of a lease is retried', async () => {
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

  it('the queue for a repository releases a lease whose grant was lost in transit, and a late request for it gets none', async () => {
    const losing = Object.create(store) as MongoRepositoryStore;
    const requests: Parameters<typeof store.acquire>[] = [];
    losing.acquire = async (...request) => {
      requests.push(request);
      const granted = await store.acquire(...request);
      if (requests.length === 1) throw new Error('connection lost');
      return granted;
    };
    const first = new RepositoryQueue(losing, workers, 'cut-off', 600_000, async () => undefined);
    const second = queue('patient');
    await Promise.all([first.start(), second.start()]);
    await expect(first.run(id, async () => undefined)).rejects.toThrow('connection lost');
    await first.run(id, async () => {
      expect(await store.acquire(...requests[0]!)).toBeNull();
    });
    expect(await store.acquire(...requests[0]!)).toBeNull();
    expect(await second.run(id, async () => 'mine')).toBe('mine');
    await Promise.all([first.stop(), second.stop()]);
  });

  it('leases and tickets of a worker whose process has ended are released immediately', async () => {
    const dead = `dead-${id}`;
    await workers.renew(dead, new Date(Date.now() + 600_000));
    await store.enqueue(id, `ticket-of-${dead}`, dead);
    expect(await store.acquire(id, dead, `ticket-of-${dead}`, new Date(Date.now() + 600_000))).not.toBeNull();
    const begun = { id: `held-by-${dead}`, kind: 'pull' as const, component: 1, user: 0, changed: [] };
    await tasks.begin(begun);
    expect(await tasks.claim(by(dead, new Date(Date.now() + 600_000)))).toMatchObject({ id: begun.id });
    await Promise.all([store.releaseAll(dead), tasks.releaseAll(dead)]);
    const heir = queue('successor');
    await heir.start();
    expect(await heir.run(id, async () => 'mine')).toBe('mine');
    await heir.stop();
    expect(await tasks.claim(by('successor', soon()))).toMatchObject({ id: begun.id, attempts: 2 });
    await tasks.finish(begun.id, 'successor', 'done', {});
  });
});
