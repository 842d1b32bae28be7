export type TaskKind = 'import' | 'pull' | 'update' | 'commit' | 'addons' | 'glossary' | 'report';
/** A prepared task waits until the component that it is for is stored. */
export type TaskState = 'prepared' | 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** What another service works on without reporting for so long counts as interrupted, in milliseconds. */
export const REPORT_MAX_SILENCE_MS = 120_000;

/** Work in the background that people can follow. */
export interface Task {
  id: string;
  kind: TaskKind;
  component: number;
  /** Who asked for it; 0: nobody in particular. */
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
}

export const isOver = (task: Pick<Task, 'state'>): boolean =>
  task.state === 'done' || task.state === 'failed' || task.state === 'cancelled';

/** Lines a task's log keeps; the oldest go first. */
export const MAX_LOG_LINES = 2000;
/** Characters a line keeps. */
export const MAX_LINE_LENGTH = 2000;

/** Tasks in the store. */
export interface TaskStore {
  /** Stores a task unless one with this id is there. */
  add(task: Task): Promise<void>;
  get(id: string): Promise<Task | null>;
  /** Lets a prepared task begin; one that is not there is made. Does nothing to a task that has begun. */
  begin(task: Pick<Task, 'id' | 'kind' | 'component' | 'user' | 'changed'>): Promise<void>;
  /** Takes the oldest waiting task, or one whose worker is gone. */
  claim(worker: string, until: Date): Promise<Task | null>;
  prolong(ids: readonly string[], worker: string, until: Date): Promise<void>;
  /** Writes a task that this worker runs. False: it is cancelled or was taken over. */
  report(
    id: string,
    worker: string,
    change: { progress?: number; result?: unknown; lines?: readonly string[] },
  ): Promise<boolean>;
  finish(id: string, worker: string, state: TaskState, result: unknown): Promise<void>;
  /** Gives a task back, to be run again. */
  giveBack(id: string, worker: string): Promise<void>;
  /** Releases the tasks of a worker whose process has ended; each keeps its count of attempts. */
  releaseAll(worker: string): Promise<void>;
  cancel(id: string): Promise<void>;
  /** Writes a task on behalf of another service. @param until when nobody works on it any more, unless more is reported */
  upsertReport(task: Task, until: Date): Promise<void>;
  /** Ends tasks that other services reported and do not work on any more. */
  endSilentReports(now: Date): Promise<void>;
}
