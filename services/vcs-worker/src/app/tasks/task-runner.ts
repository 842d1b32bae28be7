import { setTimeout as pause } from 'node:timers/promises';
import { isOutage, isServiceError } from '@parlance/errors';
import { diskFullOr, isGitError } from '@parlance/git';
import { counter, histogram, inConsumerSpan, inTraceOf, logger } from '@parlance/telemetry';
import type { Task, TaskKind, TaskState, TaskStore } from '../../domain/task';

/** Polling interval for tasks that other workers created or abandoned, in milliseconds. */
const LOOK_MS = 1_000;
/** Minimum interval of progress updates, in milliseconds. */
const REPORT_MS = 300;
const MAX_ATTEMPTS = 5;
/** Pauses before the second, third ... attempt of a task after an outage, in milliseconds. */
const RETRY_MS = [1_000, 4_000, 15_000, 30_000];
/** Interval of retries to store the end of a task, in milliseconds. */
const END_RETRY_MS = 500;

/** Whether a failure is transient: a dependency was unreachable or too slow. */
const wasInterrupted = (error: unknown): boolean =>
  isServiceError(error, 'UNAVAILABLE') ||
  isServiceError(error, 'DEADLINE_EXCEEDED') ||
  isOutage(error) ||
  isGitError(error, 'disk-full');

/** Whether the message of a failure is written for people. */
const isExplained = (error: unknown): error is Error => isServiceError(error) || isGitError(error);

const setAside = counter('parlance_tasks_set_aside_total');
const tasksEnded = counter('parlance_tasks_ended_total');
const latency = histogram('parlance_task_latency_seconds');

/** Context of a task's work. */
export interface TaskRun {
  task: Task;
  signal: AbortSignal;
  log: (line: string) => void;
  /** From 0 to 1. */
  progress: (share: number) => void;
}

/** Work of one kind of task; returns the result shown to users. */
export type TaskWork = (run: TaskRun) => Promise<Record<string, unknown>>;

/** Runs waiting tasks concurrently. A task whose worker dies is run by another one; after the second death it is set aside. */
export class TaskRunner {
  private readonly running = new Map<string, { control: AbortController; ended: Promise<void>; suspect: boolean }>();
  /** Time from which tasks of lost workers are taken over. */
  private takesOverAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private beatTimer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private again = false;
  private stopped = false;

  constructor(
    private readonly store: TaskStore,
    private readonly works: Partial<Record<TaskKind, TaskWork>>,
    private readonly worker: string,
    private readonly options: {
      concurrency: number;
      leaseMs: number;
      /** Whether no task may start at the moment. */
      paused: () => Promise<boolean>;
    },
    /** Called before users see that a task has ended. */
    private readonly onEnd: (task: Task) => Promise<void>,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.wake(), LOOK_MS);
    this.timer.unref();
    this.beatTimer = setInterval(
      () => void this.beat().catch((error: unknown) => logger.warn({ err: error }, 'lease renewal of tasks failed')),
      this.options.leaseMs / 3,
    );
    this.beatTimer.unref();
    this.wake();
  }

  private until(): Date {
    return new Date(Date.now() + this.options.leaseMs);
  }

  private async beat(): Promise<void> {
    await this.store.prolong([...this.running.keys()], this.worker, this.until());
    await this.store.endSilentReports(new Date());
  }

  /** Polls for tasks immediately. */
  wake(): void {
    if (this.stopped) return;
    if (this.looking) {
      this.again = true;
      return;
    }
    this.looking = this.look()
      .catch((error: unknown) => logger.warn({ err: error }, 'claiming tasks failed'))
      .finally(() => {
        this.looking = undefined;
        if (this.again) {
          this.again = false;
          this.wake();
        }
      });
  }

  private async look(): Promise<void> {
    try {
      // One read, instead of a statement for each way of claiming and a call of the catalog, while the queue is empty.
      if (!(await this.store.hasOpen()) || (await this.options.paused())) return;
      await this.setAside();
      await this.take();
    } catch (error) {
      // Other workers were disconnected as well and need time to renew their leases.
      this.takesOverAt = performance.now() + this.options.leaseMs / 2;
      throw error;
    }
  }

  private async take(): Promise<void> {
    while (!this.stopped && this.running.size < this.options.concurrency) {
      const runs = [...this.running.values()];
      const task = await this.store.claim({
        worker: this.worker,
        until: this.until(),
        running: [...this.running.keys()],
        takesOver: this.takesOver,
        // Runs one suspect at a time: the next loss then identifies the cause, and no other task is set aside.
        takesSuspects: !runs.some((run) => run.suspect),
      });
      if (!task) return;
      const control = new AbortController();
      const ended = this.run(task, control).finally(() => {
        this.running.delete(task.id);
        this.wake();
      });
      this.running.set(task.id, { control, ended, suspect: (task.losses ?? 0) > 0 });
    }
  }

  private get takesOver(): boolean {
    return performance.now() >= this.takesOverAt;
  }

  /** Fails tasks that crashed or stalled their workers, so that they do not affect further ones. */
  private async setAside(): Promise<void> {
    if (!this.takesOver) return;
    for (let task = await this.store.setAside(new Date()); task; task = await this.store.setAside(new Date())) {
      const { id, kind, component, losses } = task;
      setAside.inc({ kind });
      logger.error({ task: id, kind, component, losses }, 'task set aside: it crashed or stalled its workers');
      await this.announceEnd(task);
    }
  }

  private run(task: Task, control: AbortController): Promise<void> {
    // What follows a failed task belongs to its trace as well.
    return inTraceOf(task.traceparents ?? [], () => this.runTraced(task, control));
  }

  private async runTraced(task: Task, control: AbortController): Promise<void> {
    const reporter = new Reporter(this.store, this.worker, task, () => control.abort());
    try {
      const work = this.works[task.kind];
      if (!work || task.attempts > MAX_ATTEMPTS)
        throw new Error(
          work ? 'The task failed after several attempts.' : `Tasks of kind ${task.kind} are not supported.`,
        );
      await inConsumerSpan(
        `task ${task.kind}`,
        task.traceparents ?? [],
        async () => {
          const result = await work({
            task,
            signal: control.signal,
            log: (line) => reporter.log(line),
            progress: (share) => reporter.progress(share),
          });
          await reporter.flush();
          await this.end(task, 'done', result);
        },
        {
          'parlance.task.id': task.id,
          'parlance.task.attempt': task.attempts,
          'parlance.component.id': task.component,
        },
      );
    } catch (thrown) {
      const error = diskFullOr(thrown);
      await reporter.flush().catch(() => undefined);
      if (this.stopped && control.signal.aborted)
        return await this.store
          .giveBack(task.id, this.worker)
          .catch((e: unknown) =>
            logger.warn({ err: e, task: task.id }, 'task: not returned to the queue; its lease expires'),
          );
      if (wasInterrupted(error) && task.attempts < MAX_ATTEMPTS && !control.signal.aborted)
        return await this.postpone(task, reporter, error);
      const text = isExplained(error) ? error.message : 'An internal error occurred.';
      const { id, kind, component } = task;
      if (isExplained(error)) logger.info({ task: id, kind, component, reason: text }, 'task: failed');
      else logger.error({ err: error, task: id, kind, component }, 'task: failed unexpectedly');
      reporter.log(text);
      await reporter.flush().catch(() => undefined);
      await this.end(task, 'failed', text);
    }
  }

  /** Defers the task until the outage is over, within the maximum number of attempts. */
  private async postpone(task: Task, reporter: Reporter, error: unknown): Promise<void> {
    logger.warn({ err: error, task: task.id, kind: task.kind }, 'task: interrupted; retrying later');
    const reason = isExplained(error) ? error.message : 'The store is unreachable.';
    reporter.log(`${reason} It is tried again.`);
    const at = new Date(Date.now() + RETRY_MS[Math.min(task.attempts, RETRY_MS.length) - 1]!);
    await reporter.flush().catch(() => undefined);
    await this.written(async () => {
      await this.store.prolong([task.id], this.worker, at);
      // Without a worker, an expired lease does not count as a loss.
      await this.store.defer(task.id, this.worker);
    });
  }

  /** Retries a write while the lease lasts; afterwards the task is run again. */
  private async written(write: () => Promise<void>): Promise<void> {
    for (const end = Date.now() + this.options.leaseMs; ; await pause(END_RETRY_MS)) {
      try {
        return await write();
      } catch (error) {
        logger.warn({ err: error }, 'task: write failed');
        if (this.stopped || Date.now() > end) return;
      }
    }
  }

  private announceEnd(task: Task): Promise<void> {
    return this.onEnd(task).catch((error: unknown) =>
      logger.warn({ err: error, task: task.id }, 'task: its end could not be announced'),
    );
  }

  private async end(task: Task, state: TaskState, result: unknown): Promise<void> {
    tasksEnded.inc({ kind: task.kind, outcome: state });
    if (state === 'done' && task.createdAtMs !== undefined)
      latency.observe({ kind: task.kind }, Math.max(0, Date.now() - task.createdAtMs) / 1000);
    await this.announceEnd(task);
    await this.written(() => this.store.finish(task.id, this.worker, state, result));
  }

  /** Cancels a task that runs in this process. */
  cancel(id: string): void {
    this.running.get(id)?.control.abort();
  }

  /** Stops claiming tasks and waits for running ones; those that take longer are returned to the queue. */
  async stop(withinMs: number): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.looking;
    const ended = Promise.all([...this.running.values()].map((run) => run.ended));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), withinMs);
    });
    if ((await Promise.race([ended, late])) === 'late') {
      for (const run of this.running.values()) run.control.abort();
      await ended;
    }
    clearTimeout(timer);
    clearInterval(this.beatTimer);
  }
}

/** Buffers the progress and log of a task and writes them periodically. */
class Reporter {
  private lines: string[] = [];
  private percent = 0;
  private writtenAt = 0;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: TaskStore,
    private readonly worker: string,
    private readonly task: Task,
    private readonly onLost: () => void,
  ) {}

  log(line: string): void {
    this.lines.push(line);
    this.maybeWrite();
  }

  progress(share: number): void {
    // 100 means that the task has ended.
    this.percent = Math.max(this.percent, Math.min(99, Math.floor(share * 100)));
    this.maybeWrite();
  }

  private maybeWrite(): void {
    if (Date.now() - this.writtenAt < REPORT_MS) return;
    this.writtenAt = Date.now();
    this.writing = this.writing
      .then(() => this.write())
      .catch((error: unknown) => logger.warn({ err: error }, 'task: progress not written'));
  }

  private async write(): Promise<void> {
    const lines = this.lines;
    this.lines = [];
    const result = { progress: this.percent, component: this.task.component };
    if (!(await this.store.report(this.task.id, this.worker, { progress: this.percent, result, lines }))) this.onLost();
  }

  async flush(): Promise<void> {
    await this.writing;
    await this.write();
  }
}
