import { Schema, type Connection } from 'mongoose';
import type { Group } from '../domain/counters';

/** Newest counters of a translation; after its removal a tombstone. */
export interface SnapshotDocument {
  /** Id of the translation. */
  _id: number;
  component: number;
  project: number;
  language: string;
  /** REMOVED_REVISION after the removal: no revision is newer. */
  revision: number;
  /** Strings, words and characters of each group. */
  groups?: Partial<Record<Group, [number, number, number]>>;
  checks?: number;
  contentChanges?: number;
  recentChanges?: number;
  lastChange?: number;
  lastAuthor?: string;
  lastAuthorId?: number;
  removedAt?: Date;
}

/** A component or project, or its tombstone. */
export interface ObjectDocument {
  /** component:17, project:3 */
  _id: string;
  kind: 'component' | 'project';
  object: number;
  project: number;
  removedAt?: Date;
}

export const REMOVED_REVISION = Number.MAX_SAFE_INTEGER;

/** Retention of tombstones, in seconds: much longer than the event stream can redeliver an event (7 days). */
const REMEMBER_SECONDS = 60 * 24 * 3600;

const free = { strict: false, versionKey: false as const, autoIndex: false, autoCreate: false };

/** The models of the statistics service on a connection. */
export function makeModels(connection: Connection) {
  const snapshot = new Schema<SnapshotDocument>({ _id: Number }, { ...free, collection: 'snapshots' });
  snapshot.index({ component: 1 });
  snapshot.index({ project: 1 });
  snapshot.index({ removedAt: 1 }, { expireAfterSeconds: REMEMBER_SECONDS });
  const object = new Schema<ObjectDocument>({ _id: String }, { ...free, collection: 'objects' });
  object.index({ project: 1 });
  object.index({ removedAt: 1 }, { expireAfterSeconds: REMEMBER_SECONDS });
  return {
    snapshots: connection.model<SnapshotDocument>('Snapshot', snapshot),
    objects: connection.model<ObjectDocument>('Object', object),
  };
}

export type Models = ReturnType<typeof makeModels>;
