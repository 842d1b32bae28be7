import { ServiceError } from '@parlance/errors';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import Piscina from 'piscina';

/** The functions that a worker file exports. */
export type WorkerTasks = Record<string, (input: never) => unknown>;

export interface WorkerPoolOptions {
  /** Threads that run at the same time, at most; none runs while there has been no work for some time. */
  threads: number;
  /** Heap of a thread, in MB. */
  memoryMb: number;
  /** How long a task may run, in milliseconds. */
  maxRunMs: number;
  /** Tasks that wait for a thread, at most. */
  maxWaiting: number;
}

/** A task used up the memory or the time of its thread. The thread ended; the process did not notice. */
export class TaskLimitError extends Error {
  override readonly name = 'TaskLimitError';

  constructor(
    readonly limit: 'memory' | 'time',
    options?: ErrorOptions,
  ) {
    super(`The task used up the ${limit} of its worker thread.`, options);
  }
}

/** How long a thread without work is kept, in milliseconds. */
const IDLE_MS = 60_000;
/** Transpiles TypeScript in the threads of processes that run from source, which are tests. */
const TYPESCRIPT_HOOK = resolve(__dirname, '../../testing/register-typescript.js');

/** Threads that work on what would hold the event loop for too long, with limits on memory, time and waiting tasks. */
export class WorkerPool<Tasks extends WorkerTasks> {
  /** The worker is TypeScript that was not built: a test runs. */
  private readonly source: boolean;
  private pool: Piscina | undefined;
  /** Why the threads of a pool could not be used. */
  private readonly failures = new WeakMap<Piscina, Error>();
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** @param filename of the worker, without its extension: the same in the source and in the build */
  constructor(
    private readonly filename: string,
    private readonly options: WorkerPoolOptions,
  ) {
    this.source = !existsSync(`${filename}.js`);
  }

  /**
   * @param transfer buffers that move to the thread instead of being copied
   * @throws TaskLimitError; OVERLOADED when too many tasks wait; what the task throws, as a plain Error
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

  /** Ends the threads; tasks that run are lost. */
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
    // A thread failed without a task, most likely while it started: its tasks would wait for ever. They fail, the next one starts anew.
    pool.on('error', (error: Error) => {
      this.failures.set(pool, error);
      if (this.pool === pool) this.pool = undefined;
      void pool.destroy();
    });
    return pool;
  }
}
