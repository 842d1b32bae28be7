import type { PageRequest } from './page';
export type TaskKind = 'import' | 'pull' | 'update' | 'commit' | 'addons' | 'glossary' | 'report';
/** A prepared task waits until the component that it is for is stored. */
export const taskStates = ['prepared', 'waiting', 'running', 'done', 'failed', 'cancelled'] as const;
export type TaskState = (typeof taskStates)[number];

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
  /** Names of changed settings (update); event and possibly the id of the add-on (addons); kinds of new objects (glossary). */
  changed: string[];
  attempts: number;
  /** When it was stored, in milliseconds since the epoch; undefined before. */
  createdAtMs?: number;
  /** How often its worker died or stalled while it ran. Incremented before the next attempt begins. */
  losses?: number;
  /** W3C traceparents of the sampled traces that caused it. */
  traceparents?: string[];
}

/** Lost workers after which a task is set aside. */
export const MAX_LOSSES = 2;
/** Result of a task that was set aside. */
export const SET_ASIDE =
  'The task was set aside: its worker died or stalled twice while the task ran. It is not retried automatically.';

/** Tasks that a worker may claim. */
export interface Claimant {
  worker: string;
  /** End of the lease. */
  until: Date;
  /** Tasks that run in this process. */
  running: readonly string[];
  /** Takes over tasks with an expired lease. */
  takesOver: boolean;
  /** Accepts tasks that lost a worker, now or before. */
  takesSuspects: boolean;
}

/** A task as operators see it, without its log. */
export interface TaskEntry extends Pick<
  Task,
  'id' | 'kind' | 'component' | 'state' | 'progress' | 'attempts' | 'result'
> {
  losses: number;
  /** Worker that runs it or ran it last; empty for none. */
  worker: string;
  /** Milliseconds since the epoch. */
  createdAtMs: number;
  /** 0: not finished. */
  finishedAtMs: number;
}

/** Selects tasks. */
export interface TaskFilter {
  /** Empty: all. */
  states: readonly TaskState[];
  /** 0: all. */
  component: number;
}

export const isOver = (task: Pick<Task, 'state'>): boolean =>
  task.state === 'done' || task.state === 'failed' || task.state === 'cancelled';

/** Lines kept in a task's log; the oldest are dropped first. */
export const MAX_LOG_LINES = 2000;
/** Maximum length of a line, in characters. */
export const MAX_LINE_LENGTH = 2000;

/** Tasks in the store. */
export interface TaskStore {
  /** Stores a task. Idempotent by id. */
  add(task: Task): Promise<void>;
  get(id: string): Promise<Task | null>;
  /** Begins a prepared task; creates it if it does not exist. Has no effect on a task that has begun. */
  begin(task: Pick<Task, 'id' | 'kind' | 'component' | 'user' | 'changed'>): Promise<void>;
  /**
   * Schedules a pull of a component. A pull that still waits is extended: both ids refer to it from then on. A pull that
   * has begun is not, because it may already have fetched the remote. Idempotent by id.
   */
  beginPull(id: string, component: number, delayMs: number): Promise<void>;
  /** Whether a task waits or runs, so that a claim may succeed. */
  hasOpen(): Promise<boolean>;
  /** Claims the oldest due task, or one whose worker died; that loss is counted before this returns. */
  claim(claimant: Claimant): Promise<Task | null>;
  /** Fails a task that lost its worker too often. Null if there is none. */
  setAside(now: Date): Promise<Task | null>;
  /** Whether a task of a kind for a component waits or runs. */
  isOpen(kind: TaskKind, component: number): Promise<boolean>;
  /** Whether a task of a kind for a component was set aside since a time. */
  wasSetAside(kind: TaskKind, component: number, since: Date): Promise<boolean>;
  /** Defers a running task until its lease expires, for its next attempt. */
  defer(id: string, worker: string): Promise<void>;
  prolong(ids: readonly string[], worker: string, until: Date): Promise<void>;
  /** Updates a task that this worker runs. False if it was cancelled or taken over. */
  report(
    id: string,
    worker: string,
    change: { progress?: number; result?: unknown; lines?: readonly string[] },
  ): Promise<boolean>;
  finish(id: string, worker: string, state: TaskState, result: unknown): Promise<void>;
  /** Returns a task to the queue. */
  giveBack(id: string, worker: string): Promise<void>;
  /** Releases the tasks of a worker whose process has ended; each keeps its number of attempts. */
  releaseAll(worker: string): Promise<void>;
  cancel(id: string): Promise<void>;
  /** Queues a failed or cancelled task again. False if it is in another state or belongs to another service. */
  retry(id: string): Promise<boolean>;
  /** Matching tasks, newest first. */
  list(filter: TaskFilter, page: PageRequest): Promise<TaskEntry[]>;
  /** Stores a task on behalf of another service. @param until time at which it counts as interrupted without a further report */
  upsertReport(task: Task, until: Date): Promise<void>;
  /** Fails interrupted tasks of other services. */
  endSilentReports(now: Date): Promise<void>;
}
