import type { Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { RunDeps } from './deps';
import type { AutotranslatePlan } from './request';
import { runAutotranslate } from './run';

/** Runs at the same time; more wait for their turn to be asked again. */
const MAX_RUNS = 20;

export interface RunAnswer {
  taskId: string;
  completed: boolean;
  updated: number;
  details: string;
}

/** The automatic translations that this process works on. */
export class AutotranslateRuns {
  private readonly running = new Map<number, Promise<unknown>>();
  private readonly stopping = new AbortController();

  constructor(private readonly deps: RunDeps) {}

  /**
   * Starts one and waits for its end, at most for the given time (0: until the end).
   * @throws CONFLICT when the translation is being worked on, UNAVAILABLE when too many are running or the process ends
   */
  async run(caller: Caller, plan: AutotranslatePlan, waitMs: number): Promise<RunAnswer> {
    const { id } = plan.translation;
    if (this.running.has(id))
      throw new ServiceError('CONFLICT', { message: 'This translation is being translated automatically already.' });
    if (this.running.size >= MAX_RUNS || this.stopping.signal.aborted)
      throw new ServiceError('UNAVAILABLE', { message: 'Too many automatic translations are running.' });
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
    const outcome = await within(run.finished, waitMs);
    return { taskId, completed: outcome !== undefined, ...(outcome ?? run.outcome()) };
  }

  private async begin(caller: Caller, plan: AutotranslatePlan) {
    const taskId = await this.deps.tasks.start(plan.component.id);
    return { taskId, run: await runAutotranslate(this.deps, caller, plan, taskId, this.stopping.signal) };
  }

  /** Lets each run finish what it is writing. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running.values());
  }
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  if (ms <= 0) return promise;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
