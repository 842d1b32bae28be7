import type { OutgoingEvent } from '@parlance/events';
import {
  documentSchema,
  nullable,
  objectSchema,
  optional,
  optionalNullable,
  required,
  typed,
  type DocumentOf,
} from '@parlance/store-kit';
import type { Connection } from 'mongoose';
import { taskStates, type TaskKind } from '../domain/task';

/** Retention of finished tasks, in seconds. */
const TASK_SECONDS = 30 * 24 * 3600;

/** In the order in which they are stored: mongoose writes the fields of nested objects in the order of their schema. */
const savedCommits = objectSchema({
  /** Key of the stored bytes. */
  id: required(String),
  /** Bytes. */
  size: required(Number, { min: 0 }),
  head: required(String),
});

const ticket = objectSchema({ id: required(String), worker: required(String) });

/** A stored repository with its lease, queue and outbox. Documents of older versions do not have the optional fields. */
const repository = documentSchema('repositories', {
  _id: required(String),
  owner: nullable(Number),
  task: required(String),
  vcs: required(String),
  repo: required(String),
  branch: required(String),
  head: nullable(String),
  upstream: nullable(String),
  former: optionalNullable(String),
  ahead: required(Number, { min: 0 }),
  behind: required(Number, { min: 0 }),
  pushed: nullable(String),
  pushedBranch: required(String),
  pushedAddress: optional(String),
  saved: required([savedCommits]),
  scanned: nullable(String),
  maintained: optionalNullable(String),
  failure: required(String),
  unpushedSince: optionalNullable(Number),
  unmergedSince: optionalNullable(Number),
  cloneNumber: optional(Number, { min: 0 }),
  /** Fencing token. */
  token: required(Number, { min: 0 }),
  leaseOwner: required(String),
  /** Ticket that holds the lease; empty for none, absent in documents of older versions. */
  leaseTicket: optional(String),
  leaseUntil: required(Date),
  /** FIFO queue of tickets. */
  queue: required([ticket]),
  // Events are described by libs/events.
  outbox: required([typed<OutgoingEvent>()]),
  createdAt: required(Date),
});
repository.index({ owner: 1 }, { unique: true, partialFilterExpression: { owner: { $type: 'number' } } });
repository.index({ task: 1 });
repository.index({ 'outbox.timeMs': 1 }, { sparse: true });
repository.index({ 'queue.worker': 1 }, { sparse: true });
export type RepositoryDocument = DocumentOf<typeof repository>;

const task = documentSchema('tasks', {
  _id: required(String),
  kind: required(typed<TaskKind>(String)),
  component: required(Number),
  /** 0: none. */
  user: required(Number),
  state: required(String, { enum: taskStates }),
  /** Percent. */
  progress: required(Number, { min: 0, max: 100 }),
  // Null, an object of the task's kind, or a text.
  result: nullable(typed<unknown>()),
  log: required([String]),
  changed: required([String]),
  attempts: required(Number),
  createdAtMs: optional(Number),
  losses: optional(Number, { min: 0 }),
  traceparents: optional([String]),
  createdAt: required(Date),
  finishedAt: optional(Date),
  /** Set aside after it lost its workers. */
  setAside: optional(typed<true>(Boolean)),
  worker: required(String),
  leaseUntil: required(Date),
  /** Earliest start; absent for any time. */
  notBefore: optional(Date),
  /** Unique among waiting tasks; later requests for the same work are merged into this one. */
  slot: optional(String),
  /** Ids of the tasks that were merged into it. */
  merged: optional([String]),
});
task.index({ state: 1, createdAt: 1 });
task.index({ slot: 1 }, { unique: true, partialFilterExpression: { slot: { $exists: true } } });
task.index({ merged: 1 }, { sparse: true });
task.index({ setAside: 1, component: 1 }, { partialFilterExpression: { setAside: true } });
task.index({ finishedAt: 1 }, { expireAfterSeconds: TASK_SECONDS });
export type TaskDocument = DocumentOf<typeof task>;

/** A chunk of a bundle: documents have a size limit. */
const commitPiece = documentSchema('commits', {
  _id: required(String),
  bundle: required(String),
  place: required(Number, { min: 0 }),
  bytes: required(Buffer),
  createdAt: required(Date),
});
commitPiece.index({ bundle: 1, place: 1 });

/** A component and its repository. */
const component = documentSchema('components', {
  _id: required(Number),
  project: required(Number),
  repository: required(String),
  /** Time of the first edit that may be pending, milliseconds since the epoch; 0: none. */
  waitingSince: required(Number),
  /** Grows with each record of edits. */
  touched: required(Number),
  /** Images that were imported as screenshots. */
  screenshots: optional([objectSchema({ path: required(String), hash: required(String) })]),
});
component.index({ repository: 1 });
component.index({ project: 1 });
component.index({ waitingSince: 1 }, { partialFilterExpression: { waitingSince: { $gt: 0 } } });
export type ComponentDocument = DocumentOf<typeof component>;

/** Heartbeat of a worker. */
const worker = documentSchema('workers', { _id: required(String), until: required(Date) });
export type WorkerDocument = DocumentOf<typeof worker>;

/** The models of vcs-worker on a connection. */
export function makeModels(connection: Connection) {
  return {
    repositories: connection.model<RepositoryDocument>('Repository', repository),
    tasks: connection.model<TaskDocument>('Task', task),
    pieces: connection.model<DocumentOf<typeof commitPiece>>('CommitPiece', commitPiece),
    components: connection.model<ComponentDocument>('Component', component),
    workers: connection.model<WorkerDocument>('Worker', worker),
  };
}

export type Models = ReturnType<typeof makeModels>;
