import { ServiceError } from '@parlance/errors';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import Piscina from 'piscina';

/** The functions that a worker file exports. */
export type WorkerTasks = Record<string, (input: never) => unknown>;

export interface WorkerPoolOptions {
  /** Maximum number of threads. Idle threads end. */
  threads: number;
  /** Heap of a thread, in MB. */
  memoryMb: number;
  /** Time limit of a task in milliseconds. */
  maxRunMs: number;
  /** Maximum number of tasks that wait for a thread. */
  maxWaiting: number;
}

/** A task exceeded the memory or time limit of its thread. Only the thread ended. */
export class TaskLimitError extends Error {
  override readonly name = 'TaskLimitError';

  constructor(
    readonly limit: 'memory' | 'time',
    options?: ErrorOptions,
  ) {
    super(`The task used up the ${limit} of its worker thread.`, options);
  }
}

/** Idle timeout of a thread in milliseconds. */
const IDLE_MS = 60_000;
/** Transpiles TypeScript in threads of processes that run from source (tests). */
const TYPESCRIPT_HOOK = resolve(__dirname, '../../testing/register-typescript.js');

/** Thread pool for work that would block the event loop, with limits on memory, time and queue. */
export class WorkerPool<Tasks extends WorkerTasks> {
  /** Runs from source: the worker file is TypeScript. */
  private readonly source: boolean;
  private pool: Piscina | undefined;
  /** Error of a pool whose threads fail to start. */
  private readonly failures = new WeakMap<Piscina, Error>();
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** @param filename worker file without extension, for source and build */
  constructor(
    private readonly filename: string,
    private readonly options: WorkerPoolOptions,
  ) {
    this.source = !existsSync(`${filename}.js`);
  }

  /**
   * @param transfer buffers that move to the thread instead of being copied
   * @throws TaskLimitError; OVERLOADED if too many tasks wait; the error of the task as a plain Error
   */
  async run<Name extends keyof Tasks & string>(
    name: Name,
    input: Parameters<Tasks[Name]>[0],
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<Awaited<ReturnType<Tasks[Name]>>> {
    await this.thread();
    const time = new AbortController();
    const timer = setTimeout(() => time.abort(), this.options.maxRunMs);
    const pool = (this.pool ??= this.start());
    try {
      return (await pool.run(input, {
        filename: this.source ? `${this.filename}.ts` : `${this.filename}.js`,
        name,
        transferList: [...transfer],
        signal: time.signal,
      })) as Awaited<ReturnType<Tasks[Name]>>;
    } catch (error) {
      if (time.signal.aborted) throw new TaskLimitError('time', { cause: error });
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new TaskLimitError('memory', { cause: error });
      throw this.failures.get(pool) ?? error;
    } finally {
      clearTimeout(timer);
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }

  /** Waits for a thread in FIFO order: the time limit of a task does not include its wait. @throws OVERLOADED */
  private async thread(): Promise<void> {
    const { threads, maxWaiting } = this.options;
    if (this.running < threads) this.running++;
    else if (this.waiting.length >= maxWaiting) throw new ServiceError('OVERLOADED');
    else await new Promise<void>((resume) => this.waiting.push(resume));
  }

  /** Terminates the threads. Running tasks are lost. */
  async close(): Promise<void> {
    const { pool } = this;
    this.pool = undefined;
    await pool?.destroy();
  }

  private start(): Piscina {
    const { threads, memoryMb } = this.options;
    const pool = new Piscina({
      execArgv: this.source ? ['--require', TYPESCRIPT_HOOK] : [],
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    // A thread failed outside of a task, most likely during start-up, so queued tasks would wait forever. They fail, and the next task
    // starts a new pool.
    pool.on('error', (error: Error) => {
      this.failures.set(pool, error);
      if (this.pool === pool) this.pool = undefined;
      void pool.destroy();
    });
    return pool;
  }
}
