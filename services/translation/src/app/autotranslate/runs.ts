import type { Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { RunDeps } from './deps';
import type { AutotranslatePlan } from './request';
import { runAutotranslate } from './run';

/** Limit of concurrent runs; further requests are rejected. */
const MAX_RUNS = 20;

export interface RunResult {
  taskId: string;
  completed: boolean;
  updated: number;
  details: string;
}

/** The automatic translations in progress in this process; at most one for each translation. */
export class AutotranslateRuns {
  private readonly running = new Map<number, Promise<unknown>>();
  private readonly stopping = new AbortController();

  constructor(private readonly deps: RunDeps) {}

  /**
   * Starts a run and waits for its end, at most for the given time in milliseconds (0: unlimited).
   * @throws CONFLICT when the translation has a run in progress, UNAVAILABLE when the limit is reached or the process stops
   */
  async run(caller: Caller, plan: AutotranslatePlan, waitMs: number): Promise<RunResult> {
    const { id } = plan.translation;
    if (this.running.has(id))
      throw new ServiceError('CONFLICT', {
        message: 'An automatic translation of this translation is already in progress. Retry when it is finished.',
      });
    if (this.running.size >= MAX_RUNS || this.stopping.signal.aborted)
      throw new ServiceError('UNAVAILABLE', { message: 'Too many automatic translations are running. Retry later.' });
    const started = this.begin(caller, plan);
    this.running.set(
      id,
      started.then(
        ({ run }) => run.finished,
        () => undefined,
      ),
    );
    void this.running.get(id)!.finally(() => this.running.delete(id));
    const { run, taskId } = await started;
    const outcome = await withTimeout(run.finished, waitMs);
    return { taskId, completed: outcome !== undefined, ...(outcome ?? run.outcome()) };
  }

  private async begin(caller: Caller, plan: AutotranslatePlan) {
    const taskId = await this.deps.tasks.start(plan.component.id);
    return { taskId, run: await runAutotranslate(this.deps, caller, plan, taskId, this.stopping.signal) };
  }

  /** Stops each run after its current batch. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running.values());
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
