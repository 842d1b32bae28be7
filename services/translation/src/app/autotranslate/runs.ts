import type { Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { RunsDeps } from './deps';
import type { AutotranslatePlan } from './request';
import { runAutotranslate } from './run';
import { RunLease } from './run-lease';

/** Limit of concurrent runs; further requests are rejected. */
const MAX_RUNS = 20;

export interface RunResult {
  taskId: string;
  completed: boolean;
  updated: number;
  details: string;
}

/** The automatic translations in progress in this process. Leases admit one for each translation across processes. */
export class AutotranslateRuns {
  private readonly running = new Set<Promise<unknown>>();
  private readonly stopping = new AbortController();

  constructor(private readonly deps: RunsDeps) {}

  /**
   * Starts a run and waits for its end, at most for the given time in milliseconds (0: unlimited).
   * @throws CONFLICT when the translation has a run in progress, UNAVAILABLE when the limit is reached or the process stops
   */
  async run(caller: Caller, plan: AutotranslatePlan, waitMs: number): Promise<RunResult> {
    if (this.running.size >= MAX_RUNS || this.stopping.signal.aborted)
      throw new ServiceError('UNAVAILABLE', { message: 'Too many automatic translations are running. Retry later.' });
    const started = this.begin(caller, plan);
    const ended = started.then(
      ({ run }) => run.finished,
      () => undefined,
    );
    this.running.add(ended);
    void ended.finally(() => this.running.delete(ended));
    const { run, taskId } = await started;
    const outcome = await withTimeout(run.finished, waitMs);
    return { taskId, completed: outcome !== undefined, ...(outcome ?? run.outcome()) };
  }

  private async begin(caller: Caller, plan: AutotranslatePlan) {
    const lease = new RunLease(this.deps.leases, plan.translation.id);
    if (!(await lease.acquire()))
      throw new ServiceError('CONFLICT', {
        message: 'An automatic translation of this translation is already in progress. Retry when it is finished.',
      });
    try {
      const taskId = await this.deps.tasks.start(plan.component.id);
      const signal = AbortSignal.any([this.stopping.signal, lease.signal]);
      const release = () => lease.release();
      return { taskId, run: await runAutotranslate(this.deps, caller, plan, { task: taskId, signal, release }) };
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  /** Stops each run after its current batch. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running);
  }
}

async function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  if (ms <= 0) return promise;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
