import { Schema, type Connection } from 'mongoose';
import type { OutgoingEvent } from '@parlance/events';
import type { Repository } from '../domain/repository';
import type { Task } from '../domain/task';

/** A stored repository with its lease, queue and outbox. */
export interface RepositoryDocument
  extends
    Omit<Repository, 'id' | 'former' | 'maintained' | 'pushedAddress'>,
    Partial<Pick<Repository, 'former' | 'maintained' | 'pushedAddress'>> {
  _id: string;
  leaseOwner: string;
  /** Ticket that holds the lease; empty for none, absent in documents of older versions. */
  leaseTicket?: string;
  leaseUntil: Date;
  /** FIFO queue of tickets. */
  queue: { id: string; worker: string }[];
  outbox: OutgoingEvent[];
  createdAt: Date;
}

export interface TaskDocument extends Omit<Task, 'id'> {
  _id: string;
  createdAt: Date;
  finishedAt?: Date;
  /** Set aside after it lost its workers. */
  setAside?: true;
  worker: string;
  leaseUntil: Date;
  /** Earliest start; absent for any time. */
  notBefore?: Date;
  /** Unique among waiting tasks; later requests for the same work are merged into this one. */
  slot?: string;
  /** Ids of the tasks that were merged into it. */
  merged?: string[];
}

/** A chunk of a bundle: documents have a size limit. */
export interface CommitPieceDocument {
  _id: string;
  bundle: string;
  place: number;
  bytes: Buffer;
  createdAt: Date;
}

export interface ComponentDocument {
  /** Component id. */
  _id: number;
  project: number;
  repository: string;
  /** Time of the first edit that may be pending, milliseconds since the epoch; 0: none. */
  waitingSince: number;
  /** Time of the newest edit. */
  touched: number;
  /** Images that were imported as screenshots. */
  screenshots?: { path: string; hash: string }[];
}

export interface WorkerDocument {
  _id: string;
  until: Date;
}

const free = { strict: false, versionKey: false as const, autoIndex: false, autoCreate: false, minimize: false };
/** Retention of finished tasks, in seconds. */
const TASK_SECONDS = 30 * 24 * 3600;

/** The models of vcs-worker on a connection. */
export function makeModels(connection: Connection) {
  const repository = new Schema<RepositoryDocument>({ _id: String }, { ...free, collection: 'repositories' });
  repository.index({ owner: 1 }, { unique: true, partialFilterExpression: { owner: { $type: 'number' } } });
  repository.index({ task: 1 });
  repository.index({ 'outbox.timeMs': 1 }, { sparse: true });
  repository.index({ 'queue.worker': 1 }, { sparse: true });
  const task = new Schema<TaskDocument>({ _id: String }, { ...free, collection: 'tasks' });
  task.index({ state: 1, createdAt: 1 });
  task.index({ slot: 1 }, { unique: true, partialFilterExpression: { slot: { $exists: true } } });
  task.index({ merged: 1 }, { sparse: true });
  task.index({ setAside: 1, component: 1 }, { partialFilterExpression: { setAside: true } });
  task.index({ finishedAt: 1 }, { expireAfterSeconds: TASK_SECONDS });
  const piece = new Schema<CommitPieceDocument>({ _id: String }, { ...free, collection: 'commits' });
  piece.index({ bundle: 1, place: 1 });
  const component = new Schema<ComponentDocument>({ _id: Number }, { ...free, collection: 'components' });
  component.index({ repository: 1 });
  component.index({ project: 1 });
  component.index({ waitingSince: 1 }, { partialFilterExpression: { waitingSince: { $gt: 0 } } });
  const worker = new Schema<WorkerDocument>({ _id: String }, { ...free, collection: 'workers' });
  return {
    repositories: connection.model<RepositoryDocument>('Repository', repository),
    tasks: connection.model<TaskDocument>('Task', task),
    pieces: connection.model<CommitPieceDocument>('CommitPiece', piece),
    components: connection.model<ComponentDocument>('Component', component),
    workers: connection.model<WorkerDocument>('Worker', worker),
  };
}

export type Models = ReturnType<typeof makeModels>;
