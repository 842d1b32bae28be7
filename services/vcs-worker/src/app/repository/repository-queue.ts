import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '@parlance/errors';
import type { OutgoingEvent } from '@parlance/events';
import { counter, logger } from '@parlance/telemetry';
import {
  LeaseLostError,
  stateTimes,
  type Repository,
  type RepositoryChange,
  type RepositoryStore,
  type WorkerStore,
} from '../../domain/repository';
import { MeasuredLease } from '../measures';

const leasesLost = counter('parlance_repository_leases_lost_total');

/** Polling interval of a waiting worker, in milliseconds. */
const POLL_MS = 100;
/** Interval of retries of a failed release, in milliseconds. */
const RELEASE_RETRY_MS = 500;
/** Number of polls between checks for dead workers. */
const CHECK_EVERY = 10;

/** A run that waits for its repository, and its abort controller. */
interface SharedRun<T> {
  result: Promise<T>;
  signal: AbortSignal | undefined;
}

/** The right to work on a repository while the lease is held. */
export class Session {
  constructor(
    private current: Repository,
    /** Aborted when the lease is lost or the work is cancelled. */
    readonly signal: AbortSignal,
    private readonly store: Pick<RepositoryStore, 'write'>,
    private readonly publish: (repository: string, events: OutgoingEvent[]) => Promise<void>,
  ) {}

  get repository(): Repository {
    return this.current;
  }

  /** Writes changes and their events atomically (outbox). @throws LeaseLostError */
  async write(change: RepositoryChange, events: OutgoingEvent[] = []): Promise<void> {
    const written = { ...change, ...stateTimes(this.current, change, Date.now()) };
    await this.store.write(this.current.id, this.current.token, written, events);
    this.current = { ...this.current, ...written };
    if (events.length > 0) await this.publish(this.current.id, events);
  }
}

/**
 * FIFO lock of repositories across workers. The order of runs within a worker is kept in memory. A ticket in the store only states the next
 * worker, because the tickets of a worker may arrive out of order. The lease is stored and renewed during the work; it expires if its
 * worker dies. Each lease has a higher fencing token than the previous one, and all writes carry it, so a stalled worker cannot write after
 * losing its lease.
 */
export class RepositoryQueue {
  private readonly tails = new Map<string, Promise<void>>();
  /** Tickets in use by this process. */
  private readonly tickets = new Set<string>();
  /** Waiting runs by repository and key. */
  private readonly waitingRuns = new Map<string, SharedRun<unknown>>();
  private timer: NodeJS.Timeout | undefined;
  private readonly sessions = new Map<string, { id: string; token: number; lost: () => void }>();

  constructor(
    private readonly store: RepositoryStore,
    private readonly workers: WorkerStore,
    private readonly worker: string,
    private readonly leaseMs: number,
    private readonly publish: (repository: string, events: OutgoingEvent[]) => Promise<void>,
  ) {}

  private leaseEnd(): Date {
    return new Date(Date.now() + this.leaseMs);
  }

  /** Registers this worker and renews its leases. */
  async start(): Promise<void> {
    await this.workers.renew(this.worker, this.leaseEnd());
    this.timer = setInterval(
      () => void this.renewLeases().catch((error: unknown) => logger.warn({ err: error }, 'lease renewal failed')),
      this.leaseMs / 3,
    );
    this.timer.unref();
  }

  private async renewLeases(): Promise<void> {
    await this.workers.renew(this.worker, this.leaseEnd());
    for (const session of [...this.sessions.values()]) {
      if (!(await this.store.renew(session.id, session.token, this.leaseEnd()))) session.lost();
    }
    // An unreleased ticket would block other workers as long as this worker lives.
    for (const { repository, ticket } of await this.store.ticketsOf(this.worker))
      if (!this.tickets.has(ticket)) await this.store.release(repository, ticket);
  }

  /** Stops the heartbeat; running work has ended. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.workers.remove(this.worker);
  }

  /** Number of leases held by this worker. */
  get busy(): number {
    return this.sessions.size;
  }

  /**
   * Runs work under the lease of a repository. The position in the queue is fixed before this function first yields.
   * @throws ServiceError NOT_FOUND if the repository was deleted, UNAVAILABLE if the lease was lost, and the errors of the work
   */
  async run<T>(repository: string, work: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.tails.get(repository) ?? Promise.resolve();
    const ticket = randomUUID();
    const lease = new MeasuredLease();
    this.tickets.add(ticket);
    const enqueued = this.store.enqueue(repository, ticket, this.worker);
    // Its failure is reported when the run's turn comes.
    enqueued.catch(() => undefined);
    const result = before.then(async () => {
      if (!(await enqueued)) throw new ServiceError('NOT_FOUND', { message: 'There is no such repository.' });
      return this.withLease(repository, ticket, work, signal, lease);
    });
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    this.tails.set(repository, tail);
    void tail.then(() => {
      lease.ended();
      this.tickets.delete(ticket);
      if (this.tails.get(repository) === tail) this.tails.delete(repository);
    });
    return result;
  }

  /**
   * Runs work as `run` does. Calls with the key of a run that still waits share that run and its result, so
   * repeated requests for the same work do not accumulate.
   */
  async runShared<T>(
    repository: string,
    key: string,
    work: (session: Session) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const name = `${repository} ${key}`;
    const leader = this.waitingRuns.get(name) as SharedRun<T> | undefined;
    if (leader) {
      try {
        return await leader.result;
      } catch (error) {
        if (!leader.signal?.aborted || signal?.aborted) throw error;
        return this.runShared(repository, key, work, signal);
      }
    }
    const result = this.run(
      repository,
      (session) => {
        this.waitingRuns.delete(name);
        return work(session);
      },
      signal,
    );
    const run: SharedRun<T> = { result, signal };
    this.waitingRuns.set(name, run);
    try {
      return await result;
    } finally {
      if (this.waitingRuns.get(name) === run) this.waitingRuns.delete(name);
    }
  }

  private async withLease<T>(
    id: string,
    ticket: string,
    work: (session: Session) => Promise<T>,
    signal: AbortSignal | undefined,
    lease: MeasuredLease,
  ): Promise<T> {
    const repository = await this.acquireLease(id, ticket, signal).catch(async (error: unknown) => {
      // The store may have granted the lease although its answer was lost.
      await this.retryRelease(id, ticket);
      throw error;
    });
    lease.acquired();
    const control = new AbortController();
    const session = new Session(
      repository,
      signal ? AbortSignal.any([signal, control.signal]) : control.signal,
      this.store,
      this.publish,
    );
    const onLost = () => {
      leasesLost.inc();
      control.abort(new LeaseLostError());
    };
    this.sessions.set(ticket, { id, token: repository.token, lost: onLost });
    try {
      return await work(session);
    } catch (error) {
      if (error instanceof LeaseLostError || control.signal.aborted)
        throw new ServiceError('UNAVAILABLE', {
          message: 'Another worker has taken over this repository. Retry the request.',
          cause: error,
        });
      throw error;
    } finally {
      this.sessions.delete(ticket);
      await this.retryRelease(id, ticket);
    }
  }

  /** Waits for the first attempt only. Retries continue in the background until the lease would have expired. */
  private async retryRelease(id: string, ticket: string): Promise<void> {
    const attempt = () => this.store.release(id, ticket);
    const end = Date.now() + this.leaseMs;
    const retryUntilExpired = async (): Promise<void> => {
      while (Date.now() < end) {
        await pause(RELEASE_RETRY_MS);
        if (await succeeds(attempt)) return;
      }
    };
    if (!(await succeeds(attempt))) void retryUntilExpired();
  }

  private async acquireLease(id: string, ticket: string, signal: AbortSignal | undefined): Promise<Repository> {
    for (let attempt = 1; ; attempt++) {
      if (signal?.aborted) throw new ServiceError('FAILED_PRECONDITION', { message: 'The operation was cancelled.' });
      const acquired = await this.store.acquire(id, this.worker, ticket, this.leaseEnd());
      if (acquired) return acquired;
      if (attempt % CHECK_EVERY === 0) {
        await this.store.dropTickets(id, await this.workers.listAlive());
        // Another worker considered this one dead and removed its ticket, so it queues again.
        await this.store.enqueue(id, ticket, this.worker);
        if (!(await this.store.get(id)))
          throw new ServiceError('NOT_FOUND', { message: 'There is no such repository.' });
      }
      await pause(POLL_MS);
    }
  }
}

async function succeeds(action: () => Promise<void>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    logger.warn({ err: error }, 'repository queue: release failed');
    return false;
  }
}
