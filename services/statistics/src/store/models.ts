import { documentSchema, objectSchema, optional, required, typed, type DocumentOf } from '@parlance/store-kit';
import type { Connection } from 'mongoose';
import type { Group } from '../domain/counters';

export const REMOVED_REVISION = Number.MAX_SAFE_INTEGER;

/** Retention of tombstones, in seconds: much longer than the event stream can redeliver an event (7 days). */
const REMEMBER_SECONDS = 60 * 24 * 3600;

/** Strings, words and characters. Mongoose has no tuples. */
const tally = optional(typed<[number, number, number]>([Number]));
const groups = objectSchema({
  all: tally,
  translated: tally,
  fuzzy: tally,
  approved: tally,
  readonly: tally,
  failing: tally,
  suggestions: tally,
  comments: tally,
} satisfies Record<Group, unknown>);

/** Newest counters of a translation; after its removal a tombstone. */
const snapshot = documentSchema('snapshots', {
  /** Id of the translation. */
  _id: required(Number),
  // A translation that was removed before its first snapshot has only the tombstone's fields.
  component: required(Number),
  project: required(Number),
  language: required(String),
  /** REMOVED_REVISION after the removal: no revision is newer. */
  revision: required(Number),
  groups: optional(groups),
  checks: optional(Number),
  contentChanges: optional(Number),
  lastChange: optional(Number),
  lastAuthor: optional(String),
  lastAuthorId: optional(Number),
  removedAt: optional(Date),
});
snapshot.index({ component: 1 });
snapshot.index({ project: 1 });
snapshot.index({ removedAt: 1 }, { expireAfterSeconds: REMEMBER_SECONDS });
export type SnapshotDocument = DocumentOf<typeof snapshot>;

/** A component or project, or its tombstone. */
const object = documentSchema('objects', {
  /** component:17, project:3 */
  _id: required(String),
  kind: required(String, { enum: ['component', 'project'] }),
  object: required(Number),
  project: required(Number),
  removedAt: optional(Date),
});
object.index({ project: 1 });
object.index({ removedAt: 1 }, { expireAfterSeconds: REMEMBER_SECONDS });
export type ObjectDocument = DocumentOf<typeof object>;

/** The models of the statistics service on a connection. */
export function makeModels(connection: Connection) {
  return {
    snapshots: connection.model<SnapshotDocument>('Snapshot', snapshot),
    objects: connection.model<ObjectDocument>('Object', object),
  };
}

export type Models = ReturnType<typeof makeModels>;
