import type { Snapshot } from './counters';

/** Something that events said about components and projects. */
export interface KnownObject {
  kind: 'component' | 'project';
  id: number;
  /** Of a component; the id itself of a project. */
  projectId: number;
}

/** What a store holds, as it is read at start. */
export type StoredFact =
  | { fact: 'snapshot'; snapshot: Snapshot }
  | { fact: 'removedTranslation'; id: number }
  | { fact: 'object'; object: KnownObject }
  | { fact: 'removedObject'; object: KnownObject };

/**
 * Keeps the newest counters of every translation. All writes are repeatable and may arrive in any order: a snapshot replaces only an
 * older one, and what was removed stays removed.
 */
export interface SnapshotStore {
  save(snapshots: readonly Snapshot[]): Promise<void>;
  addObjects(objects: readonly KnownObject[]): Promise<void>;
  removeTranslations(ids: readonly number[]): Promise<void>;
  /** Removes components or projects with everything in them. */
  removeObjects(objects: readonly KnownObject[]): Promise<void>;
  /** Everything. Removals come before snapshots. */
  load(): AsyncIterable<StoredFact>;
}
