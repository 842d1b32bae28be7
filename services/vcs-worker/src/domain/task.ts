export type TaskKind = 'import' | 'pull' | 'update' | 'commit' | 'addons' | 'glossary' | 'report';
/** A prepared task waits until the component that it is for is stored. */
export type TaskState = 'prepared' | 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** Silence after which a task of another service counts as interrupted, in milliseconds. */
export const REPORT_MAX_SILENCE_MS = 120_000;

/** A background task whose progress users can follow. */
export interface Task {
  id: string;
  kind: TaskKind;
  component: number;
  /** Requesting user; 0 for none. */
  user: number;
  state: TaskState;
  /** Percent. */
  progress: number;
  /** Null before the start; an object, or a text on failure. */
  result: unknown;
  log: string[];
  /** Names of changed settings (update); event and possibly the id of the add-on (addons); what is new (glossary). */
  changed: string[];
  attempts: number;
  /** When it was stored, milliseconds since the epoch; undefined before. */
  createdAtMs?: number;
  /** How often its worker ended or stalled while it ran. Counted before the next attempt begins. */
  losses?: number;
}

/** Lost workers after which a task is set aside. */
export const MAX_LOSSES = 2;
/** Result of a task that was set aside. */
export const SET_ASIDE =
  'The task was set aside: its worker ended or stalled twice while the task ran. It is not started again by itself.';

/** Tasks that a worker may claim. */
export interface Claimant {
  worker: string;
  /** End of the lease. */
  until: Date;
  /** Tasks that run in this process. */
  running: readonly string[];
  /** Takes over tasks with an expired lease. */
  takesOver: boolean;
  /** Takes tasks that lost a worker, now or before. */
  takesSuspects: boolean;
}

export const isOver = (task: Pick<Task, 'state'>): boolean =>
  task.state === 'done' || task.state === 'failed' || task.state === 'cancelled';

/** Lines kept in a task's log; the oldest are dropped first. */
export const MAX_LOG_LINES = 2000;
/** Characters a line keeps. */
export const MAX_LINE_LENGTH = 2000;

/** Tasks in the store. */
export interface TaskStore {
  /** Stores a task. Idempotent by id. */
  add(task: Task): Promise<void>;
  get(id: string): Promise<Task | null>;
  /** Lets a prepared task begin; one that is not there is made. Does nothing to a task that has begun. */
  begin(task: Pick<Task, 'id' | 'kind' | 'component' | 'user' | 'changed'>): Promise<void>;
  /**
   * Lets a component be pulled after a delay. A pull of it that waits already takes this one in: both ids name it from then on. One that
   * has begun does not, since it may have read the remote before. Idempotent by id.
   */
  beginPull(id: string, component: number, delayMs: number): Promise<void>;
  /** Claims the oldest due task, or one whose worker died; that loss is counted before this returns. */
  claim(claimant: Claimant): Promise<Task | null>;
  /** Fails a task that lost its worker once too often. Null when it does not exist. */
  setAside(now: Date): Promise<Task | null>;
  /** Whether a task of a kind for a component was set aside since a time. */
  wasSetAside(kind: TaskKind, component: number, since: Date): Promise<boolean>;
  /** Lets a running task wait until its lease runs out, for its next attempt. */
  defer(id: string, worker: string): Promise<void>;
  prolong(ids: readonly string[], worker: string, until: Date): Promise<void>;
  /** Writes a task that this worker runs. False: it is cancelled or was taken over. */
  report(
    id: string,
    worker: string,
    change: { progress?: number; result?: unknown; lines?: readonly string[] },
  ): Promise<boolean>;
  finish(id: string, worker: string, state: TaskState, result: unknown): Promise<void>;
  /** Returns a task to the queue. */
  giveBack(id: string, worker: string): Promise<void>;
  /** Releases the tasks of a worker whose process has ended; each keeps its count of attempts. */
  releaseAll(worker: string): Promise<void>;
  cancel(id: string): Promise<void>;
  /** Writes a task on behalf of another service. @param until when nobody works on it any more, unless more is reported */
  upsertReport(task: Task, until: Date): Promise<void>;
  /** Ends interrupted tasks of other services. */
  endSilentReports(now: Date): Promise<void>;
}
