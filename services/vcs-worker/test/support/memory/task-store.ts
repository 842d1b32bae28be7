import {
  MAX_LINE_LENGTH,
  MAX_LOG_LINES,
  MAX_LOSSES,
  SET_ASIDE,
  type Claimant,
  type Task,
  type TaskEntry,
  type TaskFilter,
  type TaskKind,
  type TaskState,
  type TaskStore,
} from '../../../src/domain/task';
import type { PageRequest } from '../../../src/domain/page';

interface Stored {
  task: Task;
  createdMs: number;
  worker: string;
  leaseUntilMs: number;
  finishedMs: number;
  setAside: boolean;
  notBeforeMs: number;
  /** Ids of pulls that were merged into this one. */
  merged: string[];
  /** Whether a later pull may be merged into this one. */
  mergeable: boolean;
}

/** Tasks in memory. */
export class MemoryTaskStore implements TaskStore {
  private readonly stored = new Map<string, Stored>();

  private put(task: Task, more: Partial<Stored> = {}): void {
    if (this.stored.has(task.id)) return;
    const createdMs = Date.now();
    this.stored.set(task.id, {
      task: { ...structuredClone(task), createdAtMs: createdMs },
      createdMs,
      worker: '',
      leaseUntilMs: 0,
      finishedMs: 0,
      setAside: false,
      notBeforeMs: 0,
      merged: [],
      mergeable: false,
      ...more,
    });
  }

  /** A task that this worker runs. */
  private held(id: string, worker: string): Stored | undefined {
    const found = this.stored.get(id);
    return found?.task.state === 'running' && found.worker === worker ? found : undefined;
  }

  private append(task: Task, lines: readonly string[]): void {
    task.log = [...task.log, ...lines.map((line) => line.slice(0, MAX_LINE_LENGTH))].slice(-MAX_LOG_LINES);
  }

  private end(found: Stored, state: TaskState, result: unknown, nowMs = Date.now()): void {
    Object.assign(found.task, { state, result, progress: 100 });
    found.finishedMs = nowMs;
  }

  /** Tasks in the order of their creation. */
  get tasks(): Task[] {
    return [...this.stored.values()].map(({ task }) => structuredClone(task));
  }

  async add(task: Task): Promise<void> {
    this.put(task);
  }

  async get(id: string): Promise<Task | null> {
    const found = this.stored.get(id) ?? [...this.stored.values()].find(({ merged }) => merged.includes(id));
    return found ? structuredClone(found.task) : null;
  }

  async begin(task: Pick<Task, 'id' | 'kind' | 'component' | 'user' | 'changed'>): Promise<void> {
    const found = this.stored.get(task.id);
    if (found?.task.state === 'prepared') Object.assign(found.task, structuredClone(task), { state: 'waiting' });
    else this.put({ ...task, state: 'waiting', progress: 0, result: null, log: [], attempts: 0 });
  }

  async beginPull(id: string, component: number, delayMs: number): Promise<void> {
    if (await this.get(id)) return;
    const waiting = [...this.stored.values()].find(
      ({ task, mergeable }) => mergeable && task.state === 'waiting' && task.component === component,
    );
    if (waiting) waiting.merged.push(id);
    else
      this.put(
        {
          id,
          kind: 'pull',
          component,
          user: 0,
          changed: [],
          state: 'waiting',
          progress: 0,
          result: null,
          log: [],
          attempts: 0,
        },
        { notBeforeMs: Date.now() + delayMs, mergeable: true },
      );
  }

  async hasOpen(): Promise<boolean> {
    return [...this.stored.values()].some(
      ({ task: { state, kind } }) => (state === 'waiting' || state === 'running') && kind !== 'report',
    );
  }

  async claim({ worker, until, running, takesOver, takesSuspects }: Claimant): Promise<Task | null> {
    const now = Date.now();
    const all = [...this.stored.values()].filter(
      ({ task }) => (takesSuspects || task.losses === undefined) && !running.includes(task.id),
    );
    const unfinished = all.filter(({ task }) => task.state === 'running' && task.kind !== 'report');
    const expired = unfinished.filter(({ leaseUntilMs }) => leaseUntilMs < now);
    const orphan =
      takesOver && takesSuspects
        ? expired.find((one) => one.worker !== '' && one.worker !== worker && (one.task.losses ?? 0) < MAX_LOSSES - 1)
        : undefined;
    const found =
      all.find(({ task, notBeforeMs }) => task.state === 'waiting' && notBeforeMs <= now) ??
      expired.find((one) => one.worker === '') ??
      unfinished.find((one) => one.worker === worker) ??
      orphan;
    if (!found) return null;
    if (found === orphan) found.task.losses = (found.task.losses ?? 0) + 1;
    found.task.state = 'running';
    found.task.attempts++;
    found.worker = worker;
    found.leaseUntilMs = until.getTime();
    found.mergeable = false;
    return structuredClone(found.task);
  }

  async setAside(now: Date): Promise<Task | null> {
    const found = [...this.stored.values()].find(
      ({ task, worker, leaseUntilMs }) =>
        task.state === 'running' &&
        task.kind !== 'report' &&
        leaseUntilMs < now.getTime() &&
        worker !== '' &&
        (task.losses ?? 0) >= MAX_LOSSES - 1,
    );
    if (!found) return null;
    found.task.losses = (found.task.losses ?? 0) + 1;
    found.setAside = true;
    this.end(found, 'failed', SET_ASIDE, now.getTime());
    this.append(found.task, [SET_ASIDE]);
    return structuredClone(found.task);
  }

  async isOpen(kind: TaskKind, component: number): Promise<boolean> {
    return [...this.stored.values()].some(
      ({ task }) =>
        task.kind === kind && task.component === component && (task.state === 'waiting' || task.state === 'running'),
    );
  }

  async wasSetAside(kind: TaskKind, component: number, since: Date): Promise<boolean> {
    return [...this.stored.values()].some(
      ({ task, setAside, finishedMs }) =>
        setAside && task.kind === kind && task.component === component && finishedMs >= since.getTime(),
    );
  }

  async defer(id: string, worker: string): Promise<void> {
    const found = this.held(id, worker);
    if (found) found.worker = '';
  }

  async prolong(ids: readonly string[], worker: string, until: Date): Promise<void> {
    for (const id of ids) {
      const found = this.held(id, worker);
      if (found) found.leaseUntilMs = until.getTime();
    }
  }

  async report(
    id: string,
    worker: string,
    change: { progress?: number; result?: unknown; lines?: readonly string[] },
  ): Promise<boolean> {
    const found = this.held(id, worker);
    if (!found) return false;
    if (change.progress !== undefined) found.task.progress = change.progress;
    if (change.result !== undefined) found.task.result = change.result;
    this.append(found.task, change.lines ?? []);
    return true;
  }

  async finish(id: string, worker: string, state: TaskState, result: unknown): Promise<void> {
    const found = this.held(id, worker);
    if (found) this.end(found, state, result);
  }

  async giveBack(id: string, worker: string): Promise<void> {
    const found = this.held(id, worker);
    if (!found) return;
    found.task.state = 'waiting';
    found.task.attempts--;
    Object.assign(found, { worker: '', leaseUntilMs: 0 });
  }

  async releaseAll(worker: string): Promise<void> {
    for (const found of this.stored.values())
      if (found.task.state === 'running' && found.worker === worker) found.leaseUntilMs = 0;
  }

  async cancel(id: string): Promise<void> {
    const found = this.stored.get(id);
    if (!found || !['waiting', 'running'].includes(found.task.state)) return;
    Object.assign(found.task, { state: 'cancelled', result: 'The task was cancelled.' });
    Object.assign(found, { finishedMs: Date.now(), mergeable: false });
  }

  async retry(id: string): Promise<boolean> {
    const found = this.stored.get(id);
    if (!found || !['failed', 'cancelled'].includes(found.task.state) || found.task.kind === 'report') return false;
    const { losses: _losses, ...task } = found.task;
    found.task = { ...task, state: 'waiting', progress: 0, result: null, attempts: 0 };
    this.append(found.task, ['An operator queued the task again.']);
    Object.assign(found, { worker: '', leaseUntilMs: 0, finishedMs: 0, setAside: false, notBeforeMs: 0 });
    return true;
  }

  async list({ states, component }: TaskFilter, page: PageRequest): Promise<TaskEntry[]> {
    return [...this.stored.values()]
      .reverse()
      .filter(({ task }) => states.length === 0 || states.includes(task.state))
      .filter(({ task }) => component === 0 || task.component === component)
      .slice(page.skip, page.skip + page.size)
      .map(({ task, worker, createdMs, finishedMs }) => {
        const { id, kind, state, progress, attempts, result, losses = 0 } = task;
        return {
          id,
          kind,
          component: task.component,
          state,
          progress,
          attempts,
          result,
          losses,
          worker,
          createdAtMs: createdMs,
          finishedAtMs: finishedMs,
        };
      });
  }

  async upsertReport(task: Task, until: Date): Promise<void> {
    this.put({ ...task, log: [], result: null });
    const found = this.stored.get(task.id)!;
    const { progress, state, result } = task;
    Object.assign(found.task, { progress, state, ...(result === undefined ? {} : { result }) });
    this.append(found.task, task.log);
    found.leaseUntilMs = until.getTime();
    if (state !== 'running') found.finishedMs = Date.now();
  }

  async endSilentReports(now: Date): Promise<void> {
    for (const found of this.stored.values())
      if (found.task.kind === 'report' && found.task.state === 'running' && found.leaseUntilMs < now.getTime())
        this.end(found, 'failed', 'The work was interrupted.', now.getTime());
  }
}
